//! Whether what a site of a profile has comes and goes, though there is more of it from profile to profile.
//!
//! A profile has no objects that could be known again. One that says what was ever allocated at a stack says how much was freed
//! there between two profiles, too. Where that is as much as was in use in the first of them, all of it may have gone, as requests
//! have that are answered. But a leak may free as much, if it is a small part of what is allocated at its stack. It shows in
//! this: the same part of all that is allocated stays. What comes and goes has no such part: there is more of it when more
//! comes, or at the time at which a buffer is about to be flushed.

use heap_base::Plus;

use super::filling::FEW_BYTES;
use super::growth::since_quiet;
use super::sampling::{Samples, Stack, Stacks};

/// The part of what comes and goes has grown by that may have come beside it and stayed.
const REST: f64 = 1.0 / 3.0;
/// Objects of a stack that may be the tables of what comes and goes.
const FEW: u64 = 8;
/// The part of what was in use that must have been freed so that all of it may have gone.
const ALL: f64 = 0.9;
/// The part of it that must have been freed where what comes goes, too, as of generations of which two are in use.
const OF_GENERATIONS: f64 = 0.4;
/// By which part two values may differ that are taken as the same.
const SAME: f64 = 0.125;
/// How many times more than what is in use must be freed at a stack that mostly has what does not stay.
const BUSY: f64 = 4.0;

/// Whether two values are the same, but for some bytes by which chance may let them differ.
fn is_same(value: f64, expected: f64, by_chance: f64) -> bool {
    (value - expected).abs() <= (expected * SAME).max(by_chance)
}

/// What was allocated and what was freed between two profiles.
fn between(before: Stack, after: Stack) -> (f64, f64) {
    let came = after.allocated.saturating_sub(before.allocated);
    (came as f64, before.held.plus(came).saturating_sub(after.held) as f64)
}

fn steps(profiles: &[Stack]) -> impl Iterator<Item = (Stack, Stack)> {
    profiles.iter().copied().zip(profiles.iter().skip(1).copied())
}

/// Whether each object of a stack is larger in the last profile, as what is copied to become larger.
fn is_larger_each(profiles: &[Stack]) -> bool {
    let each = |of: &Stack| (of.count > 0).then(|| of.held as f64 / of.count as f64);
    match (profiles.iter().find_map(each), profiles.last().and_then(each)) {
        (Some(first), Some(last)) => last > first * (1.0 + SAME),
        _ => false,
    }
}

/// Whether all that a stack had in use may have gone from each profile to the next; or, of generations, a good part of it, where
/// what came is hardly more than what went.
fn may_have_gone(profiles: &[Stack]) -> bool {
    let [first, .., before, last] = profiles else { return false };
    // What has become less at a stack may be more at another one of the site.
    if before.held == 0 || last.held < first.held || is_larger_each(profiles) {
        return false;
    }
    let freed = |part: f64| {
        steps(profiles).all(|(before, after)| between(before, after).1 >= before.held as f64 * part)
    };
    let growth = last.held.saturating_sub(first.held) as f64;
    let hardly_grows = growth <= first.held as f64 * SAME
        && steps(profiles).all(|(before, after)| growth <= between(before, after).0 * SAME);
    freed(ALL) || hardly_grows && freed(OF_GENERATIONS)
}

