//! Time and memory on graphs of any size: `scale list 10000000`, `scale heap 10000000 43000000`.
//!
//! `list` is one chain; `heap` is shaped like a heap of JavaScript: mostly a tree, edges to near neighbours, a tenth
//! of them to a few objects that everything leads to, one long list. Peak memory is shown where the system reports it.

use std::io::Write;
use std::time::Instant;

use heap_graph::{Builder, Class, Column, Config, Policy, analyse};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |i: usize, default| args.get(i).map_or(Ok(default), |text| text.parse::<u32>());
    let nodes = number(1, 10_000_000)?.max(100);
    let edges = number(2, 43_000_000)?;
    let start = Instant::now();
    let mut builder = Builder::default();
    if args.first().is_some_and(|shape| shape == "heap") {
        let more = edges.saturating_sub(nodes) / nodes;
        let mut state = 1u64;
        let mut random = |bound: u32| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 16) as u32 % bound
        };
        for node in 0..nodes {
            // The tree: three children each; the last twentieth is the list.
            let list = node > nodes / 20 * 19;
            let children = if list {
                node + 1..node + 2
            } else {
                node.saturating_mul(3) + 1..node.saturating_mul(3) + 4
            };
            for child in children.filter(|&child| child < nodes) {
                builder.edge(node, child, Class::Strong, 0, 0)?;
            }
            for i in 0..more {
                let dest = match i {
                    _ if random(10) == 0 => random(100),
                    0 => (node + random(1000)).min(nodes - 1),
                    1 => node.saturating_sub(random(1000)),
                    _ => random(nodes),
                };
                builder.edge(node, dest, Class::Strong, 0, 0)?;
            }
        }
    } else {
        for node in 1..nodes {
            builder.edge(node - 1, node, Class::Strong, 0, 0)?;
        }
    }
    let graph = builder.finish(nodes)?;
    let sizes: Column = (0..u64::from(nodes)).map(|i| i % 64 * 8).collect();
    report(&format!("{nodes} nodes, {} edges built", graph.edges()), start);
    let policy = Policy { roots: vec![0], ..Policy::default() };
    let start = Instant::now();
    let analysis = analyse(graph, &sizes, &policy, Config { retained: true, ..Config::default() });
    report(&format!("analysed, {} bytes retained", analysis.retained[0]), start);
    Ok(())
}

fn report(what: &str, since: Instant) {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("unknown").trim();
    let seconds = since.elapsed().as_secs_f64();
    // Nothing is lost if this cannot be written.
    let _ = writeln!(std::io::stderr(), "{what} in {seconds:.2} s, peak {peak}");
}
