//! Own values out of cumulative cells: whatever is cut off, sums by stack and by type stay.

use std::collections::BTreeMap;

use crate::cube::{Amount, split};
use crate::heap::{Cell, OTHER, ROOT};
use crate::rows::NO_COUNT;
use crate::texts::NONE;

/// Bytes and counts by slot and type.
type Table = BTreeMap<(u32, u32), (u64, u64)>;

/// A frame and all that called it, the root last.
fn callers(parents: &[u32], slot: u32) -> Vec<u32> {
    let mut list = vec![slot];
    while let Some(&at) = list.last().filter(|&&at| at != ROOT) {
        list.push(parents[at as usize]);
    }
    list
}

/// All cells of a table, cumulative.
fn cumulative(parents: &[u32], table: &Table) -> Table {
    let mut sums = Table::new();
    for (&(slot, class), &(size, count)) in table {
        for at in callers(parents, slot) {
            for class in [class, NONE] {
                let sum = sums.entry((at, class)).or_default();
                *sum = (sum.0 + size, sum.1 + count);
            }
        }
    }
    sums
}

#[test]
fn sums_by_stack_and_by_type_stay() {
    arbtest::arbtest(|u| {
        let n_frames = u.int_in_range(0..=8u32)?;
        let mut parents = Vec::new();
        for slot in 0..n_frames {
            parents.push(u.int_in_range(0..=slot)?.wrapping_sub(1));
        }
        let mut table = Table::new();
        for _ in 0..u.int_in_range(1..=30)? {
            let slot = u.int_in_range(0..=n_frames)?.wrapping_sub(1);
            let cell = table.entry((slot, u.int_in_range(0..=4)?)).or_default();
            *cell = (cell.0 + u.int_in_range(0..=100)?, cell.1 + u.int_in_range(0..=9)?);
        }
        let sums = cumulative(&parents, &table);
        // What a frame has in all is known of all frames; of the rest what is large, or by chance.
        let cut = u.int_in_range(0..=150u64)?;
        let by_chance = u.arbitrary::<bool>()?;
        let mut cells = Vec::new();
        for (&(slot, class), &(size, count)) in &sums {
            if class == NONE || if by_chance { u.arbitrary()? } else { size >= cut } {
                cells.push(Cell { size, count, slot, class });
            }
        }
        let mut own = vec![Amount::default(); parents.len() + 1];
        for (&(slot, _), &(size, count)) in &table {
            let own = &mut own[slot.wrapping_add(1) as usize];
            *own = Amount { size: own.size + size, count: own.count + count };
        }
        let found = split(&parents, &own, &cells, true);
        assert_eq!(found.inconsistent, 0);
        let mut rows = Table::new();
        let mut marked = 0;
        for (at, row) in (0..).zip(&found.rows) {
            let old = rows.insert((row.slot, row.class), (row.size, row.count));
            assert_eq!(old, None, "one row for a frame and a type");
            assert!(row.size > 0 || row.count > 0);
            marked += if found.inexact.contains(&at) { row.size } else { 0 };
        }
        assert!(found.unplaced <= marked);
        let again = cumulative(&parents, &rows);
        for (key, sum) in sums.iter().filter(|((_, class), _)| *class == NONE) {
            assert_eq!(again.get(key).copied().unwrap_or_default(), *sum, "by stack {key:?}");
        }
        // Of each type what its topmost cells say, which is everything where the root has one.
        for class in 0..=4 {
            let given = |slot: u32| cells.iter().find(|cell| (cell.slot, cell.class) == (slot, class));
            let tops = cells.iter().filter(|cell| {
                cell.class == class && callers(&parents, cell.slot)[1..].iter().all(|&at| given(at).is_none())
            });
            let sum = tops.fold((0, 0), |sum, cell| (sum.0 + cell.size, sum.1 + cell.count));
            assert_eq!(again.get(&(ROOT, class)).copied().unwrap_or_default(), sum, "type {class}");
        }
        // If nothing is cut off, nothing is open.
        if cells.len() == sums.len() {
            assert_eq!((found.unplaced, found.inexact.len()), (0, 0));
            table.retain(|_, &mut value| value != (0, 0));
            assert_eq!(rows, table);
        }
        Ok(())
    });
}

/// A type that has more than its frame is cut to what that has.
#[test]
fn what_is_too_much_is_left_out() {
    let cell = |size, slot, class| Cell { size, count: NO_COUNT, slot, class };
    let own = [Amount { size: 16, count: 0 }];
    let found = split(&[], &own, &[cell(16, ROOT, NONE), cell(20, ROOT, 3)], false);
    assert_eq!((found.rows.len(), found.inconsistent), (1, 1));
    let row = found.rows[0];
    assert_eq!((row.size, row.count, row.slot, row.class), (16, NO_COUNT, ROOT, 3));
    let found = split(&[], &own, &[cell(16, ROOT, NONE)], false);
    assert_eq!(found.rows[0].class, OTHER);
}

/// Neither deep stacks nor many types take more than a little time for each cell.
#[test]
fn large_tables_take_little_time() {
    let n = 20_000;
    let parents: Vec<u32> = (0..n).map(|slot: u32| slot.wrapping_sub(1)).collect();
    let mut own = vec![Amount { size: 0, count: 0 }; parents.len() + 1];
    own[n as usize].size = u64::from(n);
    let cell = |slot: u32, class| Cell { size: 1, count: NO_COUNT, slot, class };
    // Every type is at the root, and all room is at the far end.
    let cells: Vec<_> = (0..n).flat_map(|i| [cell(ROOT, i), cell(i / 2, 0)]).collect();
    let found = split(&parents, &own, &cells, false);
    assert_eq!(found.rows.iter().map(|row| row.size).sum::<u64>(), u64::from(n));
}
