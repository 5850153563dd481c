//! Paths as people read them: the object, then the way back to the root, one holder a line.

use crate::path::{PathStep, PathsTo, Ways, each};
use heap_ops::graph::NamedGraph;
use heap_ops::place::{Clues, Source};
use heap_ops::select::Glob;

use super::{Outcome, left_out};
use crate::label::label;
use heap_report::text::{cut, visible, width};
use heap_report::{Error, Layout, Output};

/// Objects of which a table shows the paths, unless `-n` says otherwise.
const FEW: usize = 3;
/// Steps of the longest section that is looked for, and repetitions from which it is folded.
const LONGEST: usize = 6;
const OFTEN: usize = 4;

/// `Session @6163 (56 bytes), at global.sessions[0], is kept alive by`, then the way back to the root. Of several inputs each has
/// its name above: that is the `heading`.
///
/// # Errors
/// The output fails.
pub fn sentences(
    heading: Vec<String>,
    of: (&NamedGraph, &Clues),
    ways: Ways,
    avoid: &[Glob],
    layout: &Layout,
    out: &mut dyn Output,
) -> Result<Outcome, Error> {
    let screen = out.screen();
    let most =
        layout.limit.unwrap_or(if matches!(ways, Ways::Shortest | Ways::Named) { FEW } else { usize::MAX });
    // Lines left on the screen, but for the last one and an empty one before it.
    let mut room = layout.lines(screen, 2).filter(|_| layout.limit.is_none()).unwrap_or(usize::MAX);
    let (mut outcome, mut paths) = (Outcome::default(), 0);
    let mut full = most == 0;
    let all = of.0.chosen.len();
    let mut lines = heading;
    room = room.saturating_sub(lines.len());
    each(of, ways, avoid, |found| {
        if full {
            return Ok(false);
        }
        outcome.add(!found.paths.is_empty());
        for (i, path) in found.paths.iter().enumerate() {
            let mut text = path_lines(path, found.place.as_deref(), layout.wide);
            if i + 1 == found.paths.len() {
                text.extend(remark(&found, ways));
            }
            let gap = usize::from(paths > 0);
            if text.len() + gap > room && paths > 0 || paths == most {
                full = true;
                break;
            }
            shorten(&mut text, room);
            room = room.saturating_sub(text.len() + gap);
            if gap > 0 {
                lines.push(String::new());
            }
            lines.extend(text);
            paths += 1;
        }
        if found.paths.is_empty() {
            let why = match left_out(of.0) {
                _ if !avoid.is_empty() => "no path goes around what --avoid names".to_owned(),
                Some(kinds) => format!("try --weak: only {kinds} references, if any"),
                None => "nothing keeps it alive".to_owned(),
            };
            lines.push(format!("{} ({} bytes): {why}", name(&found.target), found.target.size));
            room = room.saturating_sub(1);
            paths += 1;
        }
        full |= paths >= most || room == 0;
        write(&mut lines, layout.width(screen), out)?;
        Ok(true)
    })?;
    let seen = (outcome.alive + outcome.lost) as usize;
    if seen < all {
        let rest = all - seen;
        let what = if rest == 1 { "object" } else { "objects" };
        lines.push(String::new());
        lines.push(format!("… {rest} more {what} (-n all); --merge class makes one tree of all"));
    } else if full && layout.limit.is_none() {
        lines.push(String::new());
        lines.push("… more paths (-n all)".to_owned());
    }
    write(&mut lines, layout.width(screen), out)?;
    Ok(outcome)
}

fn write(lines: &mut Vec<String>, room: Option<usize>, out: &mut dyn Output) -> heap_base::Result {
    for line in lines.drain(..) {
        let mut shown = String::new();
        visible(&mut shown, &line);
        let shown = room.map_or(shown.clone(), |room| cut(&shown, room));
        writeln!(out, "{}", shown.trim_end()).map_err(heap_base::Error::write)?;
    }
    Ok(())
}

fn name(step: &PathStep) -> String {
    let name = step.source.as_ref().map(Source::short).or_else(|| step.name.clone());
    let name = name.filter(|name| !name.is_empty()).map_or(String::new(), |n| format!(" {n}"));
    format!("{}{name} @{}", step.class, step.number)
}

