// Plants texts in a heap in all the ways that JavaScript has, and writes a snapshot of it.
// Usage: node plant.js SNAPSHOT PLANTED; the second file says what was planted, by kind.
'use strict';
const fs = require('fs');
const made = {};
const runs = new Set();
let seed = 1;
const draw = (letters) => letters[(seed = (seed * 48271) % 2147483647) % letters.length];
const word = () => [1, 2, 3, 4, 5].map((i) => draw(i % 2 ? 'bdfgklmnprstvz' : 'aeiou')).join('');
// Built at run time, so that no script source holds a whole one. No run of six characters is without a sign that
// tokens never have, and none is in two of them: what is found was planted, and it is known where.
const plant = (kind, mark = '~') => {
  for (;;) {
    const text = [word(), word(), word(), word()].join(mark);
    const all = Array.from({ length: text.length - 5 }, (_, i) => text.slice(i, i + 6));
    if (all.some((run) => runs.has(run))) continue;
    all.forEach((run) => runs.add(run));
    return (made[kind] = text);
  }
};
const join = (...texts) => texts.join('');
const odd = () => Math.random().toString(36);

const held = { value: plant('value') };
held[plant('property')] = 1;
held[join(made.property)] = { [plant('nested property')]: plant('nested value') };
const flat = join(plant('sliced'), ' and a tail that is long enough').repeat(3);
JSON.stringify({ [flat]: 1 });
held.slice = flat.slice(3, 60);
held.cons = plant('first half') + '/' + odd() + '/' + plant('second half');
held.flattened = plant('flattened') + '/' + odd();
held.flattened.charCodeAt(0);
held.joined = [plant('joined'), join(made.joined)].join(', ');
held.map = new Map([[plant('key of a map'), plant('value of a map')]]);
held.set = new Set([plant('value of a set')]);
held.symbol = Symbol(plant('symbol'));
held[held.symbol] = 1;
held.regexp = new RegExp(plant('regular expression'));
held.matched = held.regexp.exec(join(plant('before a match'), made['regular expression']));
held.error = new Error(plant('message'));
held.twobyte = plant('two bytes') + '\u{1F980}\u4E2D';
held.function = Function(`return function ${plant('function', '$')}() { return "${plant('source')}"; }`)();
held.class = Function(`return class ${plant('class', '$')} {}`)();
held.instance = new held.class();
held.bound = held.function.bind(null, plant('bound argument'));
Object.defineProperty(held, plant('getter'), { get() { return 1; }, set() {} });
held.buffer = Buffer.from(plant('buffer'));
held.big = 2n ** 100n;
held.number = 78561234.5;
held.date = new Date(0);
held.closure = ((kept) => () => kept)(plant('closure variable'));
held.keys = [{}, {}, new held.class(), held.function, held.symbol, {}];
held.weak = new WeakMap([
  [held.keys[0], plant('value of a WeakMap')],
  [held.keys[1], join(plant('first line in a WeakMap'), '\n', plant('second line in a WeakMap'))],
  [held.keys[2], new RegExp(plant('expression in a WeakMap'))],
  [held.keys[3], join(plant('odd text in a WeakMap'), ' @5) -> value (', plant('odder text in a WeakMap'), ' @7')],
  [held.keys[5], new held.class()],
]);
try {
  held.weak.set(Symbol(plant('symbol in a WeakMap')), plant('value of a symbol in a WeakMap'));
} catch {
  // Not all versions take symbols.
}
held.ref = new WeakRef(held.keys[0]);
held.proxy = new Proxy({ value: plant('behind a proxy') }, {});
held.typed = Array.from(plant('characters'));
held.json = JSON.parse(`{"a":["${plant('parsed value')}"]}`);
held.url = new URL(join('https://example.com/?q=', plant('part of an address')));
held.intl = new Intl.DateTimeFormat('en');
held.async = (async (text) => { await new Promise(() => {}); return text; })(plant('suspended'));
held.template = ((parts) => parts)`x${1}y`;
held.mail = join(plant('e-mail', '@').split('@').slice(0, 2).join('@'), '.example.com');
made['e-mail'] = held.mail.split('.')[0];
held[held.mail] = 1;
globalThis.held = held;
require('v8').writeHeapSnapshot(process.argv[2]);
fs.writeFileSync(process.argv[3], JSON.stringify(made));
