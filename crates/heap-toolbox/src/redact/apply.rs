//! The second pass: records with tokens in place of texts.

use std::io::Write;

use std::borrow::Cow;

use heap_base::json::push_text;
use heap_base::{Error, Map, NumberMap, Result};
use heap_record::{
    Data, Declaration, Declared, END_NOTE, Edge, EdgeBatch, Extension, Heap, Line, Metadata, Node, NodeBatch,
    Sink, Str, StringId, Types, Value, Wants,
};

use super::audit::Audit;
use super::composed::{Form, form, has_line_end};
use super::known;
use super::members::{Owner, Rewriter, Spot, Visit, has_long_number, has_unknown, name, texts};
use super::prescan::{Plan, Prescan, Streams, TWICE, TextFields};
use super::rules::{Judged, NO_TEXT, Rules, TextRole};
use super::secret;
use super::token::{Key, Tokens};

/// A bit that is no role: other roles keep the text, so the token has a number of its own.
const SPLIT: u8 = 0x80;

/// Passes records on with tokens in place of the texts that the rules take.
///
/// Memory: three bytes for each string, 24 for each that stays in one place and goes in another, and the texts of up
/// to twelve units.
pub(crate) struct Redact<'m, S> {
    out: S,
    rules: Rules,
    plans: Vec<Plan>,
    streams: Streams,
    types: Types,
    fields: TextFields,
    text: Text<'m>,
    rewriter: Rewriter,
    own: Vec<u8>,
    rest: Vec<u8>,
    /// A name that is looked up.
    path: String,
}

/// What becomes of texts.
struct Text<'m> {
    tokens: Tokens,
    /// What became of each string of the current stream.
    fates: Fates,
    /// Fates decided before the records are read, by stream.
    decided: Option<Vec<Fates>>,
    audit: Audit,
    /// Gets token and text of all that is redacted, as JSON lines.
    map: Option<&'m mut dyn Write>,
    /// The first failure of `map`.
    failed: Option<Error>,
    buf: Vec<u8>,
}

/// What became of the strings of one stream.
#[derive(Default)]
struct Fates {
    /// The places that lose the text, and [`SPLIT`].
    lost: NumberMap<u8>,
    /// Numbers of the tokens of those that are split.
    split: Map<StringId, StringId>,
    /// The last number given.
    last: StringId,
    /// True if any label has another number or text now.
    any: bool,
}

impl<'m, S: Sink> Redact<'m, S> {
    /// Redacts what `prescan` has read, with the owner's key or one made of the input's texts.
    pub(crate) fn new(prescan: Prescan, key: Option<Key>, map: Option<&'m mut dyn Write>, out: S) -> Self {
        let (rules, plans, tokens) = prescan.into_parts(key);
        let redact_lists = rules.audit;
        let mut redact = Self {
            out,
            rules,
            plans,
            streams: Streams::default(),
            types: Types::default(),
            fields: TextFields::default(),
            text: Text {
                tokens,
                fates: Fates::default(),
                decided: None,
                audit: Audit::new(redact_lists),
                map,
                failed: None,
                buf: Vec::new(),
            },
            rewriter: Rewriter::default(),
            own: Vec::new(),
            rest: Vec::new(),
            path: String::new(),
        };
        redact.begin();
        redact
    }

    /// A sink for the input's strings, to be read before its records where
    /// [`wants_strings_first`](Prescan::wants_strings_first) says so.
    pub(crate) fn strings_first(&mut self) -> Decide<'_, 'm, S> {
        self.text.decided = Some(Vec::new());
        Decide { redact: self, streams: Streams::default() }
    }

    /// What was found, once all records have come; or the first failure to write the map.
    pub(crate) fn into_audit(mut self) -> Result<Audit> {
        if let Some(map) = &mut self.text.map
            && let Err(e) = map.flush()
        {
            self.text.failed.get_or_insert_with(|| Error::write(e));
        }
        self.text.failed.map_or(Ok(self.text.audit), Err)
    }

    fn begin(&mut self) {
        let at = self.streams.at;
        let decided = self.text.decided.as_mut().and_then(|all| all.get_mut(at)).map(std::mem::take);
        let top = self.plans.get(at).map_or(0, |plan| plan.top);
        self.text.fates = decided.unwrap_or_else(|| Fates { last: top.max(0), ..Fates::default() });
    }

