//! Sums of runs, and verdicts that are known already, against the nodes taken one by one.

use heap_record::{Node, PlainNode, Sink};

use super::selection;
use crate::context::Context;
use crate::select::{Matcher, Selection};
use crate::sum::{By, Sum};

/// Nodes of some classes and subtypes, few of each.
fn run(u: &mut arbitrary::Unstructured<'_>) -> arbitrary::Result<Vec<PlainNode>> {
    let node = |u: &mut arbitrary::Unstructured<'_>| {
        Ok(PlainNode {
            subtype: *u.choose(&[1, 2, 300])?,
            own: 0,
            id: 1,
            size: u.arbitrary::<u64>()? >> u.int_in_range(0..=63)?,
            class: u.arbitrary()?,
            string: *u.choose(&[-5, 0, 1, 7, 1 << 30])?,
        })
    };
    (0..u.int_in_range(0..=9)?).map(|_| node(u)).collect()
}

#[test]
fn a_run_of_nodes_adds_up_to_what_its_nodes_do() {
    arbtest::arbtest(|u| {
        let keys = [vec![], vec![By::Class], vec![By::Subtype], vec![By::Class, By::Subtype]];
        let by = u.choose(&keys)?;
        let places = u.arbitrary()?;
        let sum = || {
            let sum = Sum::new(by.clone(), Selection::default());
            if places { sum.with_places() } else { sum }
        };
        let (mut runs, mut single) = (sum(), sum());
        for _ in 0..u.int_in_range(1..=4)? {
            let run = run(u)?;
            runs.nodes(&run, b"").expect("memory takes everything");
            for node in &run {
                single.node(&node.with(b"")).expect("memory takes everything");
            }
        }
        let told = [runs, single].map(|mut sum| {
            let (list, groups) = sum.places().expect("memory takes everything");
            let places = (list.to_vec(), groups);
            sum.finish(true).expect("memory takes everything");
            let mut rows: Vec<_> = sum.rows().iter().map(|row| format!("{row:?}")).collect();
            rows.sort();
            (places, rows)
        });
        assert_eq!(told[0], told[1]);
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
        arbtest::arbtest(|u| {
            let context = Context::default();
            let mut matcher = Matcher::new(selection(flags));
            for plain in run(u)?.iter().cycle().take(20) {
                let node: Node<'_> = plain.with(b"");
                let before = matcher.known(&node);
                let verdict =
                    matcher.matches(&node, &context.types, &context.strings).expect("nothing is read");
                assert!(before.is_none_or(|before| before == verdict), "{flags:?} {node:?}");
                known[usize::from(before.is_some())] += 1;
            }
            Ok(())
        })
        .budget_ms(100);
    }
    assert!(known[0] > 0 && known[1] > 100, "{known:?}");
}
