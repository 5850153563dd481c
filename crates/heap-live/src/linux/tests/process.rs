//! Folders like `/proc`.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use super::super::elf::Names;
use super::super::guard::{Task, is_locked};
use super::super::process::Process;
use crate::Vm;
use crate::tests::Said;

/// Makes the folder of a process.
fn process(proc: &Path, status: &str, maps: &str) -> Process {
    let folder = proc.join("12");
    fs::create_dir_all(folder.join("fd")).expect("a folder");
    fs::create_dir_all(folder.join("net")).expect("a folder");
    fs::write(folder.join("status"), status).expect("a file");
    fs::write(folder.join("maps"), maps).expect("a file");
    Process::below(proc, 12)
}

const STATUS: &str = "Name:\tmyapp\nState:\tS (sleeping)\nUid:\t0\t0\t0\t0\nGid:\t7\t7\t7\t7\nNSpid:\t12\t1\n\
                      VmRSS:\t  2048 kB\nSigCgt:\t0000000100004602\n";

/// An executable with these dynamic symbols and this section.
fn elf(symbols: &str, section: &str) -> Vec<u8> {
    let names = format!("\0{section}\0");
    let symbols = format!("\0{symbols}\0");
    let mut file = vec![0; 64];
    file[..6].copy_from_slice(b"\x7fELF\x02\x01");
    file[40..48].copy_from_slice(&64u64.to_le_bytes());
    file[58..64].copy_from_slice(&[64, 0, 3, 0, 1, 0]);
    let start = 64 + 3 * 64;
    let table = |kind: u32, at: usize, length: usize, link: u32| {
        let mut header = [0; 64];
        header[4..8].copy_from_slice(&kind.to_le_bytes());
        header[24..32].copy_from_slice(&(at as u64).to_le_bytes());
        header[32..40].copy_from_slice(&(length as u64).to_le_bytes());
        header[40..44].copy_from_slice(&link.to_le_bytes());
        header
    };
    file.extend(table(11, 0, 0, 2));
    file.extend(table(3, start, names.len(), 0));
    file.extend(table(3, start + names.len(), symbols.len(), 0));
    file.extend(names.bytes());
    file.extend(symbols.bytes());
    file
}

#[test]
fn a_process_is_known_by_its_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let vm = |exe: &str, symbols: &str, section: &str, maps: &str| {
        let process = process(folder.path(), STATUS, maps);
        let file = folder.path().join(exe);
        fs::write(&file, elf(symbols, section)).expect("a file");
        let _ = fs::remove_file(process.path("exe"));
        symlink(&file, process.path("exe")).expect("a link");
        process.vm().expect("a process")
    };
    let library = |name: &str| format!("7f00-7f01 r-xp 00000000 08:01 12  /usr/lib/{name}\n");
    assert_eq!(vm("myapp", "x\0_ZN4node5StartEiPPc", ".text", ""), Some(Vm::Node));
    assert_eq!(vm("node", "x", ".text", &library("libnode.so.108")), Some(Vm::Node));
    assert_eq!(vm("node", "node_module_register\0napi_x", ".text", ""), None);
    assert_eq!(
        vm("bun", "_ZN4node13EmitAsyncInitEPN2v87IsolateE\0_ZN2v87Isolate", ".text", ""),
        Some(Vm::Bun)
    );
    assert_eq!(vm("deno", "node_module_register\0_ZN2v87Isolate", ".text", ""), Some(Vm::Deno));
    assert_eq!(vm("shell", "_ZN2v87Isolate", ".text", ""), Some(Vm::V8));
    assert_eq!(vm("app", "_ZN4node5Start\0_ZN8electron3App", ".text", ""), Some(Vm::Chromium));
    assert_eq!(vm("java", "x", ".text", &library("server/libjvm.so")), Some(Vm::HotSpot));
    let both = library("libjvm.so") + &library("libj9vm29.so");
    assert_eq!(vm("java", "x", ".text", &both), Some(Vm::OpenJ9));
    assert_eq!(vm("server", "x", ".go.buildinfo", ""), Some(Vm::Go));
    assert_eq!(vm("irb", "x", ".text", &library("libruby-3.1.so.3.1")), Some(Vm::Ruby));
    // The name says nothing.
    assert_eq!(vm("node", "x", ".text", ""), None);
    fs::write(folder.path().join("node"), b"\x7fELF\x02\x01").expect("a file");
    assert_eq!(Process::below(folder.path(), 12).vm().expect("a process"), None);
}

#[test]
fn damaged_executables_have_no_names() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("exe");
    let whole = elf("_ZN4node5Start", ".text");
    for at in 0..whole.len() {
        fs::write(&path, &whole[..at]).expect("a file");
        assert!(!Names::read(&fs::File::open(&path).expect("a file")).symbol("_ZN4node"), "{at}");
        let mut flipped = whole.clone();
        flipped[at] ^= 0xff;
        fs::write(&path, &flipped).expect("a file");
        let _ = Names::read(&fs::File::open(&path).expect("a file"));
    }
}

