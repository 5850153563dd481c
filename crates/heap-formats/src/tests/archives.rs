//! Zip archives, and what is packed inside of archives.

use std::io::Write;

use super::{V8, file, gzip, pipe, read, records, whole, wrong, zstd};
use crate::{Options, open};

/// How a file stands in an archive.
#[derive(Clone, Copy, Debug)]
enum How {
    Stored,
    Deflated,
    /// Lengths of 64 bits before it.
    Wide,
    /// Lengths behind it: with a mark before them, with 64 bits.
    Streamed(bool, bool),
    /// As it is, with this method and these flags.
    Other(u16, u16),
}

const ALL: [How; 7] = [
    How::Stored,
    How::Deflated,
    How::Wide,
    How::Streamed(true, false),
    How::Streamed(false, false),
    How::Streamed(true, true),
    How::Streamed(false, true),
];

/// Name, bytes, and how they stand in an archive.
type File<'a> = (&'a str, &'a [u8], How);

/// A zip archive of files by their names.
fn zip(files: &[File<'_>]) -> Vec<u8> {
    let mut archive = Vec::new();
    for &(name, bytes, how) in files {
        let mut deflated = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::default());
        deflated.write_all(bytes).expect("memory");
        let (method, flags, body) = match how {
            How::Stored => (0, 0, bytes.to_vec()),
            How::Other(method, flags) => (method, flags, bytes.to_vec()),
            How::Deflated | How::Wide => (8, 0, deflated.finish().expect("memory")),
            How::Streamed(..) => (8, 8, deflated.finish().expect("memory")),
        };
        let mut crc = flate2::Crc::new();
        crc.update(bytes);
        let lengths = [body.len(), bytes.len()].map(|len| len as u32);
        let wide = [lengths[1], lengths[0]].map(|len| u64::from(len).to_le_bytes()).concat();
        let extra = match how {
            // Another field is before it.
            How::Wide => [&[9, 9, 2, 0, 7, 7, 1, 0, 16, 0][..], &wide].concat(),
            _ => Vec::new(),
        };
        let sums = match how {
            How::Streamed(..) => [0; 3],
            How::Wide => [crc.sum(), u32::MAX, u32::MAX],
            _ => [crc.sum(), lengths[0], lengths[1]],
        };
        archive.extend_from_slice(b"PK\x03\x04\x14\0");
        for short in [flags, method, 0, 0] {
            archive.extend_from_slice(&short.to_le_bytes());
        }
        for long in sums {
            archive.extend_from_slice(&long.to_le_bytes());
        }
        for len in [name.len(), extra.len()] {
            archive.extend_from_slice(&(len as u16).to_le_bytes());
        }
        archive.extend_from_slice(&[name.as_bytes(), &extra, &body].concat());
        if let How::Streamed(marked, wide) = how {
            archive.extend_from_slice(if marked { b"PK\x07\x08" } else { b"" });
            archive.extend_from_slice(&crc.sum().to_le_bytes());
            for len in lengths {
                archive.extend_from_slice(&len.to_le_bytes());
                archive.extend_from_slice(if wide { &[0; 4] } else { &[] });
            }
        }
    }
    archive.extend_from_slice(b"PK\x05\x06");
    archive.resize(archive.len() + 18, 0);
    archive
}

#[test]
fn the_first_dump_of_a_zip_archive_is_read() {
    let options = Options::default();
    for plain in [records(50), V8.to_owned()] {
        let dump = plain.as_bytes();
        let (_dir, path) = file(dump);
        let expected = whole(open(&path, &options));
        for how in ALL {
            for archive in [
                zip(&[("app", dump, how)]),
                zip(&[
                    ("app/", b"", how),
                    ("app/README", b"{\"no\"", how),
                    ("app/dump", dump, how),
                    ("x", b"x", how),
                ]),
                zip(&[("lib.jar", &zip(&[("A.class", b"x", how)]), how), ("dump", dump, how)]),
                zip(&[("log.gz", &gzip(b"no dump"), how), ("dump.gz", &gzip(dump), how)]),
                zip(&[("dump.zst", &zstd(dump), how)]),
                gzip(&zip(&[("dump", dump, how)])),
            ] {
                let (_dir, path) = file(&archive);
                assert_eq!(whole(open(&path, &options)), expected, "{how:?}");
                for step in [1, 1000] {
                    assert_eq!(whole(pipe(&archive, step, &options)), expected, "{how:?} {step}");
                }
            }
        }
    }
}

#[test]
fn what_a_zip_archive_lacks_is_said() {
    let (options, dump) = (Options::default(), records(50));
    let dump = dump.as_bytes();
    for how in ALL {
        let archive = zip(&[("1", dump, how), ("2", b"no", how), ("3", dump, how)]);
        let (text, error) = read(pipe(&archive, 1000, &options));
        assert_eq!(text.matches("\"node\"").count(), 50, "{text}");
        assert!(
            error.is_some_and(
                |e| e.ends_with("another dump comes behind the first one, which alone is read: 3")
            )
        );
        // Cut anywhere, changed anywhere: an error, or what was there.
        let few = records(4);
        let archive = zip(&[("1", few.as_bytes(), how)]);
        let names = archive.len() - 22;
        for end in 0..names + 4 {
            assert!(read(pipe(&archive[..end], usize::MAX, &options)).1.is_some(), "{how:?} cut at {end}");
        }
        for at in 0..names {
            let mut archive = archive.clone();
            archive[at] ^= 0x55;
            let (text, error) = read(pipe(&archive, usize::MAX, &options));
            assert!(error.is_some() || text.contains("nodes=4 "), "{how:?} changed at {at}");
        }
    }
    let cut = &zip(&[("1", dump, How::Deflated)])[..300];
    assert_eq!(wrong(pipe(cut, 1000, &Options::default())), "zip data ends early, after 300 bytes");
    let more = |name| (name, &b"x"[..], How::Deflated);
    let cases: [(&[File<'_>], &str); 7] = [
        (&[], "an empty zip archive"),
        (&[("a/", b"", How::Stored)], "the zip archive is empty"),
        (&[more("a/b"), more("c\nd")], "a zip archive of a/b, c\\nd: no dump that is known"),
        (&["a", "b", "c", "d", "e"].map(more), "a zip archive of a, b, c and 2 more: no dump that is known"),
        (&[("a", dump, How::Other(0, 1))], "a zip archive of a: encrypted: unpack it first"),
        (&[("a", dump, How::Other(0, 9))], "a zip archive of a: encrypted: unpack it first"),
        (
            &[("a", dump, How::Other(9, 0))],
            "a zip archive of a: packed in another way than deflate: unpack it first",
        ),
    ];
    for (files, what) in cases {
        let error = wrong(pipe(&zip(files), 1000, &options));
        assert!(error.ends_with(what), "{error}, not {what}");
    }
    // What can be read is, whatever else there is.
    let both =
        zip(&[("a", dump, How::Other(9, 0)), ("b", dump, How::Deflated), ("c", dump, How::Other(99, 1))]);
    assert_eq!(read(pipe(&both, 1000, &options)).1, None);
}
