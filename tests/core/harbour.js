'use strict';
// A harbour that stops: objects of known classes, strings of every form, frames with arguments.
// usage: node --expose-gc harbour.js FOLDER SHIPS [abort|wait]
// Writes FOLDER/expected.json, then FOLDER/main.heapsnapshot, then aborts or waits.
const v8 = require('v8'), fs = require('fs'), path = require('path');
const [folder, count, end] = [process.argv[2], Number(process.argv[3] || 300), process.argv[4] || 'abort'];

class Crate { constructor(mass, what) { this.mass = mass; this.what = what; } }
class Ship {
  #draught;
  constructor(number, owner) {
    this.number = number; this.owner = owner; this.name = 'ship ' + number; this.length = number + 0.25; this.sunk = number % 7 === 0;
    this.crates = [new Crate(number * 3, 'salt'), new Crate(1.5, 'crate of ' + this.name)];
    this.#draught = 'deep' + number;
  }
  get draught() { return this.#draught; }
}
class Tug extends Ship { constructor(number) { super(number, null); this.power = 0.5 + number; } }
class Log extends Array {}
class Storm extends Error {}
function Buoy(light) { this.light = light; }
Buoy.prototype.blink = function blink() { return this.light; };
class Bare {}
class Broad { constructor(n) { for (let k = 0; k < 40; k++) this['plank' + k] = n * 50 + k; } }

const ships = Array.from({ length: count }, (_, i) => new Ship(i, null));
for (let i = 1; i < count; i++) ships[i].owner = ships[i >> 1];
const text = 'Ships wait in the roads until the tide lifts them over the bar. ';
const harbour = {
  ships, tugs: Array.from({ length: 25 }, (_, i) => new Tug(i)), logs: [Log.of('a', 1, 2.5), Log.of()], storms: [new Storm('gale'), new Storm('calm')],
  buoys: Array.from({ length: 12 }, (_, i) => new Buoy(i % 2 ? 'red' : 'green')), bare: Array.from({ length: 9 }, () => new Bare()),
  broad: Array.from({ length: 6 }, (_, i) => new Broad(i)), none: Object.assign(Object.create(null), { depth: 4 }),
  long: text.repeat(60), slice: text.repeat(2).slice(7, 60), wide: 'přístav \u{1f6a2} lone:\ud83d', latin: 'caf\u00e9 \u00ff', joined: text + count,
  dictionary: {}, symbol: { [Symbol('flag')]: 'red', plain: 1 }, frozen: Object.freeze({ one: 1, two: 'zwei' }), both: { get light() { return 1; }, set light(x) {} },
  doubles: [0.5, , -0, NaN, 1e300], smis: [1, , 3], mixed: ['x', { in: 'mixed' }, null, undefined, true], sparse: [], numbered: { 3: 'three', 9: 'nine', n: 0 },
  byName: new Map(ships.slice(0, 50).map((s) => [s.name, s])), set: new Set([1, 'two', null, 2.5]), weak: new WeakMap(), date: new Date(1e12), pattern: /ship (\d+)/gi,
  big: -123456789012345678901234567890n, bytes: Buffer.alloc(100000, 7), f32: new Float32Array(10), view: new DataView(new ArrayBuffer(50), 5), proxy: new Proxy({ p: 1 }, {}),
  promise: Promise.resolve('moored'), boxed: new String('boxed'), bound: Buoy.bind(null, 'white'), generator: (function* tide(high) { const low = high - 1; yield low; })(4),
};
harbour.sparse[90000] = 'far'; harbour.weak.set(ships[0], { kept: 'by ship 0' }); harbour.generator.next();
for (let i = 0; i < 250; i++) harbour.dictionary['rope' + i] = 'knot' + i; delete harbour.dictionary.rope9;
harbour.closures = Array.from({ length: 40 }, (_, i) => { const cargo = { i }, label = 'label ' + i; return function load(more) { return cargo.i + more + label; }; });
globalThis.harbour = harbour;

const calls = []; // what each frame was given, outermost first
const show = (v) => typeof v === 'object' && v ? '@' + (v.constructor ? v.constructor.name : '') : typeof v === 'function' ? 'function ' + v.name :
  typeof v === 'bigint' ? v + 'n' : typeof v === 'string' ? JSON.stringify(v) : Object.is(v, -0) ? '-0' : String(v);
const call = (name, values) => calls.push({ name, values: [...values].map(show) });
function sink(ship, depth, why) {
  call('sink', arguments);
  Error.prepareStackTrace = (e, sites) => sites.map((s) => ({ name: s.getFunctionName(), file: path.basename(s.getFileName() || ''), line: s.getLineNumber(), column: s.getColumnNumber(), construct: s.isConstructor() }));
  Error.stackTraceLimit = 100; const frames = new Error('here').stack; Error.prepareStackTrace = undefined;
  fs.writeFileSync(path.join(folder, 'expected.json'), JSON.stringify({ pid: process.pid, node: process.version, v8: process.versions.v8, frames, calls }));
  if (global.gc) { global.gc(); global.gc(); }
  if (!process.env.NO_SNAPSHOT) v8.writeHeapSnapshot(path.join(folder, 'main.heapsnapshot'));
  if (end === 'abort') process.abort();
  fs.writeSync(1, 'READY ' + process.pid + '\n');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3600000);
  return ship.number + depth + why.length;
}
function few(a, b, c) { call('few', arguments); return sink(ships[3], a + 0.5, 'because ' + text) + (b || c || 0); }
function many(a) { call('many', arguments); return few(a, undefined); }
class Captain { constructor(ship, order) { call('Captain', [ship, order]); this.ship = ship; this.result = many(7, order, null, -5n) + 1; } }
const arrow = (x, ...rest) => { call('arrow', [x, ...rest]); return new Captain(x, 'full ahead'); };
function outer(list) { call('outer', arguments); return list.map(function each(ship, index) { call('each', arguments); return arrow(ship, index, true); }); }
setTimeout(function sail() { outer(ships.slice(2, 4)); }, 1);
