//! heap-redact: tokens in place of texts, to share a dump with strangers. See `man/heap-redact.1`.

use crate::redact::rows;
use crate::redact::{Joined, Rules, passes, read_key};
use heap_cli::{Args, Error, Example, Flag, INPUT, Input, Out, Status, Tool, output, own, switch};
use heap_ops::select::Glob;
use heap_record::write::Form;
use heap_record::{Discard, Sink, Writer};
use heap_spool::Pending;
use std::ffi::OsString;
use std::io::{BufWriter, Write};
use std::path::Path;

/// What --sort takes.
const COLUMNS: &[&str] = &["place", "where", "finding", "redacted", "kept", "text"];

/// Options, examples and notes of the tool.
pub const TOOL: Tool = Tool {
    name: "heap-redact",
    about: "replace texts by tokens of the same length",
    usage: "[OPTIONS] [FILE...]",
    flags: &[
        own(&[
            switch(None, "labels", "labels too: names of properties and variables"),
            switch(
                None,
                "names",
                "names too: of classes, functions, code and roots, and what else the source says of the program",
            ),
            switch(
                None,
                "files",
                "paths and addresses of scripts and libraries too, and names that hold one",
            ),
            switch(
                None,
                "numbers",
                "leave out numbers that the program computes with: small integers, heap numbers, dates",
            ),
            switch(Some('a'), "all", "all of the four above"),
            Flag {
                short: None,
                long: "keep",
                value: Some("GLOB"),
                help: "keep texts that match, wherever they stand\n\
                       The characters * and ? stand for any text and any one character. May be given more than once.",
            },
            Flag {
                short: None,
                long: "key-file",
                value: Some("FILE"),
                help: "make tokens with the secret in this file, of 16 bytes or more\n\
                       Dumps redacted with the same key have the same tokens and can be compared. Without it the key \
                       comes from the texts of the input itself.",
            },
            Flag {
                short: None,
                long: "map",
                value: Some("FILE"),
                help: "write token and text of all that is redacted to FILE\n\
                       For the owner: the file can be read by nobody else.",
            },
            switch(
                None,
                "audit",
                "write no records, but counts of what stays; status 1 if anything that stays looks like a secret\n\
                       With --keep '*' everything stays. Numbers stay without --numbers; those that pass the check digit of \
                 cards are reported.",
            ),
        ]),
        output(COLUMNS),
        INPUT,
    ],
    examples: &[
        Example {
            about: "a dump to share",
            command: "heap-redact app.heapsnapshot | zstd -q > share.ndjson.zst",
        },
        Example {
            about: "nothing but numbers and shapes; classes of the language stay readable",
            command: "heap-redact --all --keep Array --keep Object app.heapsnapshot | heap-sum",
        },
        Example { about: "what would stay readable", command: "heap-redact --audit app.heapsnapshot" },
        Example {
            about: "labels that look like secrets, with jq",
            command: "heap-redact --audit --keep '*' app.heapsnapshot | jq -c 'select(.finding and .place==\"label\")'",
        },
    ],
    notes: "Contents are always redacted: the text of strings and regular expressions, and every field of text that is \
            not known to be something else. Names, labels and paths stay unless asked for, but for those that look \
            like a secret (keys, access tokens, addresses, card numbers, random-looking words). Text of a namespace or section that nothing is known of is contents. A text that is \
            contents in one place and a label in another goes in the first and stays in the second: JavaScript keeps \
            a string for each property name.\n\n\
            A token has as many UTF-16 units as its text, equal texts have equal tokens, and different texts have \
            different ones. Graph, sizes and numbers of objects do not change.\n\n\
            The input is read twice; one that cannot be is kept in a spool file.",
    exit: &[
        ("0", "done"),
        ("1", "with --audit: something that looks like a secret stays"),
        ("2", "wrong usage, input that cannot be read or is damaged, or output that fails"),
    ],
    run,
};

fn run(args: &mut Args, out: &mut Out) -> Result<Status, Error> {
    let mut rules = Rules::default();
    let (mut key, mut map, mut audit) = (None, None, false);
    while let Some(option) = args.next()? {
        match option {
            "labels" => rules.labels = true,
            "names" => rules.names = true,
            "files" => rules.files = true,
            "numbers" => rules.numbers = true,
            "all" => (rules.labels, rules.names, rules.files, rules.numbers) = (true, true, true, true),
            "keep" => rules.keep.push(Glob::new(&args.text()?)),
            "key-file" => key = Some(of_owner(args.value()?, read_key)?),
            "map" => map = Some(args.value()?),
            "audit" => (audit, rules.audit) = (true, true),
            _ => return Err(args.unexpected()),
        }
    }
    let inputs = args.inputs()?.again();
    let several = inputs.len() > 1;
    let mut report = rows::report(several, &args.output)?;
    let map = map.map(|path| of_owner(path, Pending::create_secret)).transpose()?;
    let mut texts_of = map.as_ref().map(Pending::writer).transpose()?.map(BufWriter::new);
    // Without values of options, which may be private.
    let provenance = args.generator() + &rules.options();
    let mut redact = |index, input: &mut Input, sink: &mut dyn Sink| {
        let map = texts_of.as_mut().map(|map| map as &mut dyn Write);
        let mut first = None;
        passes(&rules, key, map, sink, |pass| match first {
            Some(first) => inputs.read_again(index, input, first, pass),
            None => Ok(*first.insert(inputs.read_open(index, input, pass)?)),
        })
    };
    let mut finds = false;
    if audit {
        heap_cli::answers();
        let mut nothing = Joined::new(Discard);
        let (mut redacted, mut texts, mut facts) = (0, 0, 0);
        for (index, mut input) in inputs.opened() {
            let (mut found, _) = redact(index, &mut input, &mut nothing)?;
            if found.finds_joined() {
                found.joined_stays(nothing.take_audit()?);
            } else {
                nothing.forget();
            }
            let name = inputs.name(index).map(|n| n.to_string_lossy().into_owned());
            rows::add(&found, several.then(|| name.into()).as_ref(), &mut report, out)?;
            let all = found.rows().filter(|(_, finding, _)| finding.is_none());
            redacted += all.map(|(.., row)| row.redacted).sum::<u64>();
            for kept in found.kept() {
                *(if kept.is_fact() { &mut facts } else { &mut texts }) += kept.count;
            }
            finds |= found.finds();
        }
        let table = args.output.is_table(out);
        rows::end(several, redacted, texts, facts, table, report, out)?;
    } else {
        let mut writer = Writer::new(&mut *out).form(Form::Canonical).provenance(provenance, true);
        for (index, mut input) in inputs.opened() {
            redact(index, &mut input, &mut writer)?;
        }
        writer.finish(inputs.is_intact())?;
    }
    if let (Some(map), Some(mut texts)) = (map, texts_of) {
        texts.flush().map_err(heap_base::Error::write)?;
        map.persist()?;
    }
    Ok(if finds { inputs.status().max(Status::No) } else { inputs.status() })
}

/// Opens a file of the owner's. Errors name it.
fn of_owner<T>(path: OsString, open: fn(&Path) -> heap_base::Result<T>) -> Result<T, Error> {
    open(path.as_ref()).map_err(|e| Error::Failed(Some(path), e))
}
