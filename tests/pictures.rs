//! The pictures of the README are those that heap-view draws now. `SNAPSHOTS=overwrite cargo test --test it` draws them
//! again.

use std::fs;

use crate::harness::{Scratch, root};

/// Pictures in `crates/heap-toolbox/pictures`, and the commands that draw them.
const PICTURES: [(&str, &str); 2] = [
    ("treemap.svg", "heap-view --svg treemap data/v8/leak-3.heapsnapshot.zst"),
    ("flame.svg", "heap-view --svg flame data/v8/leak-3.heapsnapshot.zst"),
];

#[test]
fn pictures_are_current() {
    let scratch = Scratch::new();
    for (name, command) in PICTURES {
        let drawn = scratch.run(command).quiet(0).out;
        let path = root().join("crates/heap-toolbox/pictures").join(name);
        if std::env::var("SNAPSHOTS").is_ok_and(|value| value == "overwrite") {
            fs::create_dir_all(path.parent().expect("a file has a folder")).expect("a folder");
            fs::write(&path, &drawn).expect("the picture is writable");
        }
        let kept = fs::read_to_string(&path).unwrap_or_default();
        assert!(
            kept == drawn,
            "{name} is not what {command} draws: SNAPSHOTS=overwrite cargo test --test it"
        );
    }
}
