//! Connections that were left in the middle.

use std::io::{BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use super::super::keeper::{Keeper, end, run};

/// The payload of a frame that a client sends with a mask.
fn frame(stream: &mut TcpStream) -> (u8, Vec<u8>) {
    let mut head = [0; 6];
    stream.read_exact(&mut head).expect("a frame, and no end before it");
    let mut payload = vec![0; usize::from(head[1] & 0x7f)];
    stream.read_exact(&mut payload).expect("a frame");
    payload.iter_mut().zip(head[2..].iter().cycle()).for_each(|(byte, key)| *byte ^= key);
    (head[0], payload)
}

/// A server that does this with its client, and one.
fn server<T: Send + 'static>(
    serve: impl FnOnce(TcpStream) -> T + Send + 'static,
) -> (thread::JoinHandle<T>, TcpStream) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a socket");
    let address = listener.local_addr().expect("an address");
    let served = thread::spawn(move || serve(listener.accept().expect("a client").0));
    (served, TcpStream::connect(address).expect("a connection"))
}

#[test]
fn all_is_read_before_the_connection_ends() {
    let (served, client) = server(|mut stream| {
        let (first, question) = frame(&mut stream);
        assert_eq!(first, 0x81);
        let question = String::from_utf8(question).expect("a text");
        // The snapshot that was asked for comes first, and later than the keeper is quiet.
        thread::sleep(Duration::from_millis(400));
        stream.write_all(&vec![b'x'; 5_000_000]).expect("it is read");
        thread::sleep(Duration::from_millis(300));
        // The answer, in two pieces; then what a worker still says.
        let (id, _) = question.split_once(',').expect("a number");
        let (one, two) = id.split_at(5);
        stream.write_all(one.as_bytes()).expect("it is read");
        thread::sleep(Duration::from_millis(50));
        stream.write_all(format!("{two},\"result\":{{}}}}").as_bytes()).expect("it is read");
        thread::sleep(Duration::from_millis(100));
        stream.write_all(&vec![b'y'; 5_000_000]).expect("it is read");
        assert_eq!(frame(&mut stream), (0x88, Vec::new()));
    });
    end(&client).expect("it ends");
    served.join().expect("all came");
}

#[test]
fn a_server_that_closes_is_answered_at_once() {
    let (served, client) = server(|mut stream| {
        frame(&mut stream);
        stream.write_all(&[0x88, 0]).expect("it is read");
        let begin = Instant::now();
        assert_eq!(frame(&mut stream), (0x88, Vec::new()));
        begin.elapsed()
    });
    end(&client).expect("it ends");
    assert!(served.join().expect("it is answered") < Duration::from_secs(1));
}

#[test]
fn a_connection_that_was_left_in_order_is_let_alone() {
    let (served, client) = server(|mut stream| stream.read(&mut [0; 9]).expect("an end"));
    run(BufReader::new(b"done\n".as_slice()));
    let keeper = Keeper::start(crate::tests::idle_guard(), &client).expect("a keeper");
    keeper.done();
    drop(client);
    assert_eq!(served.join().expect("it ends"), 0);
}
