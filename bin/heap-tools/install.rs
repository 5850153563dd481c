//! `heap-tools install` and `uninstall`.
//!
//! A list in `share/heap-tools/installed` has every file and folder that was made, a line each and relative to the prefix;
//! folders end in `/`. The prefix itself is `./`, a folder above it `../`, `../../` and so on. The list is written before
//! the first file, so an installation that broke off can be removed too, and once more at the end: then each file has a
//! [`mark`] behind it, by which one that somebody else put there since is known and left alone.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::io::{self, ErrorKind, Read};
use std::path::{Component, Path, PathBuf};

use heap_cli::{Error, completions};
use heap_toolbox::TOOLS;

use crate::pages::PAGES;

const LIST: &str = "share/heap-tools/installed";
const PROGRAM: &str = "heap-tools";

/// What is installed at one place.
enum Content {
    /// This program.
    Program,
    /// A link to it.
    Link,
    /// A file with this text.
    Text(String),
}

/// Where to install if nothing else is said.
pub(crate) fn prefix(given: Option<PathBuf>) -> Result<PathBuf, Error> {
    let home = || std::env::var_os("HOME").filter(|home| !home.is_empty());
    let found = match given {
        Some(prefix) => prefix,
        None if crate::sys::is_root() => PathBuf::from("/usr/local"),
        None => PathBuf::from(home().ok_or_else(|| Error::usage("HOME is not set: say --prefix DIR"))?)
            .join(".local"),
    };
    std::path::absolute(&found).map_err(|e| failed(&found, &e))
}

/// Everything that is installed, by its place below the prefix.
fn contents() -> Vec<(String, Content)> {
    let mut all = vec![(format!("bin/{PROGRAM}"), Content::Program)];
    all.extend(TOOLS.iter().map(|tool| (format!("bin/{}", tool.name), Content::Link)));
    for (name, text) in PAGES {
        let section = name.rsplit('.').next().unwrap_or_default();
        all.push((format!("share/man/man{section}/{name}"), Content::Text((*text).to_owned())));
    }
    for shell in ["bash", "zsh", "fish"] {
        let of_tools = TOOLS.iter().filter_map(|tool| Some((tool.name, completions(tool, shell)?)));
        for (name, text) in of_tools.chain([(PROGRAM, crate::completions(shell))]) {
            let place = match shell {
                "bash" => format!("share/bash-completion/completions/{name}"),
                "zsh" => format!("share/zsh/site-functions/_{name}"),
                _ => format!("share/fish/vendor_completions.d/{name}.fish"),
            };
            all.push((place, Content::Text(text)));
        }
    }
    all
}

/// Installs everything, and says what is left to do.
///
/// # Errors
/// A file is in the way that no earlier installation made; then nothing is written. Or a file cannot be written.
pub(crate) fn install(prefix: &Path) -> Result<String, Error> {
    let program = program()?;
    let old = installed(prefix)?;
    let mut all = contents();
    // The program that runs is not replaced by itself. It is removed with the rest only if an earlier installation made it.
    let here = prefix.join("bin").join(PROGRAM);
    let at_home = same_file(&program, &here);
    let mut listed: BTreeSet<String> = all.iter().map(|(place, _)| place.clone()).collect();
    if at_home {
        all.retain(|(_, content)| !matches!(content, Content::Program));
        if !old.contains_key(&format!("bin/{PROGRAM}")) {
            listed.remove(&format!("bin/{PROGRAM}"));
        }
    }
    let made = all.iter().map(|(place, _)| place).chain(old.keys().filter(|place| !place.ends_with('/')));
    for place in made.filter(|place| *place != LIST) {
        let path = prefix.join(place);
        let is_ours = old.get(place).is_some_and(|mark| is_unchanged(&path, mark));
        if !is_ours && path.symlink_metadata().is_ok() {
            let path = path.display();
            return Err(Error::failed(format!(
                "{path} is there and was not installed by heap-tools: nothing is changed"
            )));
        }
    }
    listed.insert(LIST.to_owned());
    // Folders: those that have to be made, and those that were made before.
    let places: Vec<String> = listed.iter().cloned().collect();
    for folder in places.iter().flat_map(|place| Path::new(place).ancestors().skip(1)) {
        let name = format!("{}/", folder.display());
        if name != "/" && (old.contains_key(&name) || !prefix.join(folder).exists()) {
            listed.insert(name);
        }
    }
    for (level, folder) in prefix.ancestors().enumerate() {
        let name = above(level);
        if old.contains_key(&name) || !folder.exists() {
            listed.insert(name);
        }
    }
    for place in old.keys().filter(|place| !listed.contains(*place) && !place.ends_with('/')) {
        remove(&prefix.join(place))?;
    }
    let list = prefix.join(LIST);
    write(&list, listed.iter().fold(String::new(), |text, place| text + place + "\n").as_bytes())?;
    for (place, content) in &all {
        let path = prefix.join(place);
        match content {
            Content::Text(text) => write(&path, text.as_bytes())?,
            Content::Program => {
                fresh(&path)?;
                fs::copy(&program, &path).map_err(|e| failed(&path, &e))?;
            }
            Content::Link => {
                fresh(&path)?;
                link(&here, &path).map_err(|e| failed(&path, &e))?;
            }
        }
    }
    let mut text = String::new();
    for place in &listed {
        let is_file = !place.ends_with('/') && place != LIST;
        let mark =
            if is_file { mark(&prefix.join(place)).map_err(|e| failed(&list, &e))? } else { String::new() };
        let _ = writeln!(text, "{place}{}{mark}", if is_file { "\t" } else { "" });
    }
    write(&list, text.as_bytes())?;
    Ok(advice(prefix))
}

