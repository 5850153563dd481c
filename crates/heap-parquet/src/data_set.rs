//! The writer: a sink that adds partitions to a data set, one for each input.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use heap_base::{Error, Result, Set};
use heap_record::tag::{find, rank, sources};
use heap_record::{Declaration, EdgeBatch, Extension, Metadata, NodeBatch, Sink, Str, Tag, Target, Wants};
use heap_spool::HiddenFolder;

use crate::keys::{folder, pair};
use crate::partition::{Partition, reserved};

/// Name of the one file in a partition's folder.
pub(crate) const FILE: &str = "part-0.parquet";

/// The table whose file is the last to come: a partition that has it is complete.
pub(crate) const LAST: &str = "metadata";

/// Adds partitions to a data set. Made by [`writer`].
pub struct Writer {
    root: PathBuf,
    /// The folder was made for this run.
    is_new: bool,
    tags: Vec<Tag>,
    current: Option<Current>,
    /// Partitions of this run.
    written: Set<PathBuf>,
    notes: Vec<String>,
}

/// The partition that is being written, in a hidden folder of the data set.
struct Current {
    name: String,
    staging: HiddenFolder,
    partition: Partition,
    /// Metadata that tags may ask for.
    metadata: Vec<(String, String)>,
}

/// Begins to add to the data set in the folder `root`, which is made if it does not exist.
///
/// Each input becomes a partition: a file in each table's folder, below a folder for each tag and for `dump`, the name of
/// the input. The files are written into a hidden folder and get their names when all of them are complete, the metadata
/// last. A partition of the same keys is replaced.
///
/// Memory: the row groups that wait, some 40 MiB, besides the longest text and 12 bytes a string.
///
/// # Errors
/// `root` is something else, or has partitions of other keys, or cannot be made.
pub fn writer(root: &Path, tags: Vec<Tag>) -> Result<Writer> {
    if let Some(tag) = tags.iter().find(|tag| reserved().any(|name| name.eq_ignore_ascii_case(&tag.key))) {
        return Err(Error::refused(format!("'{}' is a column already: a tag needs another key", tag.key)));
    }
    if let Some(tag) = (1..tags.len()).find_map(|i| tags[..i].iter().find(|tag| tag.key == tags[i].key)) {
        return Err(Error::refused(format!("two tags have the key '{}'", tag.key)));
    }
    let entries = match fs::read_dir(root) {
        Ok(entries) => {
            entries.filter_map(|e| Some(e.ok()?.file_name().to_string_lossy().into_owned())).collect()
        }
        Err(e) if e.kind() == ErrorKind::NotFound => Vec::new(),
        Err(e) => return Err(Error::write(e)),
    };
    let foreign =
        entries.iter().any(|name| !name.starts_with('.')) && !entries.iter().any(|name| name == LAST);
    if foreign {
        return Err(Error::refused("the output exists and is no data set of heaps"));
    }
    let mut keys: Vec<_> = tags.iter().map(|tag| tag.key.clone()).filter(|key| key != "dump").collect();
    keys.push("dump".to_owned());
    let there = keys_of(&root.join(LAST));
    if !there.is_empty() && there != keys {
        let list = |keys: &[String]| keys.join(", ");
        return Err(Error::refused(format!(
            "the data set has partitions by {}: these would be by {}",
            list(&there),
            list(&keys)
        )));
    }
    // By this folder another process that starts now knows the data set.
    let is_new = !root.exists();
    fs::create_dir_all(root.join(LAST)).map_err(Error::write)?;
    Ok(Writer {
        root: root.to_owned(),
        is_new,
        tags,
        current: None,
        written: Set::default(),
        notes: Vec::new(),
    })
}

/// The keys of the first partition of a table.
fn keys_of(table: &Path) -> Vec<String> {
    let (mut keys, mut at) = (Vec::new(), table.to_owned());
    while let Ok(entries) = fs::read_dir(&at) {
        let names = entries.filter_map(|e| e.ok()?.file_name().into_string().ok());
        let Some((name, key)) =
            names.filter_map(|n| pair(&n).map(|(k, _)| k.to_owned()).map(|k| (n, k))).min()
        else {
            break;
        };
        keys.push(key);
        at.push(name);
    }
    keys
}

impl Writer {
    fn begin(&mut self, name: &str) -> Result {
        let staging = HiddenFolder::create(&self.root)?;
        let mut taken: Vec<_> = self.tags.iter().map(|tag| tag.key.clone()).collect();
        taken.push("dump".to_owned());
        let partition = Partition::create(staging.path(), taken)?;
        self.current = Some(Current { name: name.to_owned(), staging, partition, metadata: Vec::new() });
        Ok(())
    }

    #[inline]
    fn partition(&mut self) -> Result<&mut Partition> {
        if self.current.is_none() {
            self.begin("stdin")?;
        }
        match &mut self.current {
            Some(current) => Ok(&mut current.partition),
            None => Err(Error::refused("no partition was begun")),
        }
    }

