//! What one system has and others have not stands in a few modules, each with a plain one beside it. The rest compiles
//! anywhere; `tests/targets.sh` has the compiler look.

use std::fs;

use crate::contributing::files;
use crate::harness::root;

/// The modules that may ask, and where their plain twin is.
const MODULES: &[(&str, &str)] = &[
    ("bin/heap-tools/sys.rs", "bin/heap-tools/sys.rs"),
    ("crates/heap-base/src/sys/", "crates/heap-base/src/sys/plain.rs"),
    ("crates/heap-cli/src/sys.rs", "crates/heap-cli/src/sys.rs"),
    ("crates/heap-core/src/live/", "crates/heap-core/src/no_live.rs"),
    ("crates/heap-live/src/linux/", "crates/heap-live/src/plain.rs"),
    ("crates/heap-spool/src/sys/", "crates/heap-spool/src/sys/plain.rs"),
    ("crates/heap-start/src/sys.rs", "crates/heap-start/src/sys.rs"),
];

/// What only some systems have.
const WORDS: &[&str] =
    &["std::os::", "rustix::", "nix::", "libc::", "signal_hook::", "\"/proc", "cfg!(unix", "cfg!(target_os"];

/// Lines of a file outside of its tests that name what only some systems have.
fn asks(text: &str) -> Vec<&str> {
    let lines = text.lines().take_while(|line| *line != "#[cfg(test)]");
    lines.filter(|line| WORDS.iter().any(|word| line.contains(word))).collect()
}

#[test]
fn only_few_modules_ask_which_system_it_is() {
    let mut wrong = Vec::new();
    let mut found = vec![false; MODULES.len()];
    for file in files("bin").into_iter().chain(files("crates")) {
        let name = file.strip_prefix(root()).expect("below the root").to_string_lossy().into_owned();
        let product = name.starts_with("bin/") || name.contains("/src/");
        let test =
            name.contains("/tests/") || name.ends_with("/tests.rs") || name.starts_with("crates/fuzz/");
        if file.extension().is_none_or(|end| end != "rs") || !product || test {
            continue;
        }
        let text = fs::read_to_string(&file).expect("a source file");
        if let Some(at) = MODULES.iter().position(|(module, _)| name.starts_with(module)) {
            found[at] |= !asks(&text).is_empty();
        } else {
            wrong.extend(asks(&text).iter().map(|line| format!("{name}: {}", line.trim())));
        }
    }
    let list = MODULES.iter().map(|(module, _)| *module).collect::<Vec<_>>().join(", ");
    assert!(wrong.is_empty(), "this belongs into one of {list}:\n{}", wrong.join("\n"));
    for ((module, plain), found) in MODULES.iter().zip(found) {
        assert!(found, "{module} asks for nothing any more: take it off the list");
        assert!(root().join(plain).is_file(), "{module} has no plain alternative: {plain}");
        let one_file = module == plain;
        let text = fs::read_to_string(root().join(plain)).expect("a source file");
        assert!(!one_file || text.contains("#[cfg(not(unix))]"), "{module} has no plain alternative");
    }
}
