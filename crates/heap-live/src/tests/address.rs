use super::{options, refused};
use crate::{Address, Source};

fn parsed(text: &str) -> Address {
    Address::parse(text).expect("sound").expect("an address")
}

fn wrong(text: &str) -> String {
    Source::parse(text).expect_err("wrong").to_string()
}

#[test]
fn addresses() {
    let address = parsed("ws://localhost:9229/a/b?c#d");
    assert!(address.socket);
    assert_eq!(
        (address.port(), address.path.as_str(), address.fragment.as_deref()),
        (9229, "/a/b?c", Some("d"))
    );
    let address = parsed("http://[::1]:80");
    assert_eq!((address.socket, address.port(), address.path.as_str()), (false, 80, "/"));
    assert_eq!(parsed("http://localhost").port(), 80);
    assert_eq!(parsed("http://h:1?x").path, "/?x");
}

#[test]
fn numbers_are_processes() {
    assert_eq!(Source::parse("12").expect("a number"), Source::Process(12));
    assert_eq!(Source::parse("pid:12").expect("a number"), Source::Process(12));
    for text in ["0", "-1", "4294967295", "x", "", "node", "ftp://x"] {
        assert!(wrong(text).contains("neither the number of a process nor an address"), "{text}");
    }
}

#[test]
fn what_there_is_not_is_refused_with_a_way() {
    assert!(wrong("wss://h/").contains("ssh -L"));
    assert!(wrong("https://h/").contains("no TLS"));
    assert!(wrong("http://me:secret@localhost/").contains("curl"));
    for text in ["http://", "http://:9229", "http://[::1", "http://h:x", "http://h/a b", "http://h/\r\nX: y"]
    {
        assert!(wrong(text).starts_with("no sound address"), "{text}");
    }
}

#[test]
fn other_machines_need_leave() {
    for text in ["http://192.0.2.1:9229", "ws://[2001:db8::1]:9229/x", "http://0.0.0.0:9229"] {
        assert!(refused(text, &options()).contains("--remote"), "{text}");
    }
    // Mapped addresses of the loopback network are this machine.
    assert!(!refused("http://[::ffff:127.0.0.1]:1/", &options()).contains("--remote"));
}
