//! Tests: cores of one small program under five versions of Node, cut and flipped; parts by themselves.

mod crew;
mod hostile;
mod kin;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod live;
mod mill;
mod parts;
mod shop;
mod yard;

use std::path::PathBuf;

use heap_base::{Blob, Dump};
use heap_record::testing::Recorder;
use heap_record::{SnapshotSelector, Wants};

/// The versions of Node that there are samples of, with their versions of V8.
const VERSIONS: [(&str, &str, &str); 5] = [
    ("18", "v18.20.8", "10.2.154.26-node.39"),
    ("20", "v20.20.2", "11.3.244.8-node.38"),
    ("22", "v22.23.3", "12.4.254.21-node.57"),
    ("24", "v24.21.0", "13.6.233.17-node.53"),
    ("26", "v26.10.0", "14.6.202.34-node.34"),
];

/// A core of the shop, unpacked.
fn sample(version: &str) -> Vec<u8> {
    sample_of("shop", version)
}

/// A core of a program under a version of Node, unpacked.
fn sample_of(program: &str, version: &str) -> Vec<u8> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/core");
    let path = folder.join(format!("{program}-node{version}.core.zst"));
    let packed = std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    zstd::decode_all(&packed[..]).expect("a zstd file")
}

fn dump(bytes: Vec<u8>) -> Dump {
    Blob::from_bytes(bytes).into()
}

fn record(bytes: Vec<u8>) -> Recorder {
    let dump = dump(bytes);
    Recorder::new(Wants::ALL).with(|sink| crate::read(&dump, SnapshotSelector::Last, sink))
}