/// Removes what was installed: each file on the list that is still the one, and the folders that were made and are empty.
///
/// # Errors
/// There is no list, it has been changed to name other places, or a file cannot be removed.
pub(crate) fn uninstall(prefix: &Path) -> Result<String, Error> {
    let all = installed(prefix)?;
    if all.is_empty() {
        return Err(Error::failed(format!("nothing is installed in {}", prefix.display())));
    }
    let (mut removed, mut left) = (0, String::new());
    for (place, mark) in all.iter().filter(|(place, _)| !place.ends_with('/') && *place != LIST) {
        let path = prefix.join(place);
        if is_unchanged(&path, mark) {
            remove(&path)?;
            removed += 1;
        } else if path.symlink_metadata().is_ok() {
            let _ = writeln!(left, "left {}, which is not what was installed", path.display());
        }
    }
    remove(&prefix.join(LIST))?;
    // Deeper ones come later in the order of names. A folder that holds something else by now is left.
    for folder in all.keys().rev().filter(|place| place.ends_with('/') && level(place).is_none()) {
        let _ = fs::remove_dir(prefix.join(folder).components().collect::<PathBuf>());
    }
    for (level, folder) in prefix.ancestors().enumerate() {
        if all.contains_key(&above(level)) {
            let _ = fs::remove_dir(folder);
        }
    }
    Ok(format!("{left}removed {} files from {}\n", removed + 1, prefix.display()))
}