    /// What becomes of a string: the places that lose it, and [`SPLIT`].
    fn decide(&mut self, at: usize, record: &Str<'_>, text: &str) -> Result<u8> {
        let roles = self.plans.get(at).map_or(0, |plan| plan.roles.get(record.id)) & !SPLIT;
        let twice = roles & TWICE != 0;
        let roles = roles & !TWICE;
        // What nothing refers to is nothing that is known.
        let roles = if roles == 0 { TextRole::Value.bit() } else { roles };
        let index = is_index(record.id, text);
        let mut judged = if index { Judged::default() } else { self.rules.judge(roles, text) };
        if twice && judged.redacted != 0 {
            judged.redacted = roles;
        }
        if !index {
            self.text.audit.count(roles, judged, text);
        }
        let mut lost = judged.redacted;
        let fates = &mut self.text.fates;
        let before = fates.lost.get(record.id);
        if self.text.decided.is_some() {
            lost |= before & !SPLIT;
        }
        if lost != 0 && lost & roles != roles {
            lost |= SPLIT;
            if !fates.split.contains_key(&record.id) {
                if fates.last >= heap_base::json::MAX_EXACT as i64 {
                    return Err(Error::refused("the numbers of strings leave no room for more"));
                }
                fates.last += 1;
                fates.split.insert(record.id, fates.last);
            }
        }
        if lost | before != 0 {
            *fates.lost.slot(record.id) = lost;
        }
        fates.any |= lost != 0;
        Ok(lost)
    }

    /// A name of `record` as it is to be: what is no name that a format defines has this role.
    fn renamed<'n>(
        &mut self,
        role: TextRole,
        record: &str,
        of: &'n str,
        known: fn(&str) -> bool,
    ) -> Result<Cow<'n, str>> {
        if known(of) {
            return Ok(Cow::Borrowed(of));
        }
        let mut new = String::new();
        let mut visit = Replace { rules: &self.rules, text: &mut self.text };
        name(Spot { role, record, path: "" }, of, &mut visit, &mut new);
        self.text.failed()?;
        Ok(if new == of { Cow::Borrowed(of) } else { Cow::Owned(new) })
    }

    /// The places in which a string stays, of which `lost` lose it.
    fn stays(&self, id: StringId, lost: u8) -> u8 {
        let roles = self.plans.get(self.streams.at).map_or(0, |plan| plan.roles.get(id)) & !(SPLIT | TWICE);
        let roles = if roles == 0 { TextRole::Value.bit() } else { roles };
        roles & !lost
    }

    fn members(&mut self, owner: Owner<'_>, prefix: &str, members: &[u8]) {
        let mut visit = Replace { rules: &self.rules, text: &mut self.text };
        self.rewriter.rewrite(&self.types, owner, prefix, members, &mut visit);
    }
}

impl Fates {
    /// The number under which a place finds its text.
    #[inline]
    fn id(&self, place: TextRole, id: StringId) -> StringId {
        let lost = self.lost.get(id);
        if lost & (SPLIT | place.bit()) == SPLIT | place.bit() {
            return self.split.get(&id).copied().unwrap_or(id);
        }
        id
    }
}

impl Text<'_> {
    fn failed(&mut self) -> Result {
        self.failed.take().map_or(Ok(()), Err)
    }

    /// Appends a text with tokens in place of the names of objects in it. Of the program only names stay that the rules keep: the
    /// rest is the machine's form.
    fn in_part(&mut self, rules: &Rules, spot: (u8, &str, &str), text: &str, out: &mut String) {
        let (places, record, path) = spot;
        let Form::Names(names) = form(text) else { return out.push_str(text) };
        let mut at = 0;
        for range in names {
            out.push_str(&text[at..range.start]);
            at = range.end;
            let name = &text[range];
            if name.is_empty() || rules.keeps(name) {
                self.audit.stays(places, record, path, name);
                out.push_str(name);
                continue;
            }
            let token = self.token(name, b"");
            if has_line_end(name) {
                // What was no entry to a reader is to be none now.
                out.push('\n');
                out.extend(token.chars().skip(1));
            } else {
                out.push_str(token);
            }
        }
        out.push_str(&text[at..]);
    }

    /// The token of a text; also goes to the map.
    fn token(&mut self, text: &str, exact: &[u8]) -> &str {
        let token = self.tokens.token(text, exact);
        if let Some(map) = &mut self.map {
            self.buf.clear();
            self.buf.extend_from_slice(b"{\"type\":\"heap.redacted\",\"token\":");
            push_text(&mut self.buf, token);
            self.buf.extend_from_slice(b",\"text\":");
            push_text(&mut self.buf, text);
            self.buf.extend_from_slice(b"}\n");
            if let Err(e) = map.write_all(&self.buf) {
                self.failed.get_or_insert_with(|| Error::write(e));
                self.map = None;
            }
        }
        token
    }
}

