'use strict';
// Classes that inherit from each class of the language, and buffers of each kind: known numbers of each.
// usage: node --expose-gc kin.js [FIRST [FILE.heapsnapshot [wait]]]; there are FIRST + 1 and more of each; it writes the
// snapshot, if it has a name, then aborts or waits.
const [first, snapshot, end] = process.argv.slice(2);
const make = (n, one) => Array.from({ length: n }, (_, i) => one(i));
const target = () => {};
const held = {};
let number = Number(first || 1);
const hold = (name, one) => { held[name] = make(++number, one); };
const has = (name) => name in globalThis;

// A class of one's own of each base, with and without properties.
class OfMap extends Map { constructor(i) { super(); this.i = i; } }
class OfSet extends Set {}
class OfWeakMap extends WeakMap {}
class OfWeakSet extends WeakSet {}
class OfWeakRef extends WeakRef {}
class OfRegistry extends FinalizationRegistry {}
class OfPromise extends Promise {}
class OfBuffer extends ArrayBuffer {}
class OfShared extends SharedArrayBuffer {}
class OfView extends DataView {}
class OfBytes extends Uint8Array {}
class OfFloats extends Float64Array {}
class OfBig extends BigInt64Array {}
class OfRegExp extends RegExp {}
class OfDate extends Date {}
class OfArray extends Array {}
class OfError extends TypeError {}
class OfNumber extends Number {}
class OfString extends String {}
class OfBoolean extends Boolean {}
class OfObject extends Object {}
class OfNull extends null { static make() { return Object.create(OfNull.prototype); } }
class OfFormat extends Intl.NumberFormat {}
class OfLocale extends Intl.Locale {}
class OfUrl extends URL {}
class OfEmitter extends require('events') {}
class OfStream extends require('stream').Readable {}
class OfOfMap extends OfMap {}
hold('OfMap', (i) => new OfMap(i)); hold('OfSet', () => new OfSet()); hold('OfWeakMap', () => new OfWeakMap());
hold('OfWeakSet', () => new OfWeakSet()); hold('OfWeakRef', () => new OfWeakRef(held)); hold('OfRegistry', () => new OfRegistry(target));
hold('OfPromise', () => new OfPromise(target)); hold('OfBuffer', () => new OfBuffer(9)); hold('OfShared', () => new OfShared(9));
hold('OfView', () => new OfView(new ArrayBuffer(8))); hold('OfBytes', () => new OfBytes(3)); hold('OfFloats', () => new OfFloats(3));
hold('OfBig', () => new OfBig(3)); hold('OfRegExp', () => new OfRegExp('a')); hold('OfDate', () => new OfDate());
hold('OfArray', () => new OfArray()); hold('OfError', () => new OfError('x')); hold('OfNumber', () => new OfNumber(3));
hold('OfString', () => new OfString('s')); hold('OfBoolean', () => new OfBoolean(true)); hold('OfObject', () => new OfObject());
hold('OfNull', () => OfNull.make()); hold('OfFormat', () => new OfFormat('en')); hold('OfLocale', () => new OfLocale('en'));
hold('OfUrl', () => new OfUrl('http://a/')); hold('OfEmitter', () => new OfEmitter()); hold('OfStream', () => new OfStream());
hold('OfOfMap', (i) => new OfOfMap(i));
if (has('Iterator')) {
  class OfIterator extends Iterator {}
  hold('OfIterator', () => new OfIterator());
}

// The bases themselves.
hold('map', () => new Map()); hold('Set', () => new Set()); hold('WeakRef', () => new WeakRef(held)); hold('Promise', () => new Promise(target));
hold('RegExp', () => /a/g); hold('Number', () => new Number(1)); hold('Boolean', () => new Boolean(false)); hold('String', () => new String('b'));
hold('Symbol', () => Object(Symbol('own'))); hold('BigInt', () => Object(5n)); hold('Proxy', () => new Proxy({}, {}));
hold('generator', () => (function* count() { yield 1; })()); hold('asyncGenerator', () => (async function* count() { yield 1; })());
hold('iterator', () => [1][Symbol.iterator]()); hold('mapIterator', () => new Map()[Symbol.iterator]()); hold('matches', () => 'a'.matchAll(/a/g));
hold('arguments', function () { return (function () { return arguments; })(1, 2); });
hold('functions', () => async () => {}); hold('bound', () => target.bind(null)); hold('null', () => Object.create(null)); hold('memory', () => new WebAssembly.Memory({ initial: 0 }));

