//! Says which commit a release build is of, where it is built from a repository.

use std::path::Path;
use std::process::Command;

/// What git answers, without white space around it.
fn git(words: &[&str]) -> Option<String> {
    let output = Command::new("git").args(words).output().ok().filter(|output| output.status.success())?;
    let text = String::from_utf8(output.stdout).ok()?;
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}

fn main() {
    println!("cargo::rerun-if-changed=bin/heap-tools/build.rs");
    // A package from a registry may lie in somebody's repository. While a program is being worked on nobody asks, and it
    // would be linked anew for each commit.
    let released = std::env::var("PROFILE").is_ok_and(|profile| profile == "release");
    if !released || !Path::new(".git").exists() {
        return;
    }
    if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"]).filter(|log| Path::new(log).exists()) {
        println!("cargo::rerun-if-changed={log}");
    }
    if let Some(commit) = git(&["log", "-1", "--format=%h %cs", "--abbrev=10"]) {
        println!("cargo::rustc-env=HEAP_TOOLS_COMMIT={commit}");
    }
}
