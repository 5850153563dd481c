//! What systems do differently. Where Unix has a call of its own, others have a plain one.
//!
//! `tests/systems.rs` lists the few modules of this kind; nothing else asks which system it runs on.

#[cfg(any(not(unix), test))]
#[cfg_attr(unix, expect(unreachable_pub, reason = "compiled for its tests alone"))]
mod plain;
#[cfg(unix)]
mod unix;

use std::fs::File;
use std::io;

#[cfg(not(unix))]
pub use plain::{
    duplicate, for_owner, free_disk, free_memory, group_room, identity, link_to_open, mode, os_string,
    read_at, set_mode, write_all_at,
};
#[cfg(unix)]
pub use unix::{
    duplicate, for_owner, free_disk, free_memory, group_room, identity, link_to_open, mode, os_string,
    read_at, set_mode, write_all_at,
};

/// Reads exactly as much as fits, from `offset` on.
///
/// # Errors
/// The file ends before, or cannot be read.
pub fn read_exact_at(file: &File, mut buf: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !buf.is_empty() {
        match read_at(file, buf, offset) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(n) => {
                buf = &mut buf[n..];
                offset += n as u64;
            }
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok(())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that fails panics")]
mod tests {
    use std::io::{Read as _, Seek as _, Write as _};

    use super::*;

    #[test]
    fn the_plain_calls_do_what_those_of_unix_do() {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(b"0123456789").unwrap();
        file.seek(io::SeekFrom::Start(2)).unwrap();
        plain::write_all_at(&file, b"xyz", 5).unwrap();
        let mut piece = [0; 4];
        assert_eq!((plain::read_at(&file, &mut piece, 4).unwrap(), &piece), (4, b"4xyz"));
        assert_eq!(plain::read_at(&file, &mut piece, 8).unwrap(), 2);
        read_exact_at(&file, &mut piece, 5).unwrap();
        assert_eq!(&piece, b"xyz8");
        assert_eq!(read_exact_at(&file, &mut piece, 7).unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
        // What reads in order goes on where it was.
        let mut rest = String::new();
        file.read_to_string(&mut rest).unwrap();
        assert_eq!(rest, "234xyz89");
        let meta = file.metadata().unwrap();
        assert_eq!((plain::identity(&meta), plain::mode(&meta)), (None, 0o666));
        assert_eq!(plain::link_to_open(&file), None);
        plain::set_mode(&file, 0o600).unwrap();
        assert_eq!(plain::os_string("a\u{e9}".into()), os_string("a\u{e9}".into()));
        let folder = std::env::temp_dir();
        let unknown = [plain::free_memory(), plain::group_room("0::/", &folder), plain::free_disk(&folder)];
        assert_eq!((unknown, group_room("0::/", &folder)), ([None; 3], None));
        assert!(free_memory().is_none_or(|bytes| bytes > 1 << 20) && free_disk(&folder) != Some(0));
        let beside = tempfile::NamedTempFile::new().unwrap();
        let mut options = std::fs::OpenOptions::new();
        assert!(plain::for_owner(options.read(true)).open(beside.path()).is_ok());
    }
}
