//! JVMs that answer at a socket.

use std::fs::{self, OpenOptions};
use std::io::{Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use super::super::guard::Guard;
use super::super::hotspot::{Jvm, release, used, with_guard};
use super::super::process::Process;
use crate::tests::{Said, idle_guard, options};
use crate::{Clock, Java, Options};

const HELP: &str = "GC.heap_dump\nOptions:\n  -all : [optional]\n  -overwrite : [optional]\n";
const LATER: &str = "Options:\n  -all\n  -gz\n  -overwrite\n  -parallel\n";

/// What comes of the request for a dump: writes to the pipe, gives the answer.
type Dump = fn(&Path, &str) -> String;

fn write(path: &Path, bytes: &[u8]) {
    let mut pipe = OpenOptions::new().write(true).open(path).expect("the pipe");
    // The reader may be gone.
    let _ = pipe.write_all(bytes);
}

/// The folder of a JVM, which answers until the test ends.
fn jvm(help: &'static str, dump: Dump) -> (tempfile::TempDir, Jvm) {
    let folder = tempfile::tempdir().expect("a folder");
    let own = folder.path().join("12");
    let root = own.join("root");
    fs::create_dir_all(root.join("tmp")).expect("a folder");
    let uid = rustix::process::geteuid().as_raw();
    let status = format!("Name:\tjava\nState:\tS\nUid:\t{uid}\nGid:\t0\nNSpid:\t12\t7\nSigCgt:\t4\n");
    fs::write(own.join("status"), status).expect("a file");
    let listener = UnixListener::bind(root.join("tmp/.java_pid7")).expect("a socket");
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let Some(command) = request(&mut stream) else { continue };
            let answer = match command.split(' ').next() {
                Some("VM.version") => "0\nOpenJDK 64-Bit Server VM version 17.0.1+1\nJDK 17.0.1\n".to_owned(),
                Some("help") => format!("0\n{help}"),
                Some("GC.heap_info") if help.contains("huge") => "0\n ZHeap  used 9999999999G\n".to_owned(),
                Some("GC.heap_info") => "0\n garbage-first heap   total 9K, used 3K [0x1, 0x2)\n".to_owned(),
                Some("GC.heap_dump") => {
                    let path: PathBuf =
                        root.join(command.rsplit(' ').next().expect("a path").trim_start_matches('/'));
                    dump(&path, &command)
                }
                _ => panic!("{command}"),
            };
            let _ = stream.write_all(answer.as_bytes());
        }
    });
    (folder, Jvm::new(Process::below(own.parent().expect("a folder"), 12)).expect("a JVM"))
}

/// Reads a request of version 1: a command and three arguments, each with its end. Who only looks whether we are there sends
/// none.
fn request(stream: &mut UnixStream) -> Option<String> {
    let mut bytes = Vec::new();
    while memchr::memchr_iter(0, &bytes).count() < 5 {
        let mut byte = [0];
        if stream.read_exact(&mut byte).is_err() {
            assert!(bytes.is_empty(), "a JVM would wait for the rest");
            return None;
        }
        bytes.push(byte[0]);
    }
    let parts: Vec<_> = bytes.split(|&byte| byte == 0).map(String::from_utf8_lossy).collect();
    assert_eq!((&*parts[0], &*parts[1], &*parts[3], &*parts[4]), ("1", "jcmd", "", ""));
    Some(parts[2].clone().into_owned())
}

fn taken(help: &'static str, dump: Dump, options: &Options<'_>) -> Result<(String, Vec<u8>), String> {
    let (folder, jvm) = jvm(help, dump);
    let mut guard = Guard::start(idle_guard(), 12).expect("a guard");
    let mut said = Said::default();
    let mut out = Vec::new();
    let handle = fs::File::open("/dev/null").expect("a file");
    let clock = &mut Clock::new(Some(Duration::from_secs(5)), &mut said);
    let result = with_guard(&jvm, &handle, &mut guard, options, clock, &mut out);
    guard.finish();
    let mut left = fs::read_dir(folder.path().join("12/root/tmp")).expect("a folder").flatten();
    let left = left.find(|entry| entry.file_name().to_string_lossy().starts_with("heap-dump."));
    if let Some(left) = left {
        assert!(release(&left.path()) && !left.path().exists());
    }
    result.map(|version| (version, out)).map_err(|e| e.to_string())
}

fn java(java: Java) -> Options<'static> {
    Options { java, ..options() }
}

fn sound(path: &Path, command: &str) -> String {
    assert!(command.starts_with("GC.heap_dump -overwrite /tmp/heap-dump."), "{command}");
    // In two goes: later JVMs close the pipe in between.
    write(path, &vec![1; 700_000]);
    thread::sleep(Duration::from_millis(20));
    write(path, &vec![2; 2_000_000]);
    "0\nDumping heap to x ...\nHeap dump file created [2700000 bytes in 0.1 secs]\n".to_owned()
}

