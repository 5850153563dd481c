//! Columns, sets, identifiers and the builder against plain collections.

use std::collections::HashMap;

use super::{CLASSES, check};
use heap_base::BitSet;

use crate::{Builder, Class, Column, GraphError, IdTable, MAX_NODES, NONE};

#[test]
fn columns_hold_any_number() {
    check(300, |u| {
        let bits = u.int_in_range(1..=64u32)?;
        let mut plain: Vec<u64> = Vec::new();
        let mut column = Column::new();
        for _ in 0..u.int_in_range(0..=100)? * 8 {
            // Few bytes decide, so values repeat and the column grows long.
            let n = u64::from(u.arbitrary::<u8>()?).wrapping_mul(0x0101_0101_0101_0101) >> (64 - bits);
            if u.ratio(1, 8)? {
                let run: Vec<u64> = (0..u.int_in_range(0..=9)?).map(|i| n >> (7 * i)).collect();
                plain.extend(&run);
                column.extend(run.iter().copied());
            } else if plain.is_empty() || u.ratio(3, 4)? {
                plain.push(n);
                column.push(n);
            } else {
                let at = u.choose_index(plain.len())?;
                plain[at] = plain[at].saturating_add(n);
                column.add(at as u32, n);
            }
        }
        assert_eq!(column.iter().collect::<Vec<_>>(), plain);
        assert_eq!(column.len(), plain.len());
        column.shrink();
        let order: Vec<u32> = (0..plain.len() as u32).rev().collect();
        assert_eq!(
            column.picked(&order).iter().collect::<Vec<_>>(),
            plain.into_iter().rev().collect::<Vec<_>>()
        );
        Ok(())
    });
}

#[test]
fn columns_widen() {
    let numbers = (0..64).flat_map(|shift| (0..40).map(move |i| (1u64 << shift).wrapping_sub(i)));
    let plain: Vec<u64> = numbers.collect();
    let column: Column = plain.iter().copied().collect();
    assert_eq!(column.iter().collect::<Vec<_>>(), plain);
}

#[test]
fn columns_of_addresses() {
    let near = (0..3000u64).map(|i| 0x7f00_dead_0000 + (i * 7919 % 3000) * 48);
    let mixed = near.clone().map(|n| if n % 7 == 0 { n.rotate_left(30) } else { n });
    let few_far = near.clone().map(|n| if n % 107 == 0 { n.rotate_left(30) } else { n });
    let edges = [0, u64::MAX, 1 << 31, (1 << 31) - 1, 1 << 63, 0].into_iter().cycle().take(3000);
    for numbers in [near.collect::<Vec<_>>(), mixed.collect(), few_far.collect(), edges.collect()] {
        let mut column: Column = std::iter::repeat_n(0, 300).collect();
        column.extend(numbers.iter().copied());
        let mut plain = [vec![0; 300], numbers].concat();
        for at in [0, 299, 300, 555, 556, 3299] {
            for n in [plain[at] ^ 1 << 40, plain[at] ^ 16] {
                plain[at] = n;
                column.set(at as u32, n);
            }
        }
        assert_eq!(column.iter().collect::<Vec<_>>(), plain);
        assert_eq!(column.len(), plain.len());
        // When no more come, units are found that distances are multiples of; others may come all the same.
        for more in [1, 1 << 50] {
            column.shrink();
            assert_eq!(column.iter().collect::<Vec<_>>(), plain);
            assert!((0..).zip(&plain).all(|(at, &n)| column.get(at) == n));
            for n in [plain[700] + more, more] {
                plain[700] = n;
                column.set(700, n);
                plain.push(n);
                column.push(n);
            }
            assert_eq!(column.iter().collect::<Vec<_>>(), plain);
        }
    }
}

#[test]
fn sums_of_entries() {
    for (count, bits) in [(0, 1), (1, 9), (300, 3), (300, 8), (700, 13), (700, 31), (700, 48)] {
        let of = |at: u64| if at % 61 == 3 { 1 << bits } else { at % (1 << (bits / 2)) };
        let plain: Vec<u64> = (0..count).map(of).collect();
        let column: Column = plain.iter().copied().collect();
        for (from, to) in [(0, plain.len()), (plain.len() / 3, plain.len() / 2), (plain.len(), plain.len())] {
            assert_eq!(column.sum(from..to), plain[from..to].iter().sum::<u64>(), "{count} {bits}");
        }
    }
}

#[test]
fn bit_sets() {
    let mut set = BitSet::new(10);
    assert!(set.insert(3) && !set.insert(3) && set.insert(700));
    assert!(set.contains(3) && !set.contains(4) && !set.contains(9_999));
    assert_eq!((set.iter().collect::<Vec<_>>(), set.count()), (vec![3, 700], 2));
    set.remove(3);
    set.remove(5000);
    assert_eq!(set.iter().collect::<Vec<_>>(), [700]);
}