/// Why there are no more paths than these, if more were asked for.
fn remark(found: &PathsTo, ways: Ways) -> Option<String> {
    let through: Vec<_> = found.through.iter().map(name).collect();
    match (ways, &through[..]) {
        (Ways::Shortest, _) if found.around && found.place.is_some() => {
            Some("  This way is the shortest; --named shows the one through its place.".to_owned())
        }
        (Ways::Disjoint(k), _) if found.paths.len() >= k => None,
        (Ways::Disjoint(_), _) if found.paths.iter().any(|path| path.len() == 1) => None,
        (Ways::Disjoint(_), []) => Some("  No other path: only the root refers to it.".to_owned()),
        (Ways::Disjoint(_), [one]) => Some(format!("  No other path: all lead through {one}.")),
        (Ways::Disjoint(_), some) => {
            Some(format!("  No more paths: each other one leads through {}.", some.join(" or ")))
        }
        (Ways::Every(most), _) if found.paths.len() >= most => {
            Some(format!("  There may be more paths than these {most}; -k N shows N."))
        }
        (Ways::Every(_), _) if !found.complete => {
            Some("  There are more paths than a search of this length finds.".to_owned())
        }
        _ => None,
    }
}

/// The lines of a path, with what repeats left out.
fn path_lines(path: &[PathStep], place: Option<&str>, wide: bool) -> Vec<String> {
    let Some((target, holders)) = path.split_last() else { return Vec::new() };
    if holders.is_empty() {
        return vec![format!("{} is a root", name(target))];
    }
    // Back from the target: what refers to it, and by which edge.
    let steps: Vec<(String, &PathStep, &PathStep)> =
        path.windows(2).rev().map(|pair| (label(&pair[1]), &pair[0], &pair[1])).collect();
    let widest = steps.iter().map(|step| width(&step.0)).max().unwrap_or(0).min(30);
    let line = |i: usize| {
        let (label, holder, held) = &steps[i];
        let pad = " ".repeat(widest.saturating_sub(width(label)));
        let end = if i + 1 == steps.len() { ", a root" } else { "" };
        let kind =
            held.kind.as_ref().filter(|_| wide).map_or(String::new(), |kind| format!("   ({})", kind.name));
        format!("  {label}{pad}  in  {}{end}{kind}", name(holder))
    };
    let alike = |i: usize, j: usize| {
        let same = |a: &PathStep, b: &PathStep| {
            let numbers = |s: &PathStep| s.label.as_deref().is_some_and(|l| l.parse::<u64>().is_ok());
            a.kind == b.kind && (a.label == b.label || numbers(a) && numbers(b))
        };
        steps[i].1.class == steps[j].1.class && same(steps[i].2, steps[j].2)
    };
    let mut lines = match place {
        None => vec![format!("{} ({} bytes) is kept alive by", name(target), target.size)],
        Some(place) => vec![
            format!("{} ({} bytes), at {place},", name(target), target.size),
            "is kept alive by".to_owned(),
        ],
    };
    let mut at = 0;
    while at < steps.len() {
        // The shortest section that repeats often from here on.
        let section = (1..=LONGEST).find_map(|length| {
            let mut end = at + length;
            while end < steps.len() && alike(end - length, end) {
                end += 1;
            }
            let times = (end - at) / length;
            (times >= OFTEN).then_some((length, times))
        });
        let Some((length, times)) = section else {
            lines.push(line(at));
            at += 1;
            continue;
        };
        lines.extend((at..at + length).map(line));
        let what = if length == 1 { "step".to_owned() } else { format!("{length} steps") };
        lines.push(format!("  … the same {what} {} times more …", times - 2));
        let last = at + length * (times - 1);
        lines.extend((last..last + length).map(line));
        at = last + length;
    }
    lines
}

/// Leaves out the midst of a path that is longer than the screen.
fn shorten(lines: &mut Vec<String>, room: usize) {
    if lines.len() <= room || room < 4 {
        return;
    }
    let left_out = lines.len() - room + 1;
    let from = room / 2;
    lines.splice(from..from + left_out, [format!("  … {left_out} more steps (-n all) …")]);
}
