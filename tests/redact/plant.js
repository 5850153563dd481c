// Plants texts in a heap in all the ways that JavaScript has, and writes a snapshot of it.
// Usage: node plant.js FILE
'use strict';
// Built at run time, so that no script source holds a whole one.
const make = (kind) => `${kind}-Zanzibar-` + ['quixotic', 'walrus'].join('_') + `-${kind}-end`;
const made = {};
const plant = (kind) => (made[kind] = make(kind));

const value = plant('value');
const held = { value };
held[plant('property')] = 1;
held[make('property')] = { [plant('nested')]: make('nested') };
const flat = (plant('sliced') + ' and a tail that is long enough').repeat(3);
JSON.stringify({ [flat]: 1 });
held.slice = flat.slice(3, 40);
held.cons = make('cons') + '/' + Math.random().toString(36) + '/' + plant('cons');
held.flattened = (make('flattened') + '/' + Math.random().toString(36) + '/' + plant('flattened'));
held.flattened.charCodeAt(0);
held.joined = [plant('joined'), make('joined')].join(', ');
held.map = new Map([[plant('mapkey'), plant('mapvalue')]]);
held.set = new Set([plant('setvalue')]);
held.symbol = Symbol(plant('symbol'));
held[held.symbol] = 1;
held.regexp = new RegExp(plant('regexp'));
held.error = new Error(plant('message'));
held.twobyte = plant('twobyte') + '\u{1F980}\u4E2D';
held.function = { [plant('function')]() {} }[made.function];
held.class = ({ [plant('class')]: class {} })[made.class];
held.instance = new held.class();
held.buffer = Buffer.from(plant('buffer'));
held.number = 78561234.5;
held.date = new Date(0);
held.closure = ((kept) => () => kept)(plant('closure'));
held.mail = 'ada' + '@' + 'example.com';
held[held.mail] = 1;
globalThis.held = held;
require('v8').writeHeapSnapshot(process.argv[2]);