fn all(path: &Path, command: &str) -> String {
    assert!(command.contains(" -all "), "{command}");
    write(path, b"x");
    "0\nHeap dump file created [1 bytes in 0.1 secs]\n".to_owned()
}

#[test]
fn a_dump_comes_through_a_pipe() {
    let (version, out) = taken(HELP, sound, &options()).expect("a dump");
    assert_eq!(version, "JDK 17.0.1");
    assert!(out.len() == 2_700_000 && out[699_999] == 1 && out[700_000] == 2);
    taken(HELP, all, &java(Java { all: true, ..Java::default() })).expect("a dump");
}

#[test]
fn status_zero_is_no_success() {
    let says = |dump: Dump| taken(HELP, dump, &options()).expect_err("no dump");
    assert_eq!(
        says(|_, _| "0\nDumping heap to x ...\nUnable to create /tmp/x: File exists\n".to_owned()),
        "process 12 (java): Unable to create /tmp/x: File exists"
    );
    assert_eq!(
        says(|path, _| {
            write(path, b"half");
            "0\nDumping heap to x ...\nDump file is incomplete: No space left on device\n".to_owned()
        }),
        "process 12 (java): Dump file is incomplete: No space left on device"
    );
    assert_eq!(
        says(|path, _| {
            write(path, b"half");
            "0\nHeap dump file created [9 bytes in 0.1 secs]\n".to_owned()
        }),
        "process 12 (java): 4 bytes of 9 have come"
    );
    let unknown = "-1\njava.lang.IllegalArgumentException: Unknown diagnostic command\n";
    assert_eq!(
        says(|_, _| unknown_command()),
        format!("process 12 (java): {}", unknown.lines().nth(1).expect("a line"))
    );
    assert!(says(|_, _| "101\n".to_owned()).contains("another version of the protocol"));
    assert!(says(|_, _| String::new()).contains("without an answer"));
    assert!(says(|_, _| "0\n".to_owned()).contains("it wrote no dump"));
}

fn unknown_command() -> String {
    "-1\njava.lang.IllegalArgumentException: Unknown diagnostic command\n".to_owned()
}

#[test]
fn a_jvm_that_cannot_write_to_pipes_writes_a_file() {
    const OLD: &str = "Options:\n -all\n";
    fn file(path: &Path, command: &str) -> String {
        assert!(command.starts_with("GC.heap_dump -all /tmp/heap-dump.") && !path.exists(), "{command}");
        fs::write(path, vec![3; 3_000_000]).expect("a file");
        "0\nHeap dump file created\n".to_owned()
    }
    let all = java(Java { all: true, ..Java::default() });
    let (_, out) = taken(OLD, file, &all).expect("a dump");
    assert!(out == vec![3; 3_000_000]);
    let says = |dump: Dump| taken(OLD, dump, &options()).expect_err("no dump");
    assert_eq!(
        says(|_, _| "0\nUnable to create /tmp/x: No space left on device\n".to_owned()),
        "process 12 (java): Unable to create /tmp/x: No space left on device"
    );
    assert_eq!(
        says(|path, _| {
            fs::write(path, "half").expect("a file");
            "0\nHeap dump file created [9 bytes in 0.1 secs]\n".to_owned()
        }),
        "process 12 (java): 4 bytes of 9 have come"
    );
    // What it says is there has to be there, and no link that leads elsewhere.
    assert!(says(|_, _| "0\nHeap dump file created\n".to_owned()).contains("Heap dump file created"));
    assert!(
        says(|path, _| {
            std::os::unix::fs::symlink("/etc/passwd", path).expect("a link");
            "0\nHeap dump file created\n".to_owned()
        })
        .contains("Heap dump file created")
    );
}

#[test]
fn what_only_later_ones_can_is_refused_or_asked_for() {
    fn packed(path: &Path, command: &str) -> String {
        assert!(
            command.starts_with("GC.heap_dump -overwrite -gz=1 -parallel=3 /tmp/heap-dump."),
            "{command}"
        );
        write(path, b"packed");
        "0\nHeap dump file created [6 bytes in 0.1 secs]\n".to_owned()
    }
    let gzip = java(Java { gzip: true, ..Java::default() });
    let both = java(Java { gzip: true, parallel: Some(3), ..Java::default() });
    assert_eq!(taken(LATER, packed, &both).expect("a dump").1, b"packed");
    let says = |options: &Options<'_>| taken(HELP, |_, _| panic!("not asked"), options).expect_err("refused");
    assert_eq!(says(&gzip), "process 12 (java): its dumps know no -gz, as those of Java 17 do");
    let parallel = java(Java { parallel: Some(2), ..Java::default() });
    assert_eq!(says(&parallel), "process 12 (java): its dumps know no -parallel, as those of Java 25 do");
}

