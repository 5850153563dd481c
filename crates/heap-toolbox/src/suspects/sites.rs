//! Where the bytes of a profile were allocated: the function of the program and its line, with those that called it.
//!
//! A profile has no objects, so nothing is held by a name: the *site* is what people look for. It is the innermost function
//! of the program in a stack; what that called in libraries counts for it. Sites of one function are one row with its lines.
//! Dumps of one program are compared by function and file, because lines move.

use std::cmp::Reverse;
use std::fmt::Write as _;

use heap_base::{BitSet, Map, Plus, Result, sort_by, sort_by_key};
use heap_graph::NONE;

use super::growth::{Course, Earlier, course_of_samples, disorder, is_series, repetition};
use super::sampling::{Samples, Stack, Stacks};
use super::scene::{LEAST, SMALL};
use super::{Doubt, Findings, Holding, Kind, Level, Limits, Site, Suspect, Unseen};
use crate::cells::{change, sum_of_changes};
use crate::path::PathStep;
use heap_ops::graph::NamedGraph;
use heap_ops::place::{Clues, file_of, source};
use heap_ops::series::Sizes;

/// Adds to a sum, which stops where numbers do.
fn add(sum: &mut u64, bytes: u64) {
    *sum = sum.plus(bytes);
}

/// What is said where a profile is that of before.
const UNCHANGED: &str = "a profile has the figures of the one before: nothing has changed, or both are as of one collection \
                         (heap-tools(7) on how a profile is taken)";
/// The part of all bytes from which a site is worth a sentence.
const LARGE: f64 = 0.1;
/// The part of all bytes from which what the runtime piles up is worth a sentence.
const MOST: f64 = 0.05;
/// The part of all bytes from which a function is no site but the allocator.
const ALL: f64 = 0.99;
/// Functions that a sentence names as callers.
const CALLERS: usize = 3;
/// The part of a site's bytes from which a caller is the only one worth naming.
const MAINLY: f64 = 0.9;

/// What is held where a profile knows no types.
pub(super) const UNTYPED: &str = "(heap.allocation)";

/// A function of a profile.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// File and line where it allocated most, as far as the profile says: `sessions.go:18`.
    pub place: String,
    /// Bytes that it allocated itself.
    pub own: u64,
    /// Bytes that it allocated with all that it called.
    pub total: u64,
    /// How many objects the first are; 0 where that is not known.
    pub count: u64,
    /// It belongs to the runtime and not to the program.
    pub runtime: bool,
}

/// What is known of one function while all are added up.
#[derive(Clone, Debug, Default)]
struct Sum {
    name: String,
    script: String,
    runtime: bool,
    own: u64,
    total: u64,
    count: u64,
    /// Bytes by line and column.
    lines: Map<(i64, i64), u64>,
    /// What it holds as a site.
    site: u64,
    objects: u64,
    /// Types of that.
    types: Map<String, (u64, u64)>,
    /// Bytes by line and column as a site.
    site_lines: Map<(i64, i64), u64>,
    /// Bytes by function of the program that called it as a site.
    callers: Map<u32, u64>,
    /// The frame through which most of that came, and how much.
    most: (u64, u32),
    /// Marks of the stacks at which it allocated as a site, whether that is in use or not.
    stacks: Vec<u64>,
}

/// The stacks of a profile, by node.
pub(crate) struct Sites<'a> {
    loaded: &'a NamedGraph,
    clues: &'a Clues,
    /// Callers come first.
    order: Vec<u32>,
    callers: Vec<u32>,
    /// The function of each frame; [`NONE`] of roots and allocations.
    functions: Vec<u32>,
    sums: Vec<Sum>,
    total: u64,
    /// What is known of each stack, where the profile says what was ever allocated there.
    stacks: Stacks,
}

impl<'a> Sites<'a> {
    /// Adds up a profile. O(nodes + edges).
    pub(crate) fn new(loaded: &'a NamedGraph, clues: &'a Clues) -> Result<Self> {
        let nodes = loaded.heap.graph.nodes();
        let mut sites = Self {
            loaded,
            clues,
            order: Vec::with_capacity(nodes as usize),
            callers: vec![NONE; nodes as usize],
            functions: vec![NONE; nodes as usize],
            sums: Vec::new(),
            total: 0,
            stacks: Stacks::default(),
        };
        sites.put_in_order();
        sites.look_up()?;
        sites.add_up();
        sites.attribute()?;
        sites.pass_over_allocators()?;
        sites.tell_stacks_apart();
        Ok(sites)
    }

    fn subtype(&self, name: &str) -> Option<u64> {
        self.loaded.context.types.node_id(name).map(u64::from)
    }

