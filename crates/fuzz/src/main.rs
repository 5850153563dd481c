//! `heap-fuzz TARGET`: mutates the corpus for a while. `heap-fuzz TARGET FILE...`: tries these files alone, or, with
//! `CUTS` or `FLIPS`, damages each at that many places and prints a row for it.
//!
//! Environment: `BUDGET` in seconds (20; of a file that is damaged), `SEED` (1), `CORPUS` (the repository's `tests/data`),
//! `OUT` (`fuzz-out`): the input at hand is always in `OUT/TARGET.current`, so that it is there whatever ends the
//! process. An input may take `LIMIT` seconds (10) and the process 2 GiB.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::exit,
    reason = "its results are lines, a hang ends the process"
)]

mod corpus;
mod damage;
mod trial;

use std::fs;
use std::process::ExitCode;
use std::time::Duration;

use heap_fuzz::Target;
use heap_fuzz::mutate::Lot;

use crate::trial::Trial;

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let name = args.next().unwrap_or_default();
    let Some(target) = heap_fuzz::target(&name) else {
        let names: Vec<_> = heap_fuzz::TARGETS.iter().map(|(name, _)| *name).collect();
        eprintln!("usage: heap-fuzz TARGET [FILE...]; targets: {}", names.join(" "));
        return ExitCode::from(2);
    };
    trial::bound();
    let files: Vec<_> = args.collect();
    let plan = damage::Plan { cuts: number("CUTS", 0) as usize, flips: number("FLIPS", 0) as usize };
    let lot = Lot(number("SEED", 1));
    let time = Duration::from_secs_f64(variable("BUDGET", "20").parse().expect("a number of seconds"));
    let trial = |target: Target| Trial::new(target, name.clone(), &variable("OUT", "fuzz-out"));
    match (files.is_empty(), plan.is_empty()) {
        (true, _) => corpus::run(
            trial(target),
            &variable("CORPUS", concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data")),
            lot,
            time,
        ),
        (false, true) => {
            for file in files {
                let seen = target(&fs::read(&file).expect("the file is readable"));
                println!("{file}: {seen:x}");
            }
        }
        (false, false) => return damage::run(trial(target), &files, plan, lot, time),
    }
    ExitCode::SUCCESS
}

fn variable(name: &str, default: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| default.to_owned())
}

fn number(name: &str, default: u64) -> u64 {
    variable(name, &default.to_string()).parse().expect("a number")
}