    /// The folder of a partition below that of a table.
    fn place(&mut self, name: &str, metadata: &[(String, String)]) -> Result<PathBuf> {
        let mut place = PathBuf::new();
        let mut dump = name;
        let long =
            |key: &str| Error::refused(format!("the value of {key} is too long for the name of a folder"));
        for tag in &self.tags {
            if tag.key == "dump" {
                dump = tag.value.as_deref().unwrap_or(name);
                continue;
            }
            let value = tag.value.as_deref().or_else(|| find(&tag.key, metadata));
            if value.is_none() {
                let sources = sources(&tag.key).collect::<Vec<_>>().join(", ");
                self.notes.push(format!("{name}: no metadata {sources}: {} is NULL", tag.key));
            }
            place.push(folder(&tag.key, value.unwrap_or_default()).ok_or_else(|| long(&tag.key))?);
        }
        place.push(folder("dump", dump).ok_or_else(|| long("dump"))?);
        Ok(place)
    }

    /// Gives the files of a complete partition their names.
    fn publish(&mut self, current: Current) -> Result {
        let Current { name, staging, partition, metadata } = current;
        if partition.is_empty() {
            return Ok(());
        }
        let place = self.place(&name, &metadata)?;
        if !self.written.insert(place.clone()) {
            let place = place.display();
            return Err(Error::refused(format!(
                "an input before this one has the partition {place} already"
            )));
        }
        let (tables, unknown) = partition.finish()?;
        if unknown > 0 {
            let what = "names whose string records came late or not at all, written as numbers";
            self.notes.push(format!("{name}: {what}: {unknown}"));
        }
        let target = |table: &str| self.root.join(table).join(&place);
        // From the first name to the last there is little to do, because a partition whose writer is killed there is
        // incomplete: in other tables, and not in the metadata.
        let folders = || tables.iter().map(|table| target(table));
        let named = folders()
            .try_for_each(fs::create_dir_all)
            .map_err(Error::write)
            // What is replaced is incomplete from here on, and tables that it alone had go.
            .and_then(|()| self.remove_old(&place, &tables))
            .and_then(|()| {
                let moved = tables.iter().zip(folders()).try_for_each(|(table, folder)| {
                    fs::rename(staging.path().join(table), folder.join(FILE))
                });
                moved.map_err(Error::write)
            });
        if let Err(e) = named {
            folders().rev().try_for_each(|folder| remove(&folder))?;
            // Folders of keys and tables that have nothing in them now.
            for folder in folders() {
                let above = folder.ancestors().skip(1).take_while(|at| *at != self.root);
                let _ = above.take_while(|at| fs::remove_dir(at).is_ok()).count();
            }
            return Err(e);
        }
        staging.close()
    }
}

/// A data set to which nothing came is not left behind.
impl Drop for Writer {
    fn drop(&mut self) {
        self.current = None;
        let _ = fs::remove_dir(self.root.join(LAST));
        if self.is_new {
            let _ = fs::remove_dir(&self.root);
        }
    }
}

impl Writer {
    /// Removes of a partition that is to be replaced the metadata, and the tables that the new one lacks.
    fn remove_old(&self, place: &Path, tables: &[String]) -> Result {
        let target = |table: &str| self.root.join(table).join(place).join(FILE);
        remove_file(&target(LAST))?;
        for entry in fs::read_dir(&self.root).map_err(Error::write)?.filter_map(Result::ok) {
            if let Some(table) = entry.file_name().to_str().filter(|t| !t.starts_with('.'))
                && !tables.iter().any(|t| t == table)
            {
                remove(&self.root.join(table).join(place))?;
            }
        }
        Ok(())
    }
}

fn remove_file(file: &Path) -> Result {
    match fs::remove_file(file) {
        Err(e) if !matches!(e.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Err(Error::write(e)),
        _ => Ok(()),
    }
}

/// Removes a partition's file, and its folder.
fn remove(folder: &Path) -> Result {
    remove_file(&folder.join(FILE))?;
    // A folder that holds something else stays.
    let _ = fs::remove_dir(folder);
    Ok(())
}

impl Sink for Writer {
    /// Tools that read the partition get its declarations where they came, so they come before what they declare.
    fn wants(&self) -> Wants {
        Wants::ALL
    }

    fn metadata(&mut self, record: &Metadata<'_>) -> Result {
        self.partition()?.metadata(record)?;
        let Some(current) = &mut self.current else { return Ok(()) };
        if self.tags.iter().any(|tag| tag.value.is_none() && rank(&tag.key, record.key).is_some()) {
            current.metadata.push((record.key.to_owned(), record.value.to_owned()));
        }
        Ok(())
    }

    fn declare(&mut self, record: &Declaration<'_>) -> Result {
        self.partition()?.declare(record)
    }

    fn string(&mut self, record: &Str<'_>) -> Result {
        self.partition()?.string(record)
    }

    fn nodes(&mut self, batch: &NodeBatch<'_>) -> Result {
        self.partition()?.nodes(batch)
    }

    fn edges(&mut self, batch: &EdgeBatch<'_>) -> Result {
        self.partition()?.edges(batch)
    }

    fn extension(&mut self, record: &Extension<'_>) -> Result {
        self.partition()?.extension(record)
    }

    fn finish(&mut self, intact: bool) -> Result {
        self.end_input(intact)
    }
}

impl Target for Writer {
    fn begin_input(&mut self, name: Option<&str>) -> Result {
        self.end_input(true)?;
        self.begin(name.unwrap_or("stdin"))
    }

    /// A damaged input gets no partition: to a query it would look whole.
    fn end_input(&mut self, intact: bool) -> Result {
        match self.current.take() {
            Some(current) if intact => self.publish(current),
            _ => Ok(()),
        }
    }

    fn notes(&self) -> &[String] {
        &self.notes
    }
}