struct Replace<'a, 'm> {
    rules: &'a Rules,
    text: &'a mut Text<'m>,
}

impl Visit for Replace<'_, '_> {
    fn id(&mut self, place: TextRole, id: StringId) -> StringId {
        self.text.fates.id(place, id)
    }

    fn text(&mut self, spot: Spot<'_>, text: &str, out: &mut String) {
        let judged = self.rules.judge(spot.role.bit(), text);
        self.text.audit.count(spot.role.bit(), judged, text);
        if judged.redacted != 0 {
            return out.push_str(self.text.token(text, b""));
        }
        if judged.in_part == 0 {
            out.push_str(text);
            self.text.audit.stays(spot.role.bit(), spot.record, spot.path, text);
        } else {
            self.text.in_part(self.rules, (spot.role.bit(), spot.record, spot.path), text, out);
        }
    }

    fn numbers(&self) -> bool {
        self.rules.numbers
    }

    fn number(&mut self, raw: &[u8]) {
        if self.rules.audit
            && let Ok(number) = std::str::from_utf8(raw)
            && let Some(looks) = secret::looks_like(number)
        {
            self.text.audit.number(looks, number);
        }
    }
}

/// True for the string of an array index.
fn is_index(id: StringId, text: &str) -> bool {
    id < 0 && text.len() <= 20 && itoa::Buffer::new().format(-(i128::from(id)) - 1) == text
}

impl<S: Sink> Redact<'_, S> {
    fn node(&mut self, node: &Node<'_>) -> Result {
        self.streams.body();
        let fields = self.fields.of(node.subtype);
        let fates = &self.text.fates;
        let class = node.heap.class.map(|id| fates.id(TextRole::Class, id));
        let name = node.heap.name.map(|id| fates.id(fields.name_place(), id));
        let owner = Owner::Node(node.subtype);
        let numbers = self.rules.numbers;
        let mut same = class == node.heap.class && name == node.heap.name;
        // Comparing slices is a call each, which most nodes can do without.
        let (audit, path) = (self.rules.audit, &mut self.path);
        let mut looked_at = |prefix: &str, members: &[u8]| {
            !members.is_empty()
                && (numbers || audit && has_long_number(members) || has_unknown(prefix, members, path))
        };
        let (own, rest) = (looked_at("", node.own), looked_at("", node.rest));
        let more = looked_at("heap.", node.heap.rest);
        let own = own || fields.asks(node.own, false);
        if own {
            self.members(owner, "", node.own);
            std::mem::swap(&mut self.own, &mut self.rewriter.out);
            same &= self.own == node.own;
        }
        let rest = rest || fields.asks(node.rest, true);
        if rest {
            self.members(owner, "", node.rest);
            std::mem::swap(&mut self.rest, &mut self.rewriter.out);
            same &= self.rest == node.rest;
        }
        let more = more || fields.asks(node.heap.rest, true);
        if more {
            self.members(owner, "heap.", node.heap.rest);
            same &= self.rewriter.out == node.heap.rest;
        }
        let own = if own { &self.own } else { node.own };
        let rest = if rest { &self.rest } else { node.rest };
        let heap_rest = if more { &self.rewriter.out } else { node.heap.rest };
        let line = if same { node.line } else { Line::default() };
        let heap = Heap { class, name, rest: heap_rest, ..node.heap };
        self.out.nodes(&NodeBatch::one(&Node { own, rest, heap, line, ..*node }))?;
        self.text.failed()
    }

    fn edge(&mut self, edge: &Edge<'_>) -> Result {
        self.streams.body();
        let is_number = |dest: Value| dest & 1 == 0;
        let numbers = self.rules.numbers && (edge.dest.is_some_and(is_number) || !edge.rest.is_empty());
        if edge.rest.is_empty() && !numbers && !self.text.fates.any {
            return self.out.edges(&EdgeBatch::one(edge));
        }
        let label = edge.label.map(|id| self.text.fates.id(TextRole::Label, id));
        let dest = edge.dest.filter(|&dest| !(numbers && is_number(dest)));
        let mut rest = edge.rest;
        let mut same = label == edge.label && dest == edge.dest;
        if !rest.is_empty() {
            self.members(Owner::Record("edge"), "", rest);
            same &= self.rewriter.out == rest;
            rest = &self.rewriter.out;
        }
        if numbers && dest.is_none() {
            // What led to a number leads nowhere.
            return self.text.failed();
        }
        let line = if same { edge.line } else { Line::default() };
        self.out.edges(&EdgeBatch::one(&Edge { label, dest, rest, line, ..*edge }))?;
        self.text.failed()
    }
}