// Names: functions, tags, names that a program sets, and prototypes that it replaces.
function Old() { this.a = 1; }
function Derived() {}
Derived.prototype = Object.create(Old.prototype);
const Anonymous = (() => class {})();
class Renamed { static name = 'other'; }
class UnderRenamed extends Renamed {}
const NamelessUnderRenamed = (() => class extends Renamed {})();
class RenamedMap extends Map { static name = 'third'; }
class RenamedInDictionary { static name = 'fourth'; }
for (let k = 0; k < 60; k++) RenamedInDictionary['k' + k] = k;
delete RenamedInDictionary.k1;
class Method { static name() {} }
class Getter { static get name() { return 'got'; } }
class Tagged { get [Symbol.toStringTag]() { return 'by accessor'; } }
class Labelled extends Map {}
Object.defineProperty(Labelled.prototype, Symbol.toStringTag, { value: 'labelled' });
class UnderLabelled extends Labelled {}
const Redefined = class Before {};
Object.defineProperty(Redefined, 'name', { value: 'After' });
hold('Old', () => new Old()); hold('Derived', () => new Derived()); hold('Anonymous', () => new Anonymous()); hold('Renamed', () => new Renamed());
hold('UnderRenamed', () => new UnderRenamed()); hold('Nameless', () => new NamelessUnderRenamed()); hold('RenamedMap', () => new RenamedMap());
hold('RenamedInDictionary', () => new RenamedInDictionary()); hold('Method', () => new Method());
hold('Getter', () => new Getter()); hold('Tagged', () => new Tagged()); hold('Labelled', () => new Labelled());
hold('UnderLabelled', () => new UnderLabelled()); hold('Redefined', () => new Redefined());
hold('ownTag', () => ({ [Symbol.toStringTag]: 'own tag' })); hold('ownConstructor', () => ({ constructor: OfMap }));
hold('inheritsOne', () => Object.create({ z: 1 })); hold('inheritsMap', () => Object.create(Map.prototype));
hold('swapped', () => Object.setPrototypeOf({ s: 1 }, OfMap.prototype)); hold('swappedMap', () => Object.setPrototypeOf(new Map(), OfSet.prototype));
hold('bareMap', () => Object.setPrototypeOf(new OfMap(1), null)); 
for (const [name, one] of Object.entries({ Set: () => new Set(), Date: () => new Date(), Array: () => [], ArrayBuffer: () => new ArrayBuffer(4), Shared: () => new SharedArrayBuffer(4),
  View: () => new DataView(new ArrayBuffer(4)), WeakMap: () => new WeakMap(), WeakSet: () => new WeakSet(), WeakRef: () => new WeakRef(held), Promise: () => new Promise(target),
  Error: () => new Error('e'), Bytes: () => new Uint8Array(4), Floats: () => new Float32Array(4), Number: () => new Number(1), String: () => new String('s'), Boolean: () => new Boolean(true),
  Symbol: () => Object(Symbol('s')), Iterator: () => new Map()[Symbol.iterator](), Ids: () => new Set()[Symbol.iterator](),   Arguments: () => (function () { return arguments; })(), Object: () => ({}), Registry: () => new FinalizationRegistry(target), Url: () => new URL('http://a/'), Memory: () => new WebAssembly.Memory({ initial: 0 }),
  OfMap: () => new OfMap(1), OfSet: () => new OfSet(), OfDate: () => new OfDate(), OfError: () => new OfError('e'), OfArray: () => new OfArray(),
})) hold('bare' + name, () => Object.setPrototypeOf(one(), null));
hold('reflected', () => Reflect.construct(Map, [], OfSet));
hold('wide', (i) => { const o = new OfMap(i); for (let k = 0; k < 40; k++) o['k' + k] = k; delete o.k1; return o; });

// Buffers: plain, resizable, shared, growable, of WebAssembly, views on them, and one that was detached.
const buffers = { plain: new ArrayBuffer(70001), shared: new SharedArrayBuffer(70002), wasm: new WebAssembly.Memory({ initial: 3 }),
  limited: new WebAssembly.Memory({ initial: 5, maximum: 2000 }), threads: new WebAssembly.Memory({ initial: 2, maximum: 1000, shared: true }) };
buffers.wasmBuffer = buffers.wasm.buffer; buffers.limitedBuffer = buffers.limited.buffer; buffers.threadsBuffer = buffers.threads.buffer;
buffers.grown = new WebAssembly.Memory({ initial: 1, maximum: 50 }); buffers.old = buffers.grown.buffer; buffers.grown.grow(6); buffers.grownBuffer = buffers.grown.buffer;
if (ArrayBuffer.prototype.resize) {
  buffers.resizable = new ArrayBuffer(70003, { maxByteLength: 5e8 }); buffers.resized = new ArrayBuffer(10, { maxByteLength: 4e8 });
  buffers.resized.resize(70004); buffers.growable = new SharedArrayBuffer(70005, { maxByteLength: 3e8 });
  buffers.further = new SharedArrayBuffer(10, { maxByteLength: 2e8 }); buffers.further.grow(70006);
  buffers.views = make(5, () => new Uint8Array(buffers.resizable)); buffers.view = new DataView(buffers.growable, 7);
}
const moved = new ArrayBuffer(70007);
buffers.moved = structuredClone(moved, { transfer: [moved] }); buffers.detached = moved;
globalThis.kin = { held, buffers };

global.gc(); global.gc();
if (snapshot) require('v8').writeHeapSnapshot(snapshot);
if (end !== 'wait') process.abort();
require('fs').writeSync(1, 'READY ' + process.pid + '\n');
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3600000);
