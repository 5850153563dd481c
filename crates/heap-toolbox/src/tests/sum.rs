//! Sums of batches, and remembered verdicts, against the nodes taken one by one.

use heap_record::{Node, NodeBatch, PlainNode, Sink};

use super::selection;
use crate::sum::{By, Sum};
use heap_ops::select::{Matcher, Selection};
use heap_ops::stream::Context;

/// Nodes of some classes and subtypes, few of each.
fn run(u: &mut arbitrary::Unstructured<'_>) -> arbitrary::Result<Vec<PlainNode>> {
    let node = |u: &mut arbitrary::Unstructured<'_>| {
        Ok(PlainNode {
            subtype: *u.choose(&[1, 2, 300])?,
            own: 0,
            id: 1,
            size: u.arbitrary::<u64>()? >> u.int_in_range(0..=63)?,
            class: u.arbitrary()?,
            text: false,
            string: *u.choose(&[-5, 0, 1, 7, 1 << 30])?,
        })
    };
    (0..u.int_in_range(0..=9)?).map(|_| node(u)).collect()
}

#[test]
fn a_batch_adds_up_to_what_its_nodes_do() {
    arbtest::arbtest(|u| {
        let keys = [vec![], vec![By::Class], vec![By::Subtype], vec![By::Class, By::Subtype]];
        let by = u.choose(&keys)?;
        let keep_groups = u.arbitrary()?;
        let sum = || {
            let mut sum = Sum::new(by.clone(), Selection::default());
            if keep_groups {
                sum.report_mut().keep_groups();
            }
            sum
        };
        let (mut batches, mut single) = (sum(), sum());
        for _ in 0..u.int_in_range(1..=4)? {
            let nodes = run(u)?;
            let batch = NodeBatch::Plain { nodes: &nodes, own: b"" };
            batches.nodes(&batch).expect("memory takes everything");
            for node in &nodes {
                let node = node.with(b"");
                single.nodes(&NodeBatch::one(&node)).expect("memory takes everything");
            }
        }
        let [batches, single] = [batches, single].map(|mut sum| {
            let (list, groups) = sum.report_mut().take_groups();
            let groups = (list.iter().collect::<Vec<_>>(), groups);
            sum.finish(true).expect("memory takes everything");
            let mut rows: Vec<_> = sum.report().rows().iter().map(|row| format!("{row:?}")).collect();
            rows.sort();
            (groups, rows)
        });
        assert_eq!(batches, single);
        Ok(())
    });
}

#[test]
fn what_is_known_of_a_node_is_the_verdict_on_it() {
    let mut known = [0, 0];
    for flags in [
        &[("type", "<string 1>")][..],
        &[("type", "<string*"), ("class", "*7>")],
        &[("class", "-*"), ("invert", "")],
        &[("type", "*"), ("min-size", "100")],
        &[("subtype", "*")],
        &[],
    ] {
        // So many cases on any machine, the same in every run: random bits above, the number of bytes below.
        for i in 1..=50u32 {
            let seed = u64::from(i.wrapping_mul(0x9E37_79B9)) << 32 | 4096;
            arbtest::arbtest(|u| {
                let context = Context::default();
                let mut matcher = Matcher::new(selection(flags));
                for plain in run(u)?.iter().cycle().take(20) {
                    let node: Node<'_> = plain.with(b"");
                    let before = matcher.known(&node);
                    let verdict = matcher.matches(&node, &context).expect("nothing is read");
                    assert!(before.is_none_or(|before| before == verdict), "{flags:?} {node:?}");
                    known[usize::from(before.is_some())] += 1;
                }
                Ok(())
            })
            .seed(seed);
        }
    }
    assert!(known[0] > 0 && known[1] > 100, "{known:?}");
}