impl<S: Sink> Sink for Redact<'_, S> {
    fn wants(&self) -> Wants {
        Wants::ALL
    }

    fn metadata(&mut self, record: &Metadata<'_>) -> Result {
        if self.streams.metadata(record) {
            self.types.clear();
            self.fields = TextFields::default();
            self.begin();
        }
        if record.key == END_NOTE {
            // That is no text of the stream. Whoever writes the copy has to know it.
            return self.out.metadata(record);
        }
        let key = self.renamed(TextRole::Label, "metadata", record.key, known::is_metadata)?;
        let mut value = String::new();
        let mut visit = Replace { rules: &self.rules, text: &mut self.text };
        let text = record.value;
        let spot = |role| Spot { role, record: "metadata", path: record.key };
        match known::metadata_role(record.key, text) {
            _ if record.key == "heap.pipeline" && known::tool_of(text).is_some() => {
                // The arguments of a tool are somebody's words.
                value.push_str(known::tool_of(text).unwrap_or_default());
            }
            None => value.push_str(text),
            Some(_) if matches!(record.key, "heap.identity" | "heap.stacks") => {
                for (i, word) in text.split(' ').enumerate() {
                    value.push_str(if i > 0 { " " } else { "" });
                    name(spot(TextRole::Label), word, &mut visit, &mut value);
                }
            }
            Some(role) if text.starts_with(['{', '[']) => {
                let (mut json, open) = (Vec::new(), role == TextRole::Value);
                texts(text.as_bytes(), spot(role), open, &mut visit, &mut String::new(), &mut json);
                value.push_str(&String::from_utf8_lossy(&json));
            }
            Some(role) => visit.text(spot(role), text, &mut value),
        }
        if known::metadata_role(record.key, &value).is_none() {
            self.text.audit.fact(record.key, &value);
        }
        self.text.failed()?;
        let line = if value == text && key == record.key { record.line } else { Line::default() };
        self.out.metadata(&Metadata { key: &key, value: &value, line })
    }

    fn declare(&mut self, record: &Declaration<'_>) -> Result {
        self.streams.body();
        self.types.declare(record);
        self.fields.declare(record);
        let (kind, name, fields, table) = match record.what {
            Declared::Record { name, fields } => ("type", name, fields, None),
            Declared::Node { name, fields, table, .. } => ("node_type", name, fields, table),
            Declared::Edge { name, .. } => ("edge_type", name, &[][..], None),
        };
        let renamed = self.renamed(TextRole::Name, kind, name, known::is_name)?;
        let said = table;
        let table = match table {
            Some(table) if table.replace('.', "_") == name.replace('.', "_") => {
                Some(Cow::Owned(if *renamed == *name { table.to_owned() } else { renamed.replace('.', "_") }))
            }
            Some(table) => Some(self.renamed(TextRole::Name, kind, table, known::is_name)?),
            None => None,
        };
        let mut same = renamed == name && table.as_deref() == said;
        // All names one behind the other: there may be any number.
        let (mut names, mut ends) = (String::new(), Vec::with_capacity(fields.len()));
        for (field, _) in fields {
            let new = self.renamed(TextRole::Label, kind, field, known::is_name)?;
            same &= new == *field;
            names.push_str(&new);
            ends.push(names.len());
        }
        let starts = std::iter::once(0).chain(ends.iter().copied());
        let others =
            starts.zip(&ends).zip(fields).map(|((start, &end), (_, of))| (names[start..end].into(), *of));
        let others = if same { Cow::Borrowed(fields) } else { Cow::Owned(others.collect()) };
        let mut what = record.what;
        match &mut what {
            Declared::Record { name, fields } => (*name, *fields) = (&renamed, &others),
            Declared::Node { name, fields, table: of, .. } => {
                (*name, *fields, *of) = (&renamed, &others, table.as_deref());
            }
            Declared::Edge { name, rest, .. } => {
                *name = &renamed;
                if !rest.is_empty() {
                    self.members(Owner::Record("edge_type"), "", rest);
                    same &= self.rewriter.out == *rest;
                    *rest = &self.rewriter.out;
                }
            }
        }
        let line = if same { record.line } else { Line::default() };
        self.out.declare(&Declaration { what, line })?;
        self.text.failed()
    }

    fn string(&mut self, record: &Str<'_>) -> Result {
        self.streams.body();
        let text = record.data.text();
        let lost = if self.text.decided.is_some() {
            self.text.fates.lost.get(record.id)
        } else {
            self.decide(self.streams.at, record, &text)?
        };
        if lost == 0 || lost & SPLIT != 0 {
            let roles = self.stays(record.id, lost);
            if !self.rules.keeps(&text) && matches!(form(&text), Form::Names(_)) {
                let mut part = String::new();
                self.text.in_part(&self.rules, (roles, "string", "data"), &text, &mut part);
                self.out.string(&Str { id: record.id, data: Data::Plain(&part), ..Str::default() })?;
                self.text.failed()?;
            } else if record.rest.is_empty() {
                if !is_index(record.id, &text) && !NO_TEXT.contains(&&*text) {
                    self.text.audit.stays(roles, "string", "data", &text);
                }
                self.out.string(record)?;
            } else {
                self.text.audit.stays(roles, "string", "data", &text);
                self.members(Owner::Record("string"), "", record.rest);
                let rest = self.rewriter.out.as_slice();
                let line = if rest == record.rest { record.line } else { Line::default() };
                self.out.string(&Str { rest, line, ..*record })?;
            }
        }
        if lost != 0 {
            let id = match lost & SPLIT {
                0 => record.id,
                _ => self.text.fates.split.get(&record.id).copied().unwrap_or(record.id),
            };
            let token = self.text.token(&text, record.rest);
            self.out.string(&Str { id, data: Data::Plain(token), ..Str::default() })?;
            self.text.failed()?;
        }
        Ok(())
    }

    fn nodes(&mut self, batch: &NodeBatch<'_>) -> Result {
        batch.try_for_each(|node| self.node(node))
    }

    fn edges(&mut self, batch: &EdgeBatch<'_>) -> Result {
        batch.try_for_each(|edge| self.edge(edge))
    }

    fn extension(&mut self, other: &Extension<'_>) -> Result {
        self.streams.body();
        let kind = self.renamed(TextRole::Name, "type", other.kind, known::is_name)?;
        self.members(Owner::Record(other.kind), "", other.body);
        let body = self.rewriter.out.as_slice();
        let line = if body == other.body && kind == other.kind { other.line } else { Line::default() };
        self.out.extension(&Extension { kind: &kind, body, line })?;
        self.text.failed()
    }

    fn flush(&mut self) -> Result {
        self.out.flush()
    }

    fn finish(&mut self, intact: bool) -> Result {
        self.out.finish(intact)
    }
}