    /// Callers before what they call; what is in a circle is left out.
    fn put_in_order(&mut self) {
        let graph = &self.loaded.heap.graph;
        let ends = |node: u32| graph.range(node).map(|edge| graph.link(edge as u32).end());
        let mut called = BitSet::new(graph.nodes());
        for node in 0..graph.nodes() {
            ends(node).filter(|&end| end != node).for_each(|end| {
                called.insert(end);
            });
        }
        self.order.extend((0..graph.nodes()).filter(|&node| !called.contains(node)));
        let mut next = 0;
        while let Some(&node) = self.order.get(next) {
            next += 1;
            for end in ends(node) {
                // A frame has one caller; where a source says more the first holds.
                if end != node && self.callers[end as usize] == NONE && called.contains(end) {
                    self.callers[end as usize] = node;
                    self.order.push(end);
                }
            }
        }
    }

    /// The functions of all frames.
    fn look_up(&mut self) -> Result {
        let heap = &self.loaded.heap;
        let frame = self.subtype("heap.frame");
        let mut known: Map<(i64, i64), u32> = Map::default();
        let mut by_text: Map<(String, String), u32> = Map::default();
        for node in 0..heap.graph.nodes() {
            if Some(heap.subtypes.get(node)) != frame {
                continue;
            }
            let script = self.clues.line(node).map(|line| line.script);
            let key = (heap.name(node).unwrap_or(i64::MIN), script.unwrap_or(i64::MIN));
            let number = if let Some(&number) = known.get(&key) {
                number
            } else {
                let name = self.loaded.name(node)?.unwrap_or_default();
                let text = |id| self.loaded.context.strings.text_or_number(id);
                let script = script.map(text).transpose()?.unwrap_or_default();
                let runtime = self.clues.is_runtimes_script(&script);
                let next = self.sums.len() as u32;
                let number = *by_text.entry((name.clone(), script.clone())).or_insert(next);
                if number == next {
                    self.sums.push(Sum { name, script, runtime, ..Sum::default() });
                }
                known.insert(key, number);
                number
            };
            self.functions[node as usize] = number;
        }
        Ok(())
    }

    /// What each function allocated itself, and with all that it called: a function that calls itself counts once.
    fn add_up(&mut self) {
        let heap = &self.loaded.heap;
        let mut below: Vec<u64> = (0..heap.graph.nodes()).map(|node| heap.sizes.get(node)).collect();
        for &node in self.order.iter().rev() {
            let caller = self.callers[node as usize];
            let bytes = below[node as usize];
            let sum = if caller == NONE { &mut self.total } else { &mut below[caller as usize] };
            *sum = sum.plus(bytes);
        }
        // Depth first: how many frames of each function are on the way to the node at hand.
        let graph = &heap.graph;
        let mut open = vec![0u32; self.sums.len()];
        let tops = self.order.iter().filter(|&&node| self.callers[node as usize] == NONE);
        let mut tasks: Vec<(u32, bool)> = tops.map(|&node| (node, true)).collect();
        let mut met = BitSet::new(graph.nodes());
        while let Some((node, enter)) = tasks.pop() {
            let function = self.functions[node as usize] as usize;
            if !enter {
                open[function] -= 1;
                continue;
            }
            if !met.insert(node) {
                continue;
            }
            if let Some(frames) = open.get_mut(function) {
                if *frames == 0 {
                    let sum = &mut self.sums[function];
                    sum.total = sum.total.plus(below[node as usize]);
                }
                *frames += 1;
                tasks.push((node, false));
            }
            let called = graph.range(node).map(|edge| graph.link(edge as u32).end());
            tasks.extend(called.filter(|&end| self.callers[end as usize] == node).map(|end| (end, true)));
        }
    }

    fn line(&self, frame: u32) -> (i64, i64) {
        self.clues.line(frame).map_or((0, 0), |line| (line.line, line.column))
    }

    /// By node: the next frame of the program at or above it, and above that the next of another function of the program;
    /// [`NONE`] if there is none. So calls of a function by itself are folded.
    fn own_frames(&self) -> (Vec<u32>, Vec<u32>) {
        let (mut own, mut other) = (vec![NONE; self.callers.len()], vec![NONE; self.callers.len()]);
        for &node in &self.order {
            let (at, caller) = (node as usize, self.callers[node as usize]);
            let above = own.get(caller as usize).copied().unwrap_or(NONE);
            let function = self.functions[at];
            if function == NONE || self.sums[function as usize].runtime {
                own[at] = above;
                other[at] = other.get(caller as usize).copied().unwrap_or(NONE);
                continue;
            }
            own[at] = node;
            let same = above != NONE && self.functions[above as usize] == function;
            other[at] = if same { other[above as usize] } else { above };
        }
        (own, other)
    }

    /// A function without a source through which everything came says nothing: it is the allocator, or the profiler in it. The
    /// sites are those above, unless everything came through each of these, too.
    fn pass_over_allocators(&mut self) -> Result {
        let mut passed = Vec::new();
        let whole = (self.total as f64 * ALL) as u64;
        while let Some(at) = self.sums.iter().position(|sum| sum.site > 0 && sum.site >= whole) {
            let sum = &mut self.sums[at];
            if !sum.script.is_empty() || sum.runtime {
                break;
            }
            sum.runtime = true;
            passed.push(at);
            if sum.callers.is_empty() {
                passed.drain(..).for_each(|at| self.sums[at].runtime = false);
                return self.attribute();
            }
            self.attribute()?;
        }
        Ok(())
    }

