//! Every place that must name a format or a tool names it, and the pages name files that exist. CONTRIBUTING.md says what
//! to put into each place.

use std::collections::BTreeSet;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use heap_formats::targets::TARGETS;
use heap_formats::{FORMATS, HEAD, detect};

use crate::harness::root;

/// A text that a file of the repository must contain.
struct Place {
    file: String,
    text: String,
    /// What to add if it is missing.
    advice: String,
}

fn place(file: impl Into<String>, text: impl Into<String>, advice: impl Into<String>) -> Place {
    Place { file: file.into(), text: text.into(), advice: advice.into() }
}

/// A line for each place that lacks its text.
fn missing(places: impl IntoIterator<Item = Place>) -> Vec<String> {
    let lacks = |Place { file, text, advice }: Place| match fs::read_to_string(root().join(&file)) {
        Err(_) => Some(format!("{file} does not exist: {advice}")),
        Ok(found) if !found.contains(&text) => Some(format!("{file} lacks {text:?}: {advice}")),
        Ok(_) => None,
    };
    places.into_iter().filter_map(lacks).collect()
}

/// Places that must name the crate of a reader.
fn of_reader(name: &str) -> Vec<Place> {
    let module = name.replace('-', "_");
    vec![
        place("Cargo.toml", format!("\n{name} = {{ path = \"crates/{name}\""), "[workspace.dependencies]"),
        place("crates/heap-formats/Cargo.toml", format!("\n{name} = {{ workspace"), "[dependencies]"),
        place("crates/heap-formats/Cargo.toml", format!("[\"dep:{name}\"]"), "[features]"),
        place("crates/heap-formats/src/lib.rs", &module, "a row of FORMATS"),
        place("crates/fuzz/Cargo.toml", format!("\n{name}"), "[dependencies]"),
        place("crates/fuzz/src/targets.rs", format!("{module}::"), "a target that calls the reader"),
        place("crates/ARCHITECTURE.md", name, "the row of readers"),
    ]
}

/// Places that must name a format that can be read, by its name for `--format`.
fn of_format(name: &str) -> Vec<Place> {
    // The target for record streams tests more than a reader.
    let target = if name == "records" { "stream" } else { name };
    let mut places = vec![
        place("crates/fuzz/src/lib.rs", format!("(\"{target}\", targets::"), "a row of TARGETS"),
        place("crates/fuzz/run", format!(" {target} "), "the targets that are run by default"),
        place("README.md", format!("| `{name}`: "), "a row of the table of formats"),
    ];
    if name != "records" {
        let feature = format!("\n{name} = [\"heap-formats/{name}\"]");
        places.push(place("Cargo.toml", feature, "[features]"));
        places.push(place("crates/heap-formats/src/absent.rs", format!("(\"{name}\", |head|"), "a row"));
    }
    places
}

/// Places that must name a format that can be written, by its name for heap-to.
fn of_target(name: &str) -> Vec<Place> {
    vec![place("README.md", format!("`{name}`"), "the column heap-to of the table of formats")]
}

/// Places that must name a tool.
fn of_tool(name: &str) -> Vec<Place> {
    vec![
        place("Cargo.toml", format!("name = \"{name}\"\npath = \"bin/{name}.rs\""), "a table [[bin]]"),
        place(format!("man/{name}.1"), format!(".Nm {name}\n"), "SNAPSHOTS=overwrite cargo test makes one"),
        place(
            format!("tests/cli/{name}.t"),
            format!("{name} "),
            "a transcript; its output is renewed likewise",
        ),
        place("README.md", format!("\n| `{name}` | "), "a row of the table of tools"),
        place("bin/heap-tools/pages.rs", format!("\"{name}.1\""), "a line of the pages"),
        place("man/heap-tools.7", format!(".It Xr {name} 1\n"), "an entry of the list of tools"),
        place("man/heap-tools.7", format!(".Xr {name} 1 ,\n"), "SEE ALSO"),
    ]
}

#[track_caller]
fn expect_none(missing: &[String]) {
    assert!(missing.is_empty(), "see CONTRIBUTING.md:\n{}", missing.join("\n"));
}

/// Names in a folder of the repository in order, without what comes after the first dot.
fn names(folder: &str) -> Vec<String> {
    let entries = fs::read_dir(root().join(folder)).expect("a folder of the repository");
    let name = |entry: fs::DirEntry| entry.file_name().to_string_lossy().split('.').next().map(str::to_owned);
    let mut names: Vec<_> = entries.filter_map(|entry| name(entry.expect("an entry"))).collect();
    names.sort();
    names
}