/// Decides what becomes of strings before any record is passed on.
pub(crate) struct Decide<'a, 'm, S> {
    redact: &'a mut Redact<'m, S>,
    streams: Streams,
}

impl<S: Sink> Decide<'_, '_, S> {
    fn store(&mut self) {
        let fates = std::mem::take(&mut self.redact.text.fates);
        if let Some(all) = &mut self.redact.text.decided {
            all.push(fates);
        }
    }
}

impl<S: Sink> Sink for Decide<'_, '_, S> {
    fn wants(&self) -> Wants {
        Wants::ALL
    }

    fn metadata(&mut self, record: &Metadata<'_>) -> Result {
        if self.streams.metadata(record) {
            self.store();
            let top = self.redact.plans.get(self.streams.at).map_or(0, |plan| plan.top);
            self.redact.text.fates.last = top.max(0);
        }
        Ok(())
    }

    fn declare(&mut self, _: &Declaration<'_>) -> Result {
        self.streams.body();
        Ok(())
    }

    fn string(&mut self, record: &Str<'_>) -> Result {
        self.streams.body();
        self.redact.decide(self.streams.at, record, &record.data.text()).map(drop)
    }

    fn nodes(&mut self, _: &NodeBatch<'_>) -> Result {
        self.streams.body();
        Ok(())
    }

    fn edges(&mut self, _: &EdgeBatch<'_>) -> Result {
        self.streams.body();
        Ok(())
    }

    fn extension(&mut self, _: &Extension<'_>) -> Result {
        self.streams.body();
        Ok(())
    }

    /// Puts what was decided aside for the pass over the records.
    fn finish(&mut self, _: bool) -> Result {
        self.store();
        self.redact.begin();
        Ok(())
    }
}
