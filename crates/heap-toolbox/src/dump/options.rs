//! heap-dump: the dump of a process that runs. See `man/heap-dump.1`.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, SystemTime};

use heap_cli::{Args, Error, Example, Flag, Out, Status, Tool, complain, output, own, switch};
use heap_live::{Clock, Java, Options, Source, Taker, Thread};
use heap_record::Writer;
use heap_record::write::Form;
use heap_spool::Pending;

use super::series::parse_time;
use super::{Series, Shown, rows, to_file, to_stream};

/// The operand that makes this the guard of another heap-dump; see heap-live.
const GUARD: &str = "guard:stdin";

/// Options, examples and notes of the tool.
pub const TOOL: Tool = Tool {
    name: "heap-dump",
    about: "take the heap dump of a process that runs",
    usage: "[OPTIONS] PROCESS|ADDRESS",
    flags: &[
        own(&[
            Flag {
                short: Some('o'),
                long: "output",
                value: Some("FILE"),
                help: "write to FILE, not to standard output\n\
                       Only its owner can read it. It has its name when the dump is whole; until then what had the name \
                       stays. In FILE %n is the number of the dump, %p the process or port, %t the time, %h this machine, %w \
                       the worker or main.",
            },
            Flag {
                short: None,
                long: "count",
                value: Some("N"),
                help: "take N dumps, one after the other; needs -o with %n or %t\n\
                       One that fails does not end the series, unless the process has ended.",
            },
            Flag {
                short: None,
                long: "every",
                value: Some("TIME"),
                help: "time from one dump's beginning to the next's; the default is 60s\n\
                       A number of seconds, or one with ms, s, m or h.",
            },
            Flag {
                short: None,
                long: "timeout",
                value: Some("TIME"),
                help: "give up after this time; the default is to wait",
            },
            Flag {
                short: None,
                long: "worker",
                value: Some("ID|TITLE|all"),
                help: "the heap of this worker of a program or a page, not of the main thread\n\
                       all: that of each and of the main thread, a file each; needs -o with %w.",
            },
            switch(
                None,
                "memory",
                "Node: read the memory of the process, and write a record stream\n\
                 Opens no inspector and needs no memory there, but the rights of a debugger.",
            ),
            switch(None, "all", "Java: also what a collection of garbage would remove"),
            switch(
                None,
                "gzip",
                "Java 17: packed by the JVM\n\
                 A dump is often a tenth as large, and the JVM stands still two to five times as long.",
            ),
            Flag {
                short: None,
                long: "parallel",
                value: Some("N"),
                help: "Java 25: the JVM writes with N threads",
            },
            Flag {
                short: None,
                long: "target",
                value: Some("ID|TEXT"),
                help: "of several targets at ADDRESS this one: its id, or a part of its title or address",
            },
            switch(
                None,
                "remote",
                "allow an ADDRESS that is not this machine\n\
                 Nothing is encrypted: who listens on the way has the heap.",
            ),
            switch(None, "numbers", "V8: numbers that objects hold too, which makes the dump larger"),
            switch(
                None,
                "list",
                "list the processes that a dump can be taken of, by their number or an address",
            ),
            switch(None, "no-progress", "no progress on the terminal"),
        ]),
        output(rows::COLUMNS),
    ],
    examples: &[
        Example { about: "what leaks in a process", command: "heap-dump 4711 | heap-suspects" },
        Example {
            about: "three dumps a minute apart, and what grew",
            command: "heap-dump --count 3 --every 60s -o app-%n.heapsnapshot 4711 && heap-suspects app-[123].heapsnapshot",
        },
        Example { about: "which processes there are", command: "heap-dump --list --table" },
        Example {
            about: "numbers of all Node processes, with jq",
            command: "heap-dump --list --json | jq 'select(.vm==\"node\") | .pid'",
        },
    ],
    notes: "PROCESS is a number. ADDRESS is where an inspector listens: http://localhost:9229 or ws://localhost:9229/….\n\n\
            A dump holds all that the program has in memory, passwords and keys too. The process stands still while \
            its dump is built: a second for 10 MB (Node) to 100 MB (Java).",
    exit: &[("0", "done: the dump is whole"), ("2", "wrong usage, no dump can be had, or output that fails")],
    run,
};