    /// Gives each allocation to its frame and to its site.
    fn attribute(&mut self) -> Result {
        for sum in &mut self.sums {
            *sum = Sum {
                name: std::mem::take(&mut sum.name),
                script: std::mem::take(&mut sum.script),
                runtime: sum.runtime,
                total: sum.total,
                ..Sum::default()
            };
        }
        let loaded = self.loaded;
        let heap = &loaded.heap;
        let (own_frames, others) = self.own_frames();
        for at in 0..self.order.len() {
            let node = self.order[at];
            let bytes = heap.sizes.get(node);
            let leaf = self.callers[node as usize];
            if bytes == 0 || leaf == NONE || self.functions[leaf as usize] == NONE {
                continue;
            }
            let count = self.clues.count(node);
            let line = self.line(leaf);
            let sum = &mut self.sums[self.functions[leaf as usize] as usize];
            sum.own = sum.own.plus(bytes);
            sum.count = sum.count.plus(count);
            add(sum.lines.entry(line).or_default(), bytes);
            let own = own_frames[leaf as usize];
            let site = if own == NONE { leaf } else { own };
            let function = self.functions[site as usize];
            let caller = others[site as usize];
            let line = self.line(site);
            // What has its function for class has no type.
            let typed = heap.class(node).is_some() && heap.class(node) != heap.name(node);
            let class = if typed { loaded.class(node)? } else { UNTYPED.to_owned() };
            // What a trace has added up of small types is of none.
            let class = if class == "<other>" { UNTYPED.to_owned() } else { class };
            let called_by = if caller == NONE { NONE } else { self.functions[caller as usize] };
            let sum = &mut self.sums[function as usize];
            sum.site = sum.site.plus(bytes);
            sum.objects = sum.objects.plus(count);
            let of = sum.types.entry(class).or_default();
            *of = (of.0.plus(count), of.1.plus(bytes));
            add(sum.site_lines.entry(line).or_default(), bytes);
            if called_by != NONE {
                add(sum.callers.entry(called_by).or_default(), bytes);
            }
            sum.most = sum.most.max((bytes, site));
        }
        Ok(())
    }

    /// What the profile says of each stack, and which of them are of which site. Profiles of one process have the same stacks.
    fn tell_stacks_apart(&mut self) {
        if !self.clues.has_allocated() || self.clues.origin.sizes != Sizes::InUse {
            return;
        }
        let (own_frames, _) = self.own_frames();
        let mut marks = vec![0u64; self.callers.len()];
        for &node in &self.order {
            let caller = self.callers[node as usize];
            let above = marks.get(caller as usize).copied().unwrap_or(0);
            if let Some(sum) = self.sums.get(self.functions[node as usize] as usize) {
                marks[node as usize] =
                    heap_base::hash::mark((above, sum.name.as_str(), sum.script.as_str(), self.line(node)));
                continue;
            }
            let own = own_frames.get(caller as usize).copied().unwrap_or(NONE);
            let site = if own == NONE { caller } else { own };
            let function = self.functions.get(site as usize).copied().unwrap_or(NONE);
            let Some(sum) = self.sums.get_mut(function as usize) else { continue };
            let Some(allocated) = self.clues.allocated(node) else { continue };
            let mark = heap_base::hash::mark((above, allocated.labels));
            let stack = self.stacks.entry(mark).or_insert_with(|| {
                sum.stacks.push(mark);
                Stack::default()
            });
            let (held, count) = (self.loaded.heap.sizes.get(node), self.clues.count(node));
            stack.add(Stack { held, allocated: allocated.bytes, count });
        }
    }

    pub(super) fn stacks(&self) -> &Stacks {
        &self.stacks
    }

    /// What all sites hold, by a name that lasts.
    pub(super) fn by_name(&self) -> Map<String, u64> {
        let held = self.sums.iter().filter(|sum| sum.site > 0);
        held.map(|sum| (key(sum), sum.site)).collect()
    }

    pub(super) fn total(&self) -> u64 {
        self.total
    }

    /// All functions, those that allocated most themselves first.
    pub(crate) fn functions(&self) -> Vec<Function> {
        let function = |sum: &Sum| Function {
            name: sum.name.clone(),
            place: place(&sum.script, &sum.lines),
            own: sum.own,
            total: sum.total,
            count: sum.count,
            runtime: sum.runtime,
        };
        let mut rows: Vec<Function> = self.sums.iter().map(function).collect();
        sort_by(&mut rows, |a, b| (b.own, b.total).cmp(&(a.own, a.total)).then_with(|| a.name.cmp(&b.name)));
        rows
    }

