//! Finds the files of a partition, and the partitions of a data set.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use heap_base::{Blob, Dump, Error, Result};

use crate::data_set::LAST;
use crate::keys::pair;

/// The table that each partition has, beside that of the metadata.
const NODES: &str = "nodes";
/// Most tables of a partition.
const MOST: usize = 256;

/// The files of metadata of all partitions in a folder, in the order of their names: each stands for a partition. The
/// folder is a data set, or a part of it such as `fleet/nodes/pod=17`. `None` if it is neither.
///
/// A partition whose writer was killed has nodes and no metadata; then the file does not exist.
///
/// # Errors
/// A folder cannot be read.
pub fn partitions(folder: &Path) -> Result<Option<Vec<PathBuf>>> {
    let Some((root, place)) = split(folder) else { return Ok(None) };
    let metadata = root.join(LAST);
    let mut found = BTreeSet::new();
    for table in [&metadata, &root.join(NODES)] {
        files(table, &place, &mut found)?;
    }
    // In the order of keys and values, which is that of paths.
    Ok(Some(found.into_iter().map(|file| metadata.join(file)).collect()))
}

/// Adds the files below `place` in a table's folder, as they are named from there.
fn files(table: &Path, place: &Path, found: &mut BTreeSet<PathBuf>) -> Result {
    let mut folders = vec![table.join(place)];
    while let Some(folder) = folders.pop() {
        let entries = match fs::read_dir(&folder) {
            // The other table has it, or the folder was removed meanwhile.
            Err(e) if e.kind() == ErrorKind::NotFound => continue,
            entries => entries.map_err(Error::read)?,
        };
        for entry in entries {
            let entry = entry.map_err(Error::read)?;
            let path = entry.path();
            if entry.file_type().map_err(Error::read)?.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "parquet") {
                found.extend(path.strip_prefix(table).ok().map(Path::to_owned));
            }
        }
    }
    Ok(())
}

/// The folder of a data set, and the keys and values in a path below it.
fn split(path: &Path) -> Option<(PathBuf, PathBuf)> {
    let is_root = |path: &Path| path.join(LAST).is_dir() && path.join(NODES).is_dir();
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

/// A file of a partition with those of the other tables.
///
/// # Errors
/// A file cannot be opened.
pub fn with_tables(blob: Blob, path: &Path) -> Result<Dump> {
    let mut dump = Dump::from(blob);
    let (Some(folder), Some(file)) = (path.parent(), path.file_name()) else { return Ok(dump) };
    let Some((root, place)) = split(folder) else { return Ok(dump) };
    let mut tables: Vec<PathBuf> =
        fs::read_dir(&root).map_err(Error::read)?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    heap_base::sort(&mut tables);
    tables.truncate(MOST);
    let own = folder.canonicalize().map_err(Error::read)?;
    for table in tables {
        let folder = table.join(&place);
        let hidden = table.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        if hidden || folder.canonicalize().is_ok_and(|folder| folder == own) {
            continue;
        }
        let Ok(file) = File::open(folder.join(file)) else { continue };
        dump.companions.push(Blob::from_file(file)?);
    }
    Ok(dump)
}
