//! Servers that behave as virtual machines do, and as none should.

mod address;
mod inspector;
mod server;

use std::process::Command;
use std::time::Duration;

use heap_base::Result;

use crate::{Clock, Java, Options, Source, Taker, Watch};

/// What was said to who looks on.
#[derive(Default)]
pub(crate) struct Said {
    pub(crate) lines: Vec<String>,
    pub(crate) percent: Vec<u64>,
    pub(crate) bytes: u64,
}

impl Watch for Said {
    fn note(&mut self, what: &str) {
        self.lines.push(what.to_owned());
    }
    fn warn(&mut self, what: &str) {
        self.lines.push(format!("warning: {what}"));
    }
    fn building(&mut self, percent: u64) {
        self.percent.push(percent);
    }
    fn received(&mut self, bytes: u64) {
        self.bytes = bytes;
    }
}

/// A guard that does nothing, and says that it is ready.
pub(crate) fn idle_guard() -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", "read line; [ \"$line\" = keep ] || echo ready; cat > /dev/null"]);
    command
}

pub(crate) fn options() -> Options<'static> {
    Options {
        numbers: false,
        java: Java::default(),
        target: None,
        worker: None,
        remote: false,
        guard: &idle_guard,
    }
}

/// Takes a dump from an address within a second: what came, and what was said.
pub(crate) fn taken(address: &str, options: &Options<'_>) -> (Result<String>, Vec<u8>, Said) {
    let mut said = Said::default();
    let mut out = Vec::new();
    let source = Source::parse(address).expect("an address");
    let mut taker = Taker::new(&source, options);
    let mut clock = Clock::new(Some(Duration::from_secs(5)), &mut said);
    let result = taker.take(&mut clock, &mut out);
    taker.close(&mut clock);
    (result.map(|taken| taken.by), out, said)
}

/// What is wrong with an address.
pub(crate) fn refused(address: &str, options: &Options<'_>) -> String {
    taken(address, options).0.expect_err("it is refused").to_string()
}