    /// The sites that hold most, or have grown since `earlier` profiles.
    pub(crate) fn findings(&self, earlier: &[Earlier], limits: Limits) -> Result<Findings> {
        let origin = &self.clues.origin;
        is_series(origin, true, earlier)?;
        let differs = earlier.iter().any(|dump| dump.origin.0.sizes != origin.sizes);
        let sizes = if differs { Sizes::Change } else { origin.sizes };
        let mut totals: Vec<u64> = earlier.iter().map(|dump| dump.total).collect();
        totals.push(self.total);
        let grown = change(self.total, totals[0]);
        let floor = ((self.total as f64 * limits.share) as u64).max(limits.least.unwrap_or(0)).max(1);
        let dumps: Vec<&Stacks> = earlier.iter().map(|dump| &dump.stacks).chain([&self.stacks]).collect();
        let sampled = self.clues.sampled;
        // What chance alone may have added to all hides no growth that is certain.
        let all: Vec<u64> = self.stacks.keys().copied().collect();
        let by_chance = Samples { sampled, marks: &all, dumps: &dumps, history: &totals }
            .noise_of_what_came(0, earlier.len())
            .unwrap_or(0);
        let part = (change(grown.max(0).unsigned_abs(), by_chance).max(0) as f64 * limits.growth) as u64;
        // Less than a place of a heap must have is no growth of a site.
        let least = limits.least.unwrap_or(LEAST.min((self.total as f64 * SMALL) as u64));
        let growth_floor = floor.max(part).max(least);
        let mut suspects = Vec::new();
        for sum in &self.sums {
            let mut history: Vec<u64> = Vec::new();
            if !earlier.is_empty() {
                let key = key(sum);
                history.extend(earlier.iter().map(|dump| dump.places.retained(&key, 0)));
                history.push(sum.site);
            }
            let growth = history.first().map(|&first| change(sum.site, first));
            let samples = Samples { sampled, marks: &sum.stacks, dumps: &dumps, history: &history };
            let has_grown = growth.is_some_and(|growth| {
                growth > 0 && growth.unsigned_abs() >= growth_floor && samples.have_grown()
            });
            let is_sure = has_grown && samples.are_sure() && !samples.come_and_go();
            if has_grown || sum.site >= floor {
                suspects.push(self.suspect(sum, history, growth, (has_grown, is_sure))?);
            }
        }
        raise(&mut suspects, grown);
        sort_by_key(&mut suspects, |of| (of.level, of.runtime, Reverse(of.weight()), of.place.clone()));
        for level in [Level::Leak, Level::Large, Level::Note] {
            let mut left = limits.most;
            suspects.retain(|of: &Suspect| {
                let keep = of.level != level || left > 0;
                left -= usize::from(of.level == level && keep);
                keep
            });
        }
        let rows = suspects.iter().filter(|of| of.kind == Kind::Growth);
        let last = (origin, None, Some(self.total));
        let explained = sum_of_changes(rows.map(|of| of.growth.unwrap_or(0)));
        Ok(Findings {
            suspects,
            totals,
            explained: (grown > 0).then(|| (explained as f64 / grown as f64).clamp(0.0, 1.0)),
            sizes,
            doubt: disorder(last, earlier)
                .or_else(|| repetition(last, earlier))
                .or_else(|| self.is_unchanged(earlier).then_some(Doubt::Vague(UNCHANGED))),
            ..Findings::default()
        })
    }

    /// Whether a profile has the figures of the one before at all its sites.
    fn is_unchanged(&self, earlier: &[Earlier]) -> bool {
        let now = self.by_name();
        let mut later = earlier.iter().skip(1).map(|dump| &dump.places.figures).chain([&now]);
        earlier.iter().any(|dump| later.next().is_some_and(|next| *next == dump.places.figures))
    }

    /// A row; whether it has grown, and in each step by more than sampling alone may make, or than what comes and goes does.
    fn suspect(
        &self,
        sum: &Sum,
        history: Vec<u64>,
        growth: Option<i64>,
        (has_grown, is_sure): (bool, bool),
    ) -> Result<Suspect> {
        let share = if self.total == 0 { 0.0 } else { sum.site as f64 / self.total as f64 };
        let course = (history.len() > 1).then(|| course_of_samples(&history));
        let level = match course {
            _ if sum.runtime => Level::Note,
            // What was ever allocated cannot but grow, and what came may have gone again.
            Some(Course::Steady) if is_sure && self.clues.origin.sizes == Sizes::InUse => Level::Leak,
            _ if share >= LARGE || has_grown => Level::Large,
            _ => Level::Note,
        };
        let mut types: Vec<_> = sum.types.iter().collect();
        sort_by(&mut types, |a, b| (b.1.1, a.0).cmp(&(a.1.1, b.0)));
        let holding = |(class, &(count, retained)): (&String, &(u64, u64))| Holding {
            class: class.clone(),
            count,
            retained,
            own: false,
        };
        let at = place(&sum.script, &sum.site_lines);
        Ok(Suspect {
            kind: if has_grown { Kind::Growth } else { Kind::Accumulation },
            level,
            id: None,
            class: sum.name.clone(),
            retained: sum.site,
            external: 0,
            share,
            growth,
            history,
            course,
            turnover: 0,
            place: if at.is_empty() { sum.name.clone() } else { format!("{} ({at})", sum.name) },
            path: self.path(sum)?,
            holds: types.into_iter().map(holding).collect(),
            behind: None,
            allocated: None,
            certain: true,
            runtime: sum.runtime,
            left_over: false,
            unseen: Unseen::Nothing,
            site: Some(Site { sizes: self.clues.origin.sizes, callers: self.callers_of(sum) }),
        })
    }

