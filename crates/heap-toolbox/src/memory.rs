//! How much memory a graph may take: `--memory` of all tools that need a whole one.

use std::sync::OnceLock;

use heap_base::sys;
use heap_cli::Flag;
use heap_graph::Guard;

/// The limit, for tools that go through files where it is too little.
pub(crate) const MEMORY: Flag = Flag {
    short: None,
    long: "memory",
    value: Some("SIZE"),
    help: "how much memory the graph may take: 4G, 512M\n\
           The default is three quarters of what the machine and the control group leave free. What does not fit goes \
           through files without names in TMPDIR, with the same result.",
};

/// The limit, for tools that hold the graph in memory.
pub(crate) const WHOLE: Flag = Flag {
    help: "how much memory the graph may take: 4G, 512M\n\
           The default is three quarters of what the machine and the control group leave free. A heap that takes more is \
           refused, with how much it would be.",
    ..MEMORY
};

/// The limit in bytes, if the user does not say it. What is free is asked once: a file may have a million dumps.
pub(crate) fn limit(memory: Option<u64>) -> u64 {
    static FREE: OnceLock<Option<u64>> = OnceLock::new();
    let free = || *FREE.get_or_init(|| sys::free_memory().map(|bytes| bytes / 4 * 3));
    memory.or_else(free).unwrap_or(u64::MAX)
}

/// Refuses graphs that take more.
pub(crate) fn guard(memory: Option<u64>) -> Guard {
    let instead = "--memory SIZE allows more; heap-suspects, heap-top --key retained, heap-dom, heap-path, heap-strings, heap-tree, \
                   heap-view, heap-walk and heap-sum --sort retained use files instead";
    Guard { limit: limit(memory), instead }
}