fn run(args: &mut Args, out: &mut Out) -> Result<Status, Error> {
    let mut pattern: Option<OsString> = None;
    let mut count = None;
    let mut every = None;
    let mut timeout = None;
    let mut progress = true;
    let mut list = false;
    let mut memory = false;
    let mut workers = false;
    let mut options = Options {
        numbers: false,
        java: Java::default(),
        target: None,
        worker: None,
        remote: false,
        guard: &guard,
    };
    let time = "a time such as 10s, 500ms or 2m";
    while let Some(option) = args.next()? {
        match option {
            "output" => pattern = Some(args.value()?).filter(|file| file != "-"),
            "count" => {
                let some = |text: &str| text.parse::<u32>().ok().filter(|n| *n > 0);
                count = Some(args.parse_with("a number from 1 on", some)?);
            }
            "every" => every = Some(args.parse_with(time, parse_time)?),
            "timeout" => timeout = Some(args.parse_with(time, parse_time)?),
            "worker" => match args.text()? {
                all if all == "all" => workers = true,
                empty if empty.is_empty() => {
                    return Err(args.invalid(&empty, "a number, a part of a title, or all"));
                }
                one => options.worker = Some(one),
            },
            "memory" => memory = true,
            "all" => options.java.all = true,
            "gzip" => options.java.gzip = true,
            "parallel" => {
                let some = |text: &str| text.parse::<u32>().ok().filter(|n| (1..=1024).contains(n));
                options.java.parallel = Some(args.parse_with("a number from 1 to 1024", some)?);
            }
            "target" => options.target = Some(args.text()?),
            "remote" => options.remote = true,
            "numbers" => options.numbers = true,
            "list" => list = true,
            "no-progress" => progress = false,
            _ => return Err(args.unexpected()),
        }
    }
    let operands = std::mem::take(&mut args.operands);
    if list {
        if !operands.is_empty() {
            return Err(Error::usage("--list takes no process"));
        }
        rows::report(&heap_live::list(), &args.output)?.write(out)?;
        return Ok(Status::Done);
    }
    let operand = match operands.as_slice() {
        [one] => one.to_string_lossy(),
        [] => {
            return Err(Error::usage(
                "of which process? Say its number; --list has those that can be dumped",
            ));
        }
        _ => return Err(Error::usage("one process at a time")),
    };
    if operand == GUARD {
        let clean = heap_live::run_guard(std::io::stdin(), out);
        return Ok(if clean { Status::Done } else { Status::No });
    }
    let source = Source::parse(&operand)?;
    if memory {
        let given = count.is_some() || every.is_some() || timeout.is_some() || workers;
        if given || options.any() {
            return Err(Error::usage("--memory takes no other option than -o: it reads, and asks nobody"));
        }
        return of_memory(args, out, &source, pattern);
    }
    if every.is_some() && count.is_none() {
        return Err(Error::usage("--every is for several dumps: say --count N"));
    }
    let Some(pattern) = pattern else {
        if count.is_some() || every.is_some() {
            return Err(Error::usage("--count and --every need -o FILE"));
        }
        if workers {
            return Err(Error::usage("--worker all needs -o FILE with %w"));
        }
        if out.is_terminal() {
            return Err(Error::usage(
                "a dump is nothing for a terminal: say -o FILE, or | and what reads it",
            ));
        }
        let mut shown = Shown::new(&operand, progress);
        let mut clock = Clock::new(timeout, &mut shown);
        to_stream(&mut Taker::new(&source, &options), None, &mut clock, out)?;
        return Ok(Status::Done);
    };
    let series = Series {
        count: count.unwrap_or(1),
        every: every.unwrap_or(Duration::from_secs(60)),
        pattern,
        workers,
    };
    if let Some(what) = series.lacks() {
        return Err(Error::usage(format!("several dumps need names that differ: -o FILE with {what}")));
    }
    run_series(&series, &source, &options, timeout, progress.then_some(&*operand))
}