    /// Who called a site: the way up from its only caller, or those through which most came.
    fn callers_of(&self, sum: &Sum) -> String {
        let mut callers: Vec<(u32, u64)> = sum.callers.iter().map(|(&of, &bytes)| (of, bytes)).collect();
        let name = |of: u32| self.sums[of as usize].name.as_str();
        sort_by(&mut callers, |a, b| b.1.cmp(&a.1).then_with(|| name(a.0).cmp(name(b.0))));
        let Some(&(first, bytes)) = callers.first() else {
            return if sum.runtime { self.outermost(sum) } else { String::new() };
        };
        if (bytes as f64) < sum.site as f64 * MAINLY {
            let mut text: Vec<&str> = callers.iter().take(CALLERS - 1).map(|&(of, _)| name(of)).collect();
            let more = callers.len() - text.len();
            let rest = format!("{more} more");
            if more > 0 {
                text.push(&rest);
            }
            return text.join(", ");
        }
        let (mut names, mut at) = (Vec::new(), sum.most.1);
        let mut last = NONE;
        while at != NONE {
            let function = self.functions[at as usize];
            if function != NONE && function != last && !self.sums[function as usize].runtime {
                last = function;
                names.push(name(function));
            }
            at = self.callers[at as usize];
        }
        let up = names.iter().skip_while(|of| **of != name(first)).take(CALLERS);
        let mut text = up.copied().collect::<Vec<_>>().join(" ← ");
        if names.len() > CALLERS + 1 {
            let _ = write!(text, " ← …");
        }
        text
    }

    /// Of what nobody of the program has called, such as a library's own threads, the outermost call through which most came:
    /// it says whose it is.
    fn outermost(&self, sum: &Sum) -> String {
        let (mut at, mut outer) = (sum.most.1, NONE);
        let site = self.functions.get(at as usize).copied().unwrap_or(NONE);
        while at != NONE {
            let function = self.functions[at as usize];
            if function != NONE && function != site {
                outer = function;
            }
            at = self.callers[at as usize];
        }
        self.sums.get(outer as usize).map_or(String::new(), |of| of.name.clone())
    }

    /// The stack through which most came, the outermost frame first; calls of a function by itself are there once.
    fn path(&self, sum: &Sum) -> Result<Vec<PathStep>> {
        const STEPS: usize = 64;
        let (mut path, mut at, mut last) = (Vec::new(), sum.most.1, NONE);
        while at != NONE && path.len() < STEPS {
            let function = self.functions[at as usize];
            if function == NONE || function != last {
                path.push(PathStep {
                    id: self.loaded.id(at),
                    number: self.loaded.number(at),
                    class: self.loaded.class(at)?,
                    name: self.loaded.name(at)?,
                    ..PathStep::default()
                });
            }
            last = function;
            at = self.callers[at as usize];
        }
        path.reverse();
        Ok(path)
    }
}

fn key(sum: &Sum) -> String {
    format!("{}\0{}", sum.name, sum.script)
}

/// The file with the line where most bytes are: `sessions.go:18`, `load.go:20 and 2 lines more`.
fn place(script: &str, lines: &Map<(i64, i64), u64>) -> String {
    let mut all: Vec<_> = lines.iter().filter(|((line, _), _)| *line > 0).collect();
    sort_by_key(&mut all, |&(place, &bytes)| (Reverse(bytes), *place));
    let (line, column) = all.first().map_or((0, 0), |first| *first.0);
    let mut text = source::place(file_of(script), line, column);
    match all.len() {
        _ if text.is_empty() => {}
        0 | 1 => {}
        2 => text.push_str(" and a line more"),
        more => {
            let _ = write!(text, " and {} lines more", more - 1);
        }
    }
    text
}