/// All files below a folder of the repository, in no order.
pub(crate) fn files(folder: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten() {
            let path = entry.expect("an entry").path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files
}

/// The crates that read a format: those with a function `sniff`. The stream is read by heap-record itself.
fn readers() -> Vec<String> {
    let sniffs = |name: &String| {
        let sources = files(&format!("crates/{name}/src"));
        sources.iter().any(|path| fs::read_to_string(path).is_ok_and(|text| text.contains(" fn sniff(")))
    };
    names("crates").into_iter().filter(|name| name != "heap-record").filter(sniffs).collect()
}

#[test]
fn readers_are_listed() {
    let readers = readers();
    assert!(readers.len() > 5, "{readers:?}");
    expect_none(&missing(readers.iter().flat_map(|name| of_reader(name))));
}

#[test]
fn formats_are_listed() {
    let mut lacking = missing(FORMATS.iter().flat_map(|format| of_format(format.name)));
    // The page has what the option's table says; another test holds the two together.
    let page = fs::read_to_string(root().join("man/heap-cat.1")).expect("a page");
    let option = page.lines().find_map(|line| line.strip_prefix(".It Fl \\-format Ar ")).expect("--format");
    let offered: BTreeSet<String> = option.split('|').map(|name| name.replace("\\-", "-")).collect();
    let known: BTreeSet<String> = FORMATS.iter().map(|format| format.name.to_owned()).collect();
    for name in offered.symmetric_difference(&known) {
        lacking.push(format!(
            "crates/heap-cli/src/tool.rs: the value of --format and FORMATS differ by {name:?}; then renew transcripts"
        ));
    }
    for name in known.difference(&sampled()) {
        lacking.push(format!(
            "tests/data has no file of the format {name:?}: a small dump, and a line in its README.md"
        ));
    }
    expect_none(&lacking);
}

#[test]
fn targets_are_listed() {
    let mut lacking = missing(TARGETS.iter().flat_map(|target| of_target(target.name)));
    let page = fs::read_to_string(root().join("man/heap-to.1")).expect("a page");
    let sections = page.lines().filter_map(|line| line.strip_prefix(".Ss "));
    let described: Vec<_> = sections.flat_map(|names| names.split(" , ")).collect();
    for target in TARGETS.iter().filter(|target| !described.contains(&target.name)) {
        lacking.push(format!("man/heap-to.1 lacks \".Ss {}\": a subsection of DESCRIPTION", target.name));
    }
    expect_none(&lacking);
}

#[test]
fn tools_are_listed() {
    let tools: Vec<_> = names("bin").into_iter().filter(|name| name != "heap-tools").collect();
    assert!(tools.len() > 16, "{tools:?}");
    expect_none(&missing(tools.iter().flat_map(|name| of_tool(name))));
}

/// What nobody has listed is missing everywhere, and each line says where.
#[test]
fn forgotten_places_are_found() {
    let places = || {
        [of_reader("heap-none"), of_format("none"), of_target("none"), of_tool("heap-none")]
            .into_iter()
            .flatten()
    };
    let lacking = missing(places());
    assert_eq!(lacking.len(), places().count(), "{lacking:#?}");
    assert!(
        places()
            .zip(&lacking)
            .all(|(place, line)| line.starts_with(&place.file) && line.ends_with(&place.advice))
    );
}

/// The formats of the files in tests/data, apart from damaged ones.
fn sampled() -> BTreeSet<String> {
    let files = files("tests/data")
        .into_iter()
        .filter(|path| !path.components().any(|c| c.as_os_str() == "regressions"));
    files.filter_map(|path| detect(&head(&path))).map(|format| format.name.to_owned()).collect()
}

/// The first bytes of a file, unpacked.
fn head(path: &Path) -> Vec<u8> {
    let file = fs::File::open(path).expect("a sample");
    let mut bytes = Vec::new();
    let read = match path.extension().and_then(|end| end.to_str()) {
        Some("gz") => flate2::read::MultiGzDecoder::new(file).take(HEAD as u64).read_to_end(&mut bytes),
        Some("zst") => {
            zstd::Decoder::new(file).and_then(|file| file.take(HEAD as u64).read_to_end(&mut bytes))
        }
        _ => file.take(HEAD as u64).read_to_end(&mut bytes),
    };
    read.expect("a sound sample");
    bytes
}

/// Paths of the repository that a page shows as code. What has a placeholder in capitals or a pattern is left out.
fn paths(page: &str) -> impl Iterator<Item = PathBuf> + '_ {
    let code = page.split('`').skip(1).step_by(2).filter_map(|code| code.split([' ', ':', '#']).next());
    let ours = ["crates/", "bin/", "tests/", "man/", ".ci/"];
    let is_path = move |code: &&str| {
        ours.iter().any(|folder| code.starts_with(folder))
            && !code.contains(['*', '{'])
            && !code.contains("NAME")
    };
    code.filter(is_path).map(|code| root().join(code))
}

#[test]
fn pages_name_existing_files() {
    let mut count = 0;
    let mut lost = Vec::new();
    for file in [
        "CONTRIBUTING.md",
        "README.md",
        "SECURITY.md",
        "crates/ARCHITECTURE.md",
        "crates/DESIGN.md",
        "tests/README.md",
    ] {
        let page = fs::read_to_string(root().join(file)).expect("a page");
        for path in paths(&page) {
            count += 1;
            if !path.exists() {
                lost.push(format!("{file} names {}", path.strip_prefix(root()).expect("ours").display()));
            }
        }
    }
    assert!(count > 20, "only {count} paths found");
    assert!(lost.is_empty(), "no such file: {lost:#?}");
}