impl Samples<'_> {
    /// Whether most of what a site has grown by is at stacks of which all may have gone from each profile to the next, and nothing
    /// says that it piles up all the same.
    pub(super) fn come_and_go(&self) -> bool {
        let first = self.history.len() - since_quiet(self.history).len();
        let Some(last) = self.history.len().checked_sub(1).filter(|&last| first + 1 < last) else {
            return false;
        };
        if (first..last).any(|step| self.exchange(step, step + 1).is_none()) {
            return false;
        }
        let dumps = &self.dumps[first..=last];
        let (mut passing, mut tables) =
            (vec![Stack::default(); dumps.len()], vec![Stack::default(); dumps.len()]);
        for mark in self.marks {
            let of = |stacks: &&Stacks| stacks.get(mark).copied().unwrap_or_default();
            let profiles: Vec<Stack> = dumps.iter().map(of).collect();
            let into = match () {
                () if may_have_gone(&profiles) => &mut passing,
                () if profiles.iter().all(|of| of.count <= FEW) => &mut tables,
                () => continue,
            };
            into.iter_mut().zip(profiles).for_each(|(all, one)| all.add(one));
        }
        let growth_of = |all: &[Stack]| all[last - first].held as f64 - all[0].held as f64;
        let mut rest = self.history[last] as f64 - self.history[first] as f64 - growth_of(&passing);
        // A table becomes larger with what is in it, and stays.
        let in_tables = growth_of(&tables);
        if in_tables < FEW_BYTES as f64
            && passing[last - first].held as f64 >= self.history[last] as f64 / 2.0
        {
            rest -= in_tables;
        }
        growth_of(&passing) > 0.0
            && rest <= growth_of(&passing) * REST
            && !self.keeps_a_part(&passing)
            && !self.keeps_at_a_pace(&passing)
    }

    /// By how much chance may let two values differ that are so many bytes of samples.
    fn by_chance(&self, bytes: f64) -> f64 {
        2.0 * (bytes * self.sampled as f64).sqrt()
    }

    /// Whether the same part of all that was ever allocated is in use in each profile: a leak from the start.
    fn keeps_a_part(&self, profiles: &[Stack]) -> bool {
        let Some(first) = profiles.first() else { return false };
        let (held, allocated) = (first.held as f64, first.allocated as f64);
        held > 0.0
            && profiles.iter().skip(1).all(|of| {
                let more = of.allocated as f64 / allocated;
                let by_chance = self.by_chance(of.held as f64 + held * more * more);
                is_same(of.held as f64, held * more, by_chance)
            })
    }

    /// Whether as much is allocated in each step, and as much of that stays, where many times more than what is in use is freed: a
    /// leak beside what comes and goes at the same stack. What comes and goes does not become more where no more comes.
    fn keeps_at_a_pace(&self, profiles: &[Stack]) -> bool {
        let grown = |(before, after): (Stack, Stack)| after.held as f64 - before.held as f64;
        let Some(one) = steps(profiles).next() else { return false };
        let (came, kept) = (between(one.0, one.1).0.max(1.0), grown(one));
        steps(profiles).all(|step| {
            let (next, freed) = between(step.0, step.1);
            let by_chance = self.by_chance(step.0.held as f64 + step.1.held as f64);
            freed >= step.0.held as f64 * BUSY
                && is_same(next, came, self.by_chance(next + came))
                && is_same(grown(step), kept * next / came, by_chance)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::sampling::{Samples, Stack, Stacks};

    /// A stack: bytes of each object, and how many are in use and how many ever were in each of three profiles.
    type Of = (u64, [u64; 3], [u64; 3]);

    /// Whether a site comes and goes that has so many stacks, each with a sample for so many bytes.
    fn come_and_go_of(sampled: u64, stacks: &[Of]) -> bool {
        let marks: Vec<u64> = (1..).take(stacks.len()).collect();
        let dumps = [0, 1, 2].map(|dump| {
            let stack = |&(size, held, all): &Of| Stack {
                held: held[dump] * size,
                allocated: all[dump] * size,
                count: held[dump],
            };
            marks.iter().copied().zip(stacks.iter().map(stack)).collect::<Stacks>()
        });
        let history = dumps.each_ref().map(|stacks| stacks.values().map(|stack| stack.held).sum());
        Samples { sampled, marks: &marks, dumps: &dumps.each_ref(), history: &history }.come_and_go()
    }

    fn come_and_go(stacks: &[Of]) -> bool {
        come_and_go_of(0, stacks)
    }

    /// Requests that are answered: four times, once and twenty times between two profiles.
    #[test]
    fn traffic_that_rises_comes_and_goes() {
        let held = [700, 1300, 2000];
        assert!(come_and_go(&[(1536, held, [3600, 8800, 16_800])]));
        assert!(come_and_go(&[(1536, held, [900, 2200, 4200])]));
        assert!(come_and_go(&[(1536, held, [18_000, 44_000, 84_000])]));
        assert!(come_and_go(&[(1536, held, [3600, 8800, 16_800]), (352, held, [3600, 8800, 16_800])]));
        // Half of them stay, or all do.
        assert!(!come_and_go(&[(1536, held, [900, 1800, 2900])]));
        assert!(!come_and_go(&[(1536, held, held)]));
        // What comes and goes at another stack of the site says nothing of it.
        assert!(!come_and_go(&[(1536, held, held), (96, [1, 1, 2], [9000, 20_000, 40_000])]));
    }

    #[test]
    fn a_buffer_that_is_flushed_and_generations_come_and_go() {
        assert!(come_and_go(&[(288, [1500, 3000, 4400], [11_500, 18_000, 24_400])]));
        let held = [201_000, 203_000, 205_000];
        assert!(come_and_go(&[(384, held, [201_000, 303_000, 406_000])]));
        // What is less at one stack is more at another one, though the site has hardly more.
        let moved = [
            (16, [98_000, 146_000, 205_000], [98_000, 200_000, 302_000]),
            (16, [103_000, 57_000, 0], [103_000, 104_000, 106_000]),
        ];
        assert!(come_and_go(&[(384, held, [201_000, 303_000, 406_000]), moved[0], moved[1]]));
        // A third of what there is has gone, and as much has come.
        assert!(!come_and_go(&[(384, held, [201_000, 270_000, 340_000])]));
    }

    /// The same part of what comes stays, from the start of the process: a twentieth, or a quarter, as chance has it.
    #[test]
    fn what_stays_of_much_that_goes_is_no_coming_and_going() {
        assert!(!come_and_go(&[(320, [2000, 3000, 4000], [40_000, 60_000, 80_000])]));
        assert!(!come_and_go(&[(320, [808, 1421, 1975], [3401, 5883, 8266])]));
        // A twentieth since the first profile, of as many that come; but not of what is half as much again each time.
        assert!(!come_and_go(&[(320, [1000, 2000, 3000], [220_000, 240_000, 260_000])]));
        assert!(come_and_go(&[(320, [1000, 2000, 3500], [220_000, 240_000, 270_000])]));
    }

    #[test]
    fn what_is_copied_to_become_larger_does_not_go() {
        // One object with a stack for each size, or with one where the profile has no sizes.
        assert!(!come_and_go(&[
            (1 << 20, [1, 0, 0], [3, 3, 3]),
            (2 << 20, [0, 1, 0], [0, 2, 2]),
            (4 << 20, [0, 0, 1], [0, 0, 1]),
        ]));
        let profiles = [(1, 2), (2, 6), (4, 14)].map(|(held, allocated)| Stack { held, allocated, count: 1 });
        assert!(!super::may_have_gone(&profiles));
        let many = [(1, 2), (2, 6), (4, 14)].map(|(held, allocated)| Stack { held, allocated, count: held });
        assert!(super::may_have_gone(&many));
    }

    /// A table that doubles is most of what has grown, and is no more than that of what comes and goes.
    #[test]
    fn a_table_stays_where_what_is_in_it_goes() {
        let rest = (64, [840, 1200, 1560], [5500, 10_500, 17_000]);
        assert!(come_and_go(&[rest, (40 << 10, [1, 1, 0], [1, 1, 1]), (80 << 10, [0, 0, 1], [0, 0, 1])]));
        assert!(!come_and_go(&[rest, (4096, [10, 20, 30], [10, 20, 30])]));
        assert!(!come_and_go(&[rest, (512 << 10, [1, 1, 2], [1, 1, 2])]));
    }

    /// Of few samples nobody knows whether the same part stays.
    #[test]
    fn chance_may_make_the_part_that_stays() {
        let of = [(1536, [700, 1300, 2000], [3600, 8800, 16_800])];
        assert!(come_and_go_of(4096, &of));
        assert!(!come_and_go_of(512 << 10, &of));
    }
}