#[test]
fn what_a_process_says_of_itself() {
    let folder = tempfile::tempdir().expect("a folder");
    let process = process(folder.path(), STATUS, "");
    let status = process.status().expect("a process");
    assert_eq!((status.own_pid, status.gid, status.resident, status.state), (1, 7, 2 << 20, 'S'));
    assert_eq!((status.caught >> 9 & 1, status.caught >> 2 & 1), (1, 0));
    assert_eq!(process.label(), "process 12 (myapp)");
    fs::write(process.path("cmdline"), b"node\0--inspect\0app.js\0").expect("a file");
    fs::write(process.path("environ"), b"A=1\0NODE_OPTIONS=--x --y\0").expect("a file");
    assert_eq!(process.command(), ["node", "--inspect", "app.js"]);
    assert_eq!(process.variable("NODE_OPTIONS").as_deref(), Some("--x --y"));
    let gone = Process::below(folder.path(), 13);
    assert_eq!(gone.vm().expect_err("none").to_string(), "no process 13");
    assert!(!gone.is_alive());
    fs::write(process.path("status"), STATUS.replace("S (sleeping)", "Z (zombie)")).expect("a file");
    assert_eq!(process.vm().expect_err("ended").to_string(), "process 12 (myapp) has ended");
}

#[test]
fn who_cannot_answer_is_not_asked() {
    let folder = tempfile::tempdir().expect("a folder");
    let with = |from: &str, to: &str| process(folder.path(), &STATUS.replace(from, to), "");
    assert!(with("", "").is_running().is_ok());
    let says = |from: &str, to: &str| with(from, to).is_running().expect_err("stopped").to_string();
    assert_eq!(
        says("S (sleeping)", "T (stopped)"),
        "process 12 (myapp) is stopped: kill -CONT 12 lets it go on"
    );
    assert_eq!(
        says("S (sleeping)", "t (tracing stop)"),
        "process 12 (myapp) is stopped by a debugger: it has to go on first"
    );
    let pending = with("SigCgt:", "SigPnd:\t0000000000000001\nShdPnd:\t0000000000000200\nSigCgt:");
    assert_eq!(pending.status().expect("a process").pending, 1 << 9);
}

#[test]
fn rights_that_are_missing_are_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let own = rustix::process::geteuid().as_raw();
    let status = |uid: u32| process(folder.path(), &STATUS.replace("Uid:\t0", &format!("Uid:\t{uid}")), "");
    let says = |uid: u32| {
        let process = status(uid);
        process.foreign(&process.status().expect("a process")).to_string()
    };
    // Who is that user already is not sent to become it.
    assert!(says(own).contains("needs the rights of a debugger"), "{}", says(own));
    if own != 0 {
        assert!(says(0).contains("belongs to root (uid 0): run as root or with sudo"), "{}", says(0));
    }
}

#[test]
fn that_a_process_ended_is_said_in_place_of_what_followed() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = process(folder.path(), STATUS, "");
    let ending = here.clone();
    let closed = || heap_base::Error::input("the connection was closed");
    let ends = std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_millis(100));
        fs::write(ending.path("status"), STATUS.replace("S (sleeping)", "Z (zombie)")).expect("a file");
    });
    let says = here.ended(closed(), 12_345_678).to_string();
    assert_eq!(says, "process 12 ended while dumping: 12.3 MB, incomplete");
    assert_eq!(here.ended(closed(), 0).to_string(), "process 12 ended while dumping");
    ends.join().expect("it ends");
    let here = process(folder.path(), STATUS, "");
    assert_eq!(here.ended(closed(), 1).to_string(), "the connection was closed");
}

#[test]
fn room_is_that_of_the_tightest_control_group() {
    const MB: u64 = 1 << 20;
    let folder = tempfile::tempdir().expect("a folder");
    let groups = folder.path().join("groups");
    let group = |path: &str, files: &[(&str, String)]| {
        fs::create_dir_all(groups.join(path)).expect("a folder");
        for (name, text) in files {
            fs::write(groups.join(path).join(name), format!("{text}\n")).expect("a file");
        }
    };
    let number = |n: u64| (n * MB).to_string();
    let process = process(folder.path(), STATUS, "");
    let room = |cgroup: &str| {
        fs::write(process.path("cgroup"), cgroup).expect("a file");
        process.headroom(&groups).map(|bytes| bytes / MB)
    };
    assert_eq!(room(""), None);
    // Without a limit of its own that of the group around it counts; what it keeps of files does not.
    group(
        "pod",
        &[
            ("memory.max", number(500)),
            ("memory.current", number(450)),
            ("memory.stat", "anon 1\ninactive_file 104857600".to_owned()),
        ],
    );
    group("pod/app", &[("memory.max", "max".to_owned()), ("memory.current", number(300))]);
    assert_eq!(room("0::/pod/app\n"), Some(150));
    group("pod/app", &[("memory.max", number(310))]);
    assert_eq!(room("0::/pod/app\n"), Some(10));
    assert_eq!((room("0::/\n"), room("0::/gone\n")), (None, None));
    // It has 2 MB in memory.
    let warned = |current: u64| {
        group("pod/app", &[("memory.current", number(current))]);
        room("0::/pod/app\n");
        let mut said = Said::default();
        process.warn_of_room(&groups, &mut said);
        said.lines.pop()
    };
    assert_eq!(warned(308), None);
    let says = "warning: process 12 (myapp) may take 1 MB more before the limit of its control group has it killed, and a \
                dump may need 2 MB";
    assert_eq!(warned(309).as_deref(), Some(says));
    // Version 1.
    group("memory/a:b", &[("memory.limit_in_bytes", number(64)), ("memory.usage_in_bytes", number(90))]);
    group(
        "memory",
        &[("memory.limit_in_bytes", "9223372036854771712".to_owned()), ("memory.usage_in_bytes", number(1))],
    );
    assert_eq!(room("5:devices:/pod/app\n4:memory:/a:b\n0::/\n"), Some(0));
    assert_eq!(room("4:memory:/\n").map(|room| room > 1 << 40), Some(true));
}