#[test]
fn a_dump_needs_room_for_its_parts() {
    // A heap of more than any disk has.
    fn request(path: &Path, _: &str) -> String {
        write(path, b"x");
        "0\nHeap dump file created [1 bytes in 0.1 secs]\n".to_owned()
    }
    const HUGE: &str = "Options:\n  -gz\n  -overwrite\n  -parallel\n  of a huge heap\n";
    let says = taken(HUGE, |_, _| panic!("not asked"), &options()).expect_err("refused");
    assert!(
        says.contains("first, where ") && says.ends_with(" MB that it may need; --gzip needs less"),
        "{says}"
    );
    let gzip = java(Java { gzip: true, ..Java::default() });
    assert_eq!(taken(HUGE, request, &gzip).expect("a dump").1, b"x");
}

#[test]
fn where_tmp_cannot_be_written_to_its_own_folder_serves() {
    let (folder, jvm) = jvm(HELP, |_, _| panic!("not asked"));
    let own = folder.path().join("12");
    fs::create_dir(own.join("cwd")).expect("a folder");
    fs::rename(own.join("root/tmp"), own.join("root/tmp-before")).expect("a name");
    let mut guard = Guard::start(idle_guard(), 12).expect("a guard");
    let (made, its) = jvm.folder(0, &mut guard).expect("a folder");
    assert_eq!((made.parent(), made.is_dir()), (Some(&*own.join("cwd")), true));
    assert_eq!(made.file_name().map(|name| name.to_string_lossy().into_owned()), Some(its));
    guard.finish();
}

#[test]
fn a_heap_says_how_much_it_uses() {
    let g1 = " garbage-first heap   total 262144K, used 51200K [0x00000000f0000000, 0x0000000100000000)\n  region size \
              1024K, 3 young (3072K), 1 survivors (1024K)\n Metaspace       used 170K, committed 384K, reserved 1114112K\n";
    assert_eq!(used(g1), 51_200 << 10);
    let parallel = " PSYoungGen      total 76288K, used 1310K [0x1, 0x2)\n  eden space 65536K, 2% used [0x1,0x2)\n \
                    ParOldGen       total 175104K, used 7K [0x1, 0x2)\n Metaspace       used 1K\n";
    assert_eq!(used(parallel), 1_317 << 10);
    assert_eq!(
        used(" ZHeap           used 68M, capacity 256M, max capacity 4096M\n Metaspace used 1K"),
        68 << 20
    );
    assert_eq!((used(""), used("used 1"), used("used 99999999999999999999G")), (0, 0, 0));
}

#[test]
fn a_socket_that_nobody_listens_at_is_removed() {
    let folder = tempfile::tempdir().expect("a folder");
    let own = folder.path().join("12");
    fs::create_dir_all(own.join("root/tmp")).expect("a folder");
    let uid = rustix::process::geteuid().as_raw();
    // Without the handler that keeps it alive it gets no signal.
    fs::write(own.join("status"), format!("Name:\tjava\nState:\tS\nUid:\t{uid}\nGid:\t0\nSigCgt:\t0\n"))
        .expect("a file");
    let socket = own.join("root/tmp/.java_pid12");
    drop(UnixListener::bind(&socket).expect("a socket"));
    let jvm = Jvm::new(Process::below(folder.path(), 12)).expect("a JVM");
    let mut said = Said::default();
    let mut guard = Guard::start(idle_guard(), 12).expect("a guard");
    let handle = fs::File::open("/dev/null").expect("a file");
    let clock = &mut Clock::new(None, &mut said);
    let says =
        with_guard(&jvm, &handle, &mut guard, &options(), clock, &mut Vec::new()).expect_err("refused");
    assert!(says.to_string().contains("no handler for SIGQUIT, which would kill it"), "{says}");
    assert!(!socket.exists());
    fs::write(own.join("cmdline"), b"java\0-XX:+DisableAttachMechanism\0").expect("a file");
    let clock = &mut Clock::new(None, &mut said);
    let says =
        with_guard(&jvm, &handle, &mut guard, &options(), clock, &mut Vec::new()).expect_err("refused");
    assert!(says.to_string().contains("-XX:+DisableAttachMechanism"), "{says}");
}

#[test]
fn who_waits_for_a_reader_of_the_pipe_is_let_go() {
    let folder = tempfile::tempdir().expect("a folder");
    let own = folder.path().join("heap-dump.0");
    fs::create_dir(&own).expect("a folder");
    let pipe = own.join("dump");
    rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, rustix::fs::Mode::from_raw_mode(0o600)).expect("a pipe");
    let writer = thread::spawn(move || {
        let mut pipe = OpenOptions::new().write(true).open(pipe).expect("somebody reads");
        while pipe.write_all(&[0; 8192]).is_ok() {}
    });
    thread::sleep(Duration::from_millis(50));
    assert!(release(&own) && !own.exists());
    writer.join().expect("it goes on");
}
