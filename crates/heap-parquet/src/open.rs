//! Finds the files of a partition, and the partitions of a data set.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use heap_base::{Blob, Error, Result};

use crate::data_set::LAST;
use crate::keys::pair;

/// Most tables of a partition.
const MOST: usize = 256;

/// The files of metadata of all partitions in a folder, in the order of their names: each stands for a partition. The
/// folder is a data set, or a part of it such as `fleet/nodes/pod=17`. `None` if it is neither.
///
/// # Errors
/// A folder cannot be read.
pub fn partitions(folder: &Path) -> Result<Option<Vec<PathBuf>>> {
    let Some((root, place)) = split(folder) else { return Ok(None) };
    let mut found = Vec::new();
    let mut folders = vec![root.join(LAST).join(place)];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).map_err(Error::read)?;
        let mut paths =
            entries.map(|e| e.map(|e| e.path())).collect::<std::io::Result<Vec<_>>>().map_err(Error::read)?;
        paths.sort_unstable();
        // The last is taken first.
        for path in paths.into_iter().rev() {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "parquet") {
                found.push(path);
            }
        }
    }
    Ok(Some(found))
}

/// The folder of a data set, and the keys and values in a path below it.
fn split(path: &Path) -> Option<(PathBuf, PathBuf)> {
    let is_root = |path: &Path| path.join(LAST).is_dir() && path.join("nodes").is_dir();
    if is_root(path) {
        return Some((path.to_owned(), PathBuf::new()));
    }
    let mut table = path;
    while table.file_name().and_then(|n| n.to_str()).is_some_and(|name| pair(name).is_some()) {
        table = table.parent()?;
    }
    let root = table.parent()?;
    let root = if root.as_os_str().is_empty() { Path::new(".") } else { root };
    (table.is_dir() && is_root(root))
        .then(|| (root.to_owned(), path.strip_prefix(table).unwrap_or(path).to_owned()))
}

/// A file of a partition with those of the other tables as its companions, one behind the other.
///
/// # Errors
/// A file cannot be opened.
pub fn with_tables(blob: Blob, path: &Path) -> Result<Blob> {
    let (Some(folder), Some(file)) = (path.parent(), path.file_name()) else { return Ok(blob) };
    let Some((root, place)) = split(folder) else { return Ok(blob) };
    let mut tables: Vec<PathBuf> =
        fs::read_dir(&root).map_err(Error::read)?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    tables.sort_unstable();
    tables.truncate(MOST);
    let own = folder.canonicalize().map_err(Error::read)?;
    let mut chain: Option<Blob> = None;
    for table in tables {
        let folder = table.join(&place);
        let hidden = table.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        if hidden || folder.canonicalize().is_ok_and(|folder| folder == own) {
            continue;
        }
        let Ok(file) = File::open(folder.join(file)) else { continue };
        let blob = Blob::from_file(file)?;
        chain = Some(match chain {
            Some(chain) => blob.with_companion(chain),
            None => blob,
        });
    }
    Ok(match chain {
        Some(chain) => blob.with_companion(chain),
        None => blob,
    })
}
