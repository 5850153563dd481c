//! The one program that holds all tools: how it is called, what it installs and removes.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::harness::{Scratch, programs, root, tools};

/// Everything below a folder, by its path from there; links with where they lead.
fn tree(folder: &Path) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(open) = folders.pop() {
        for entry in fs::read_dir(open).into_iter().flatten() {
            let path = entry.expect("an entry").path();
            let name = path.strip_prefix(folder).expect("below").display().to_string();
            let link = fs::read_link(&path).map(|to| format!(" -> {}", to.display())).unwrap_or_default();
            if link.is_empty() && path.is_dir() {
                folders.push(path);
            }
            all.insert(name + &link);
        }
    }
    all
}

#[test]
fn it_is_every_tool_by_name() {
    let scratch = Scratch::new();
    let listed = scratch.run("heap-tools").quiet(0).out;
    for tool in tools() {
        let short = tool.strip_prefix("heap-").expect("a prefix");
        assert!(listed.lines().any(|line| line.starts_with(&format!("{tool} "))), "{tool}: {listed}");
        let version = scratch.run(&format!("{tool} --version")).quiet(0).out;
        for call in [short, tool.as_str()] {
            assert_eq!(scratch.run(&format!("heap-tools {call} --version")).quiet(0).out, version);
        }
        // The program of its name, where tests use links.
        let own = programs().join(&tool);
        assert!(!own.is_symlink(), "{tool}");
        assert_eq!(scratch.run(&format!("{} --version", own.display())).quiet(0).out, version);
    }
    let alone = scratch.run("heap-sum --json app.heapsnapshot").quiet(0).out;
    assert_eq!(scratch.run("heap-tools sum --json app.heapsnapshot").quiet(0).out, alone);
    let own = programs().join("heap-sum").display().to_string();
    assert_eq!(scratch.run(&format!("cat app.heapsnapshot | {own} --json")).quiet(0).out, alone);
    scratch.run(&format!("{own} nowhere")).complains(2, "heap-sum: ", "nowhere");
    scratch.run("heap-tools sum nowhere").complains(2, "heap-sum: ", "nowhere");
    scratch.run("heap-tools sums").complains(2, "heap-tools: no tool 'sums'; did you mean 'sum'?", "");
    scratch.run("heap-tools install more").complains(2, "heap-tools: ", "no further words");
}

/// The program of a tool is nothing without the one that holds it, and says so.
#[test]
fn a_tool_alone_says_what_it_lacks() {
    let scratch = Scratch::new();
    let own = programs().join("heap-sum");
    scratch.run(&format!("cp {} alone", own.display())).quiet(0);
    scratch.run("./alone app.heapsnapshot").complains(
        2,
        "heap-sum: this tool is a part of ",
        "/heap-tools, which",
    );
    // Through a link it is found all the same, and the name of the link does not matter.
    scratch.run(&format!("rm alone && ln -s {} alone", own.display())).quiet(0);
    assert_eq!(scratch.run("./alone --version").quiet(0).out, scratch.run("heap-sum --version").quiet(0).out);
}