/// What a file is known by: where a link leads to, else its length and a hash (FNV-1a, 64 bits).
fn mark(path: &Path) -> io::Result<String> {
    if path.symlink_metadata()?.is_symlink() {
        return Ok(format!("-> {}", fs::read_link(path)?.display()));
    }
    let (mut file, mut part) = (fs::File::open(path)?, vec![0; 1 << 16]);
    let (mut length, mut hash) = (0, 0xcbf2_9ce4_8422_2325u64);
    loop {
        let read = file.read(&mut part)?;
        if read == 0 {
            return Ok(format!("{length} {hash:016x}"));
        }
        length += read;
        for &byte in &part[..read] {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

/// Whether a file has the mark of the list; of one without a mark nobody knows, so it is the list's.
fn is_unchanged(path: &Path, known: &str) -> bool {
    known.is_empty() || mark(path).is_ok_and(|mark| mark == known)
}

/// The list of an earlier installation, each place with its mark; empty if there is none.
fn installed(prefix: &Path) -> Result<BTreeMap<String, String>, Error> {
    let path = prefix.join(LIST);
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(e) if matches!(e.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(BTreeMap::new());
        }
        Err(e) => return Err(failed(&path, &e)),
    };
    // What stands above the prefix can only be a folder, which is removed if it is empty.
    let below = |place: &str| {
        let mut parts = Path::new(place).components();
        level(place).is_some() || !place.is_empty() && parts.all(|part| matches!(part, Component::Normal(_)))
    };
    let lines = text.lines().map(|line| line.split_once('\t').unwrap_or((line, "")));
    match lines.clone().find(|(place, _)| !below(place)) {
        Some((place, _)) => {
            let path = path.display();
            Err(Error::failed(format!(
                "{path} names '{place}', which is not below the prefix: nothing is changed"
            )))
        }
        None => Ok(lines.map(|(place, mark)| (place.to_owned(), mark.to_owned())).collect()),
    }
}

/// What the list calls the prefix, at level 0, and the folders above it.
fn above(level: usize) -> String {
    if level == 0 { "./".to_owned() } else { "../".repeat(level) }
}

/// The level of a line of the list that [`above`] made.
fn level(place: &str) -> Option<usize> {
    let level = if place == "./" { 0 } else { place.len() / 3 };
    (place == above(level)).then_some(level)
}

/// Where this program is: what the system says, else by the name it was called with, since /proc may be missing.
fn program() -> Result<PathBuf, Error> {
    if let Ok(path) = std::env::current_exe() {
        return Ok(path);
    }
    let name = PathBuf::from(std::env::args_os().next().unwrap_or_default());
    let on_path = || {
        let folders = std::env::var_os("PATH").unwrap_or_default();
        std::env::split_paths(&folders).map(|folder| folder.join(&name)).find(|path| path.is_file())
    };
    let found = if name.components().count() > 1 { Some(name.clone()) } else { on_path() };
    found.ok_or_else(|| Error::failed("this program cannot find itself: call it by its path"))
}

fn same_file(a: &Path, b: &Path) -> bool {
    matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

/// Makes a link; where the file system has none, another name or a copy.
fn link(program: &Path, path: &Path) -> io::Result<()> {
    if crate::sys::symlink(PROGRAM, path).is_ok() {
        return Ok(());
    }
    fs::hard_link(program, path).or_else(|_| fs::copy(program, path).map(|_| ()))
}

/// Makes the folder of a file, and its place free. A program that runs keeps its file that way.
fn fresh(path: &Path) -> Result<(), Error> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|e| failed(folder, &e))?;
    }
    remove(path)
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    fresh(path)?;
    fs::write(path, bytes).map_err(|e| failed(path, &e))
}

fn remove(path: &Path) -> Result<(), Error> {
    match fs::remove_file(path) {
        Err(e) if !matches!(e.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            Err(failed(path, &e))
        }
        _ => Ok(()),
    }
}

fn failed(path: &Path, error: &io::Error) -> Error {
    Error::failed(format!("{}: {}", path.display(), heap_base::error::plain(error)))
}

/// What was installed, and what the user's shell still needs.
fn advice(prefix: &Path) -> String {
    let mut text = format!(
        "installed {} programs, {} pages and completions in {}\n",
        TOOLS.len() + 1,
        PAGES.len(),
        prefix.display()
    );
    let bin = prefix.join("bin");
    let holds = |variable: &str, folder: &Path| {
        std::env::var_os(variable)
            .is_some_and(|list| std::env::split_paths(&list).any(|entry| entry == folder))
    };
    if !holds("PATH", &bin) {
        let _ = writeln!(
            text,
            "\nfor the programs, and for man, which looks beside them, into the profile of your shell:\n  export \
             PATH='{}':\"$PATH\"",
            bin.display()
        );
    }
    let share = prefix.join("share");
    let usual = ["/usr", "/usr/local"].iter().any(|usual| prefix == Path::new(usual))
        || std::env::var_os("HOME").is_some_and(|home| prefix == Path::new(&home).join(".local"));
    if !usual && !holds("XDG_DATA_DIRS", &share) {
        let _ = writeln!(
            text,
            "\nfor completions in bash and fish:\n  export \
             XDG_DATA_DIRS='{}':\"${{XDG_DATA_DIRS:-/usr/local/share:/usr/share}}\"",
            share.display()
        );
    }
    if prefix != Path::new("/usr") && prefix != Path::new("/usr/local") {
        let _ = writeln!(
            text,
            "\nfor completions in zsh, before compinit:\n  fpath=('{}' $fpath)",
            share.join("zsh/site-functions").display()
        );
    }
    text
}