fn check_ids(ids: &[i64], looked_up_early: bool) {
    let mut table = IdTable::default();
    let mut plain = HashMap::new();
    for &id in ids {
        if looked_up_early {
            assert_eq!(table.get(id), Ok(plain.get(&id).copied()));
        }
        match plain.get(&id) {
            Some(&known) if looked_up_early => assert_eq!(table.push(id), Err(known)),
            Some(_) => {
                assert!(table.push(id).is_ok(), "not looked for before the first look-up");
                assert_eq!(table.distinct(), Err(id));
                assert_eq!(table.get(1), Err(id));
                return;
            }
            None => {
                assert_eq!(table.push(id), Ok(plain.len() as u32));
                plain.insert(id, plain.len() as u32);
            }
        }
    }
    assert_eq!(table.distinct(), Ok(()));
    let wanted: Vec<i64> =
        ids.iter().rev().step_by(3).flat_map(|&id| [id, id ^ 2, id & !1, id]).take(400).collect();
    let found: Vec<u32> = wanted.iter().map(|id| plain.get(id).copied().unwrap_or(NONE)).collect();
    assert_eq!(table.find_all(&wanted), found);
    for (&id, &node) in &plain {
        assert_eq!((table.get(id), table.ids().get(node)), (Ok(Some(node)), id));
        for other in [id ^ 2, id.wrapping_neg() | 1, id.wrapping_add(1 << 40)] {
            assert_eq!(table.get(other), Ok(plain.get(&other).copied()));
        }
        if plain.len() < 100 {
            assert_eq!(table.ids().find(id), Some(node));
        }
    }
}

#[test]
fn identifiers_of_every_kind() {
    let counted: Vec<i64> = (0..3000).map(|i| i * 2 + 1).collect();
    let v8: Vec<i64> =
        (0..3000).map(|i| if i < 40 { i * 2 + 1 } else { (i * 7919 % 9001) * 2 + 1001 }).collect();
    let both_signs: Vec<i64> = (0..3000).map(|i| if i % 3 == 0 { -(i * 2 + 1) } else { i * 2 + 1 }).collect();
    let addresses: Vec<i64> = (0..3000).map(|i| (0x7f00_dead_0000 + i * 48) | 1).collect();
    let late: Vec<i64> = counted.iter().copied().chain([i64::MAX, i64::MIN + 1, -1, 1 << 20 | 1]).collect();
    for ids in [counted, v8, both_signs, addresses, late] {
        check_ids(&ids, false);
        check_ids(&ids, true);
    }
    check(500, |u| {
        let mask = *u.choose(&[0xff, 0xffff, 0xffff_ffff, -1])?;
        let count = u.int_in_range(0..=60)?;
        let ids = (0..count)
            .map(|_| Ok((u.arbitrary::<i64>()? & mask) | 1))
            .collect::<arbitrary::Result<Vec<_>>>()?;
        check_ids(&ids, u.arbitrary()?);
        Ok(())
    });
}

#[test]
fn identifiers_that_occur_twice() {
    for ids in [&[1, 3, 3][..], &[1, 5, 1], &[5, 7, 5], &[9, -9, -9], &[1, 1 << 40 | 1, 1 << 40 | 1]] {
        let mut table = IdTable::default();
        for &id in ids {
            assert!(table.push(id).is_ok());
        }
        assert!(table.distinct().is_err(), "{ids:?}");
        assert!(table.get(1).is_err(), "{ids:?}");
    }
}

#[test]
fn edges_in_any_order() {
    check(1000, |u| {
        let nodes = u.int_in_range(1..=20)?;
        let mut edges = Vec::new();
        for i in 0..u.int_in_range(0..=60)? {
            let (source, dest) = (u.int_in_range(0..=nodes - 1)?, u.int_in_range(0..=nodes - 1)?);
            edges.push((source, dest, CLASSES[u.choose_index(5)?], i, (i % 7) as u8));
        }
        if u.arbitrary()? {
            edges.sort_by_key(|edge| edge.0);
        }
        let mut builder = Builder::new(true, true);
        for &(source, dest, class, label, kind) in &edges {
            builder.edge(source, dest, class, label, kind).unwrap();
        }
        // Some nodes are dropped, the others turned around.
        let map: Vec<u32> = if u.arbitrary()? {
            let kept: Vec<u32> = (0..nodes).rev().filter(|_| u.ratio(4, 5).unwrap_or(false)).collect();
            let map: Vec<u32> = (0..nodes)
                .map(|v| kept.iter().position(|&k| k == v).map_or(crate::NONE, |i| i as u32))
                .collect();
            let before = edges.len();
            edges.retain_mut(|edge| {
                (edge.0, edge.1) = (map[edge.0 as usize], map[edge.1 as usize]);
                edge.0 != crate::NONE && edge.1 != crate::NONE
            });
            assert_eq!(builder.renumber(&map), Ok((before - edges.len()) as u64));
            map.into_iter().filter(|&v| v != crate::NONE).collect()
        } else {
            (0..nodes).collect()
        };
        let graph = builder.finish(map.len() as u32).unwrap();
        edges.sort_by_key(|edge| edge.0);
        let mut found = Vec::new();
        for source in 0..graph.nodes() {
            for edge in graph.range(source) {
                let edge = edge as u32;
                assert_eq!(graph.source(edge), source);
                let link = graph.link(edge);
                found.push((
                    source,
                    link.end(),
                    link.class(),
                    graph.label(edge).unwrap().unwrap(),
                    graph.kind(edge).unwrap().unwrap(),
                ));
            }
        }
        assert_eq!(found, edges);
        Ok(())
    });
}

#[test]
fn graphs_that_cannot_be() {
    let mut builder = Builder::default();
    assert_eq!(builder.edge(0, MAX_NODES, Class::Strong, 0, 0), Err(GraphError::Nodes(MAX_NODES)));
    builder.edge(0, 5, Class::Strong, 0, 0).unwrap();
    assert_eq!(builder.finish(5).unwrap_err(), GraphError::Range(5));
    assert_eq!(Builder::default().finish(MAX_NODES + 1).unwrap_err(), GraphError::Nodes(MAX_NODES));
    assert_eq!(GraphError::Range(5).to_string(), "an edge at node 5, which does not exist");
}