/// Of sites of the runtime's that together are most of what a profile has grown by, such as the buffers of connections that are
/// never closed, the one with the most says so, as of objects of the runtime's that pile up.
fn raise(suspects: &mut [Suspect], grown: i64) {
    let piles = |of: &&mut Suspect| {
        let goes_on = matches!(of.course, Some(Course::Steady | Course::Grown));
        of.runtime && of.level == Level::Note && of.kind == Kind::Growth && goes_on && of.share >= MOST
    };
    let mut rows: Vec<&mut Suspect> = suspects.iter_mut().filter(piles).collect();
    let growth = |of: &Suspect| of.growth.unwrap_or(0);
    let all = sum_of_changes(rows.iter().map(|of| growth(of)));
    if grown <= 0 || all.saturating_mul(2) < grown {
        return;
    }
    if let Some(most) = rows.iter_mut().max_by_key(|of| growth(of)) {
        most.level = Level::Large;
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use heap_ops::series::Sizes;
    use heap_record::{SnapshotSelector, read};

    use super::super::{Clues, NamedGraph};
    use crate::suspects::{Level, Limits, Suspect, loader, remember, sentences, suspects};

    /// The number of the caller, function, script and line.
    type Frame<'a> = (usize, &'a str, &'a str, u32);

    const HEAD: &str = r#"{"type":"metadata","key":"version_major","value":"1"}
{"type":"metadata","key":"heap.root","value":"1"}
{"type":"node_type","nodetypeid":1,"name":"heap.root"}
{"type":"node_type","nodetypeid":2,"name":"heap.frame","fields":{"function":"string","script_name":"string","line":"integer"}}
{"type":"node_type","nodetypeid":3,"name":"heap.allocation"}
{"type":"edge_type","edgetypeid":1,"name":"heap.calls"}
{"type":"node","subtype":1,"identifier":1}
"#;

    /// The sentences about a profile: frames with the number of their caller, script and line, and bytes allocated at frames. The
    /// root is 0, the first frame 1.
    fn sentences(frames: &[Frame], allocated: &[(usize, u64)]) -> Vec<String> {
        let (graph, clues) = loaded(frames, allocated);
        said(&suspects(graph, &clues, &[], Limits::default()).expect("findings").suspects)
    }

    fn said(found: &[Suspect]) -> Vec<String> {
        found.iter().map(|of| format!("{}: {}", of.level.name(), sentences::sentence(of))).collect()
    }

    fn loaded(frames: &[Frame], allocated: &[(usize, u64)]) -> (NamedGraph, Clues) {
        loaded_with(
            frames,
            allocated.iter().map(|&(frame, size)| (frame, size, "\"x\":{\"y\":1}".to_owned())),
        )
    }

    /// The same with what else a profile says of what was allocated.
    fn loaded_with(
        frames: &[Frame],
        allocated: impl Iterator<Item = (usize, u64, String)>,
    ) -> (NamedGraph, Clues) {
        let mut text = HEAD.to_owned();
        if frames.iter().any(|frame| !frame.2.is_empty()) {
            let runtime = r#"{"type":"metadata","key":"heap.runtime","value":"/go/*"}"#;
            let (version, rest) = text.split_once('\n').expect("lines");
            text = format!("{version}\n{runtime}\n{rest}");
        }
        let mut edges = String::new();
        let mut edge = |from: usize, to: usize| {
            let (source, dest) = (2 * from + 1, 2 * to + 1);
            let _ = writeln!(edges, r#"{{"type":"edge","subtype":1,"source":{source},"dest":{dest}}}"#);
        };
        for (number, (caller, name, script, line)) in (1..).zip(frames) {
            let place = match *script {
                "" => String::new(),
                script => format!(r#""function":"{name}","script_name":"{script}","line":{line},"#),
            };
            let id = 2 * number + 1;
            let heap = format!(r#""heap":{{"size":0,"class":"{name}","name":"{name}"}}"#);
            let _ = writeln!(text, r#"{{"type":"node","subtype":2,"identifier":{id},{place}{heap}}}"#);
            edge(*caller, number);
        }
        for (number, (frame, size, rest)) in (frames.len() + 1..).zip(allocated) {
            let name = frames[frame - 1].1;
            let id = 2 * number + 1;
            let heap =
                format!(r#""heap":{{"size":{size},"class":"{name}","name":"{name}","count":1}},{rest}"#);
            let _ = writeln!(text, r#"{{"type":"node","subtype":3,"identifier":{id},{heap}}}"#);
            edge(frame, number);
        }
        let mut load = loader();
        let text = text + &edges;
        read::read(text.as_bytes(), SnapshotSelector::All, &mut load).expect("a sound stream");
        load.build().expect("a graph")
    }

    /// Buffers of connections that are never closed: only threads of a library are below them.
    #[test]
    fn what_the_runtime_piles_up_is_large_if_it_is_most() {
        let frames = [
            (0, "main.main", "/app/m.go", 9),
            (1, "main.check", "/app/m.go", 20),
            (0, "http.serve", "/go/http.go", 3),
            (3, "bufio.New", "/go/bufio.go", 7),
        ];
        let levels = |buffers: u64| {
            let (first, last) =
                (loaded(&frames, &[(2, 400), (4, 5000)]), loaded(&frames, &[(2, 900), (4, 5000 + buffers)]));
            let earlier = [remember(first.0, &first.1, Limits::default()).expect("a profile")];
            let found = suspects(last.0, &last.1, &earlier, Limits::default()).expect("findings").suspects;
            let row = found.into_iter().filter(|row| row.class == "bufio.New");
            said(&row.collect::<Vec<_>>())
        };
        let row = "bufio.New (bufio.go:7) holds 1 object and has grown 4.9K → 9.8K: 91.7 % of the heap, called by http.serve";
        assert_eq!(levels(5000), [format!("large: {row}")]);
        let row = "bufio.New (bufio.go:7) holds 1 object: 5.2K, 85.5 % of the heap, called by http.serve";
        assert_eq!(levels(300), [format!("note: {row}")]);
    }

    /// A full cache whose samples are some more each time.
    #[test]
    fn what_sampling_alone_may_differ_by_is_no_growth() {
        let frames = [(0, "main.main", "/app/m.go", 9), (1, "main.keep", "/app/m.go", 20)];
        let level = |sampled: u64, sizes: [u64; 3]| {
            let [first, second, last] = sizes.map(|size| {
                let (graph, mut clues) = loaded(&frames, &[(2, size)]);
                clues.sampled = sampled;
                (graph, clues)
            });
            let earlier = [first, second]
                .map(|(graph, clues)| remember(graph, &clues, Limits::default()).expect("a profile"));
            let found = suspects(last.0, &last.1, &earlier, Limits::default()).expect("findings").suspects;
            found[0].level
        };
        // 123 and 135 samples: twice the root of their sum is 32. So it is from step to step.
        assert_eq!(level(4096, [503_808, 528_384, 552_960]), Level::Large);
        assert_eq!(level(0, [503_808, 528_384, 552_960]), Level::Leak);
        assert_eq!(level(4096, [503_808, 602_112, 700_416]), Level::Large);
        assert_eq!(level(4096, [503_808, 704_512, 905_216]), Level::Leak);
    }

    const KEEP: usize = 2;
    const CACHE: usize = 3;
    const READ: usize = 4;

    /// The level of each row about profiles that have a sample for each 512 KiB. Each is a list of frames with the samples that are in
    /// use and those that ever were.
    fn sampled(profiles: &[&[(usize, u64, u64)]]) -> Vec<(String, Level)> {
        const RATE: u64 = 512 << 10;
        let frames = [
            (0, "main.main", "/app/m.go", 9),
            (1, "main.keep", "/app/m.go", 20),
            (1, "main.cache", "/app/m.go", 30),
            (2, "main.keep", "/app/m.go", 21),
        ];
        let load = |profile: &[(usize, u64, u64)]| {
            let of = profile.iter().map(|&(frame, held, all)| {
                (frame, held * RATE, format!(r#""pprof":{{"alloc_space":{}}}"#, all * RATE))
            });
            let (graph, mut clues) = loaded_with(&frames, of);
            clues.sampled = RATE;
            (graph, clues)
        };
        let (last, before) = profiles.split_last().expect("profiles");
        let keep = |of: &&[(usize, u64, u64)]| {
            let (graph, clues) = load(of);
            remember(graph, &clues, Limits::default()).expect("a profile")
        };
        let earlier: Vec<_> = before.iter().map(keep).collect();
        let (graph, clues) = load(last);
        let found = suspects(graph, &clues, &earlier, Limits::default()).expect("findings").suspects;
        found.into_iter().map(|row| (row.class, row.level)).collect()
    }

    fn rows<const N: usize>(rows: [(&str, Level); N]) -> Vec<(String, Level)> {
        rows.map(|(class, level)| (class.to_owned(), level)).to_vec()
    }

    /// 18, 33 and 42 samples: beside all of these 9 are no growth, but none of them has gone.
    #[test]
    fn what_stays_is_no_chance() {
        let kept: [&[_]; 3] = [&[(KEEP, 18, 18)], &[(KEEP, 33, 33)], &[(KEEP, 42, 42)]];
        assert_eq!(sampled(&kept), rows([("main.keep", Level::Leak)]));
        // As many that took the place of others.
        let exchanged: [&[_]; 3] = [&[(KEEP, 18, 38)], &[(KEEP, 33, 83)], &[(KEEP, 42, 142)]];
        assert_eq!(sampled(&exchanged), rows([("main.keep", Level::Large)]));
        // What came and went between two of them is in none.
        let passing: [&[_]; 3] = [
            &[(KEEP, 18, 18), (READ, 1, 300)],
            &[(KEEP, 33, 33), (READ, 0, 900)],
            &[(KEEP, 42, 42), (READ, 1, 1500)],
        ];
        assert_eq!(sampled(&passing), rows([("main.keep", Level::Leak)]));
    }

    /// A step of two samples is none that chance could not make; nor are four of them altogether.
    #[test]
    fn few_samples_that_stay_are_sure_together() {
        let few = |steps: [u64; 3]| {
            let profiles = steps.map(|held| [(KEEP, held, held)]);
            sampled(&profiles.each_ref().map(|of| &of[..]))
        };
        assert_eq!(few([5, 7, 10]), rows([("main.keep", Level::Leak)]));
        assert_eq!(few([5, 7, 9]), rows([("main.keep", Level::Large)]));
        // What was large before may be about to be full.
        assert_eq!(few([30, 33, 36]), rows([("main.keep", Level::Large)]));
    }

    /// A full cache, of whose samples chance has fewer or more.
    #[test]
    fn a_leak_shows_beside_what_is_exchanged() {
        let with = |cache: [u64; 3]| {
            let profiles = [(cache[0], 5, 90), (cache[1], 8, 190), (cache[2], 11, 290)]
                .map(|(held, kept, all)| [(CACHE, held, all), (KEEP, kept, kept)]);
            sampled(&profiles.each_ref().map(|of| &of[..]))
        };
        let expected = rows([("main.keep", Level::Leak), ("main.cache", Level::Large)]);
        assert_eq!(with([82, 96, 74]), expected);
        assert_eq!(with([74, 86, 93]), expected);
    }

    #[test]
    fn what_came_is_no_heap_and_grows_by_no_leak() {
        let frames = [(0, "main.main", "/app/m.go", 9), (1, "main.keep", "/app/m.go", 20)];
        let side = |sizes, size| {
            let (graph, mut clues) = loaded(&frames, &[(2, size)]);
            clues.origin.sizes = sizes;
            (graph, clues)
        };
        let of = |before: &[(Sizes, u64)], last: (Sizes, u64)| {
            let keep = |&(sizes, size): &(Sizes, u64)| {
                let (graph, clues) = side(sizes, size);
                remember(graph, &clues, Limits::default())
            };
            let earlier: Vec<_> = before.iter().map(|one| keep(one).expect("a profile")).collect();
            let (graph, clues) = side(last.0, last.1);
            suspects(graph, &clues, &earlier, Limits::default())
        };
        let (went, came) = (Sizes::Went, Sizes::Came);
        let found = of(&[], (came, 8192)).expect("findings");
        assert_eq!(found.sizes, came);
        let row =
            "large: main.keep (m.go:20) holds 1 object: 8.0K, 100.0 % of what came, called by main.main";
        assert_eq!(said(&found.suspects), [row]);
        let found = of(&[], (went, 8192)).expect("findings");
        let row = "large: main.keep (m.go:20) held 1 object: 8.0K, 100.0 % of what went, called by main.main";
        assert_eq!(said(&found.suspects), [row]);
        assert_eq!(of(&[(went, 8192)], (came, 16384)).expect("findings").sizes, Sizes::Change);
        let grown = of(&[(came, 1 << 20), (came, 2 << 20)], (came, 3 << 20)).expect("findings");
        assert_eq!((grown.sizes, grown.suspects[0].level), (came, Level::Large));
        let what = of(&[(Sizes::InUse, 8192)], (came, 8192)).expect_err("no series").to_string();
        let expected =
            "dumps of different kinds, a heap and the difference of two, are no series: judge each by itself";
        assert_eq!(what, expected);
    }

    #[test]
    fn what_the_runtime_allocates_counts_for_its_caller() {
        let frames = [
            (0, "main.main", "/app/m.go", 9),
            (1, "main.load", "/app/m.go", 20),
            (2, "main.load", "/app/m.go", 25),
            (3, "bytes.grow", "/go/bytes.go", 7),
            (0, "runtime.malg", "/go/proc.go", 3),
        ];
        assert_eq!(
            sentences(&frames, &[(4, 5000), (2, 3000), (5, 2000)]),
            [
                "large: main.load (m.go:25 and a line more) holds 2 objects: 7.8K, 80.0 % of the heap, called by main.main",
                "note: runtime.malg (proc.go:3) holds 1 object: 2.0K, 20.0 % of the heap",
            ]
        );
    }

    #[test]
    fn what_everything_goes_through_is_the_allocator() {
        let shared = [
            (0, "start", "", 0),
            (1, "a", "", 0),
            (1, "b", "", 0),
            (2, "malloc", "", 0),
            (3, "malloc", "", 0),
        ];
        assert_eq!(
            sentences(&shared, &[(4, 6000), (5, 4000)]),
            [
                "large: a holds 1 object: 5.9K, 60.0 % of the heap, called by start",
                "large: b holds 1 object: 3.9K, 40.0 % of the heap, called by start",
            ]
        );
        // But not if nothing parts above it.
        let alone = [(0, "start", "", 0), (1, "malloc", "", 0)];
        let only = ["large: malloc holds 1 object: 5.9K, 100.0 % of the heap, called by start"];
        assert_eq!(sentences(&alone, &[(2, 6000)]), only);
    }
}