#[test]
fn sockets_that_listen_are_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let process = process(folder.path(), STATUS, "");
    let head =
        "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n";
    let row = |address: &str, state: &str, inode: u32| {
        format!(
            "   0: {address} 00000000:0000 {state} 00000000:00000000 00:00000000 00000000     0        0 {inode} 1 0 100\n"
        )
    };
    let four = [
        head.to_owned(),
        row("0100007F:240D", "0A", 5),
        row("0100007F:0050", "01", 6),
        row("00000000:0051", "0A", 7),
    ];
    fs::write(process.path("net/tcp"), four.concat()).expect("a file");
    let six = "  sl\n".to_owned() + &row("00000000000000000000000001000000:1F90", "0A", 8);
    fs::write(process.path("net/tcp6"), six).expect("a file");
    for (fd, inode) in [(3, 5), (4, 6), (5, 8)] {
        symlink(format!("socket:[{inode}]"), process.path(&format!("fd/{fd}"))).expect("a link");
    }
    symlink("/dev/null", process.path("fd/0")).expect("a link");
    let found: Vec<_> = process.listeners().iter().map(|l| (l.inode, l.addr.to_string())).collect();
    assert_eq!(found, [(5, "127.0.0.1:9229".to_owned()), (8, "[::1]:8080".to_owned())]);
    assert_eq!(process.listening().len(), 3);
    assert_eq!(process.holder(5), Some((12, "myapp".to_owned())));
    assert_eq!(process.holder(7), None);
    assert_eq!(process.who_took(8080), None, "its own");
    let unseen = "a process that cannot be seen from here: another user's, or in a container";
    assert_eq!(process.who_took(81).as_deref(), Some(unseen));
    let other = Process::below(folder.path(), 13);
    fs::create_dir_all(other.path("fd")).expect("a folder");
    symlink("socket:[7]", other.path("fd/3")).expect("a link");
    fs::write(other.path("status"), STATUS.replace("myapp", "node")).expect("a file");
    assert_eq!(process.who_took(81).as_deref(), Some("process 13 (node)"));
}

#[test]
fn the_guard_undoes_what_it_was_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a\nb");
    let pipe = folder.path().join("pipe");
    fs::create_dir(&pipe).expect("a folder");
    fs::write(&file, "x").expect("a file");
    fs::write(pipe.join("side"), "x").expect("a file");
    let tasks = [
        Task::File(file.clone()),
        Task::Pipe(pipe.clone()),
        Task::Inspector { pid: 0x7fff_ffff, before: vec![1, 2] },
    ];
    for task in &tasks {
        assert_eq!(Task::parse(&task.line()).as_ref(), Some(task));
    }
    let lines: String = tasks.iter().map(|task| task.line() + "\n").collect();
    let mut said = Vec::new();
    let forgotten = format!("lock 0 of a test\n{lines}forget\n");
    assert!(crate::run_guard(forgotten.as_bytes(), &mut said));
    assert!(said == b"ready\n" && file.exists());
    assert!(crate::run_guard(format!("{lines}late\nnonsense\nfile zz\n").as_bytes(), &mut Vec::new()));
    assert!(!file.exists() && !pipe.exists());
}

#[test]
fn one_dump_of_a_process_at_a_time() {
    use std::os::linux::net::SocketAddrExt;
    use std::os::unix::net::{SocketAddr, UnixListener};
    let name = SocketAddr::from_abstract_name("heap-dump of process 1 of a test").expect("a name");
    let _held = UnixListener::bind_addr(&name).expect("a socket");
    let mut said = Vec::new();
    crate::run_guard(b"lock 1 of a test\n".as_slice(), &mut said);
    assert_eq!(said, b"busy\n");
    // Seen by another dump, of another process.
    assert!(!is_locked(u32::MAX));
    let name = SocketAddr::from_abstract_name(format!("heap-dump of process {}", u32::MAX)).expect("a name");
    let _held = UnixListener::bind_addr(&name).expect("a socket");
    assert!(is_locked(u32::MAX));
}