#[test]
fn it_installs_all_and_removes_exactly_that() {
    let scratch = Scratch::new();
    let prefix = scratch.path("here");
    scratch.run("heap-tools install --prefix here").quiet(0);
    let installed = tree(&prefix);
    let mut expected = 0;
    for entry in fs::read_dir(root().join("man")).expect("the pages") {
        let name = entry.expect("an entry").file_name().into_string().expect("a name");
        let section = name.rsplit('.').next().expect("a section");
        assert!(installed.contains(&format!("share/man/man{section}/{name}")), "no page {name}");
        expected += 1;
    }
    assert_eq!(
        installed.iter().filter(|name| name.starts_with("share/man/man") && name.len() > 14).count(),
        expected
    );
    for tool in tools() {
        assert!(installed.contains(&format!("bin/{tool} -> heap-tools")), "{tool}");
        for place in [
            format!("bash-completion/completions/{tool}"),
            format!("zsh/site-functions/_{tool}"),
            format!("fish/vendor_completions.d/{tool}.fish"),
        ] {
            assert!(installed.contains(&format!("share/{place}")), "{place}");
        }
        let version = scratch.run(&format!("{tool} --version")).quiet(0).out;
        assert_eq!(scratch.run(&format!("here/bin/{tool} --version")).quiet(0).out, version);
    }
    // Again over itself, by the installed program, which stays on the list.
    scratch.run("here/bin/heap-tools install --prefix here").quiet(0);
    assert_eq!(tree(&prefix), installed);
    scratch.write("here/share/man/man1/other.1", "of somebody else");
    scratch.run("here/bin/heap-tools uninstall --prefix here").quiet(0);
    assert_eq!(
        tree(&prefix),
        ["share", "share/man", "share/man/man1", "share/man/man1/other.1"].map(str::to_owned).into()
    );
    scratch.run("heap-tools uninstall --prefix here").complains(
        2,
        "heap-tools: nothing is installed in ",
        "here",
    );
    // A folder that was there stays, one that was made goes.
    fs::create_dir(scratch.path("empty")).expect("a folder");
    scratch.run("heap-tools install --prefix empty && heap-tools uninstall --prefix empty").quiet(0);
    assert!(tree(&scratch.path("empty")).is_empty());
    // So do the folders above it that were made, also after a second installation; not what somebody put there.
    scratch.run("heap-tools install --prefix new/er/est && heap-tools install --prefix new/er/est").quiet(0);
    scratch.run("heap-tools uninstall --prefix new/er/est").quiet(0);
    assert!(!scratch.path("new").exists());
    scratch.run("heap-tools install --prefix new/er && mkdir new/other").quiet(0);
    scratch.run("heap-tools uninstall --prefix new/er").quiet(0);
    assert_eq!(tree(&scratch.path("new")), ["other".to_owned()].into());
}

#[test]
fn it_leaves_files_of_others_alone() {
    let scratch = Scratch::new();
    fs::create_dir_all(scratch.path("there/bin")).expect("a folder");
    scratch.write("there/bin/heap-sum", "of somebody else");
    let before = tree(&scratch.path("there"));
    scratch.run("heap-tools install --prefix there").complains(
        2,
        "heap-tools: ",
        "there/bin/heap-sum is there",
    );
    assert_eq!(tree(&scratch.path("there")), before);
    // What somebody put where an installed file was.
    scratch.run("heap-tools install --prefix later").quiet(0);
    let of_others = ["later/bin/heap-top", "later/share/man/man1/heap-sum.1"];
    for place in of_others {
        fs::remove_file(scratch.path(place)).expect("it was installed");
        scratch.write(place, "of somebody else");
    }
    let before = tree(&scratch.path("later"));
    scratch.run("heap-tools install --prefix later").complains(
        2,
        "heap-tools: ",
        "later/bin/heap-top is there",
    );
    assert_eq!(tree(&scratch.path("later")), before);
    let removed = scratch.run("heap-tools uninstall --prefix later").quiet(0).out;
    for place in of_others {
        assert!(removed.contains(&format!("{place}, which is not what was installed")), "{removed}");
        assert_eq!(fs::read_to_string(scratch.path(place)).ok().as_deref(), Some("of somebody else"));
    }
    assert_eq!(
        tree(&scratch.path("later")).iter().filter(|of| of.contains("heap-")).count(),
        of_others.len()
    );
    // A list that somebody changed.
    scratch.write("precious", "mine");
    scratch.run("heap-tools install --prefix here").quiet(0);
    for place in ["../precious", "/etc/hostname", "bin/../../precious"] {
        let list = format!("bin/heap-sum\n{place}\n");
        scratch.write("here/share/heap-tools/installed", list);
        let before = tree(&scratch.path("here"));
        for verb in ["install", "uninstall"] {
            let run = scratch.run(&format!("heap-tools {verb} --prefix here"));
            run.complains(2, "heap-tools: ", "not below the prefix: nothing is changed");
        }
        assert_eq!(tree(&scratch.path("here")), before);
    }
    assert!(scratch.path("precious").exists());
}

#[test]
fn completions_offer_the_tools() {
    let scratch = Scratch::new();
    scratch.run("heap-tools install --prefix here").quiet(0);
    let offered = scratch.run(
        ". here/share/bash-completion/completions/heap-tools; COMP_WORDS=(heap-tools s) COMP_CWORD=1; _heap_tools; echo ${COMPREPLY[*]}",
    );
    assert_eq!(offered.quiet(0).out, "show strings sum suspects\n");
}