/// Writes the heap in the memory of a process as a record stream.
fn of_memory(
    args: &mut Args,
    out: &mut Out,
    source: &Source,
    pattern: Option<OsString>,
) -> Result<Status, Error> {
    let Source::Process(pid) = source else {
        return Err(Error::usage("--memory needs the number of a process"));
    };
    args.operands = vec![format!("pid:{pid}").into()];
    let inputs = args.inputs()?;
    let provenance = args.provenance();
    let Some(pattern) = pattern else {
        return inputs.pump(&mut Writer::new(out).form(Form::Canonical).provenance(provenance, false));
    };
    let series = Series { count: 1, every: Duration::ZERO, pattern, workers: false };
    let name = series.name(1, source, SystemTime::now(), "all");
    let file = Pending::create_secret(Path::new(&name))?;
    let writer = Writer::new(file.writer()?).form(Form::Canonical).provenance(provenance, false);
    let status = inputs.pump(&mut { writer })?;
    if status == Status::Done {
        file.persist()?;
    }
    Ok(status)
}

/// Takes the dumps of a series. One that fails does not end it. `progress` is what its line calls the process.
fn run_series(
    series: &Series,
    source: &Source,
    options: &Options<'_>,
    timeout: Option<Duration>,
    progress: Option<&str>,
) -> Result<Status, Error> {
    let mut status = Status::Done;
    let mut taker = Taker::new(source, options);
    let quiet = || Shown::new("", false);
    for number in 1..=series.count {
        let began = SystemTime::now();
        let name = |worker: &str| series.name(number, source, began, worker);
        let threads = match () {
            () if series.workers => threads(&mut taker, &mut Clock::new(timeout, &mut quiet())),
            // The name has its number.
            () if series.names_worker() => {
                taker.asked(&mut Clock::new(timeout, &mut quiet())).map(|worker| vec![worker])
            }
            () => Ok(vec![None]),
        };
        let mut failed = Vec::new();
        match threads {
            Err(e) => failed.push((name("main"), e)),
            Ok(threads) => {
                for thread in threads {
                    let id = thread.as_ref().map_or("main", |thread| thread.id.as_str());
                    let name = name(id);
                    let mut shown = Shown::new(progress.unwrap_or_default(), progress.is_some());
                    let mut clock = Clock::new(timeout, &mut shown);
                    let path = Path::new(&name);
                    let taken = match &thread {
                        None if !series.workers => to_file(&mut taker, None, &mut clock, path),
                        _ => to_file(&mut taker, Some(thread.as_ref()), &mut clock, path),
                    };
                    heap_cli::progress::stop();
                    match (taken, thread) {
                        (Err(e), _) => failed.push((name, e)),
                        (Ok(()), Some(thread)) if series.workers => {
                            heap_cli::note(Some(&name), &format!("worker {thread}"));
                        }
                        (Ok(()), _) => {}
                    }
                }
            }
        }
        if number == series.count {
            taker.close(&mut Clock::new(timeout, &mut quiet()));
        }
        for (name, e) in failed {
            if series.count == 1 && !series.workers {
                return Err(e.into());
            }
            complain(Some(&name), &e);
            status = Status::Failed;
        }
        if status == Status::Failed && !source.is_alive() {
            break;
        }
        if number < series.count {
            std::thread::sleep(series.every.saturating_sub(began.elapsed().unwrap_or_default()));
        }
    }
    Ok(status)
}

/// The main thread, which is none of the workers, and these.
fn threads(taker: &mut Taker<'_>, clock: &mut Clock<'_>) -> heap_base::Result<Vec<Option<Thread>>> {
    let workers = taker.workers(clock)?;
    Ok(std::iter::once(None).chain(workers.into_iter().map(Some)).collect())
}

/// Starts this program again as the guard of what it does to a process.
fn guard() -> Command {
    let mut command = heap_live::own_program(TOOL.name);
    command.args(["--", GUARD]);
    command
}
