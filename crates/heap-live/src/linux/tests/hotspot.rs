//! JVMs that answer at a socket.

use std::fs::{self, OpenOptions};
use std::io::{Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use super::super::guard::Guard;
use super::super::hotspot::{Jvm, release, with_guard};
use super::super::process::Process;
use crate::tests::{Said, idle_guard, options};
use crate::{Clock, Options};

const HELP: &str = "GC.heap_dump\nOptions:\n  -all : [optional]\n  -overwrite : [optional]\n";

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
    taken(HELP, all, &Options { all: true, ..options() }).expect("a dump");
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
fn a_jvm_that_cannot_write_to_pipes_is_not_asked() {
    let says = taken("Options:\n -all\n", |_, _| panic!("not asked"), &options()).expect_err("refused");
    assert!(says.contains("cannot dump into a pipe"), "{says}");
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
