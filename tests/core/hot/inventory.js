'use strict';
// Hot code over Maps, Sets, arrays of numbers and class fields, private ones and getters included.
const v8 = require('v8');
class Item { #cost; constructor(id, cost) { this.id = id; this.#cost = cost; this.tags = new Set(['t' + id % 7]); } get cost() { return this.#cost; } }
class Shelf { constructor(name) { this.name = name; this.items = new Map(); this.weights = []; } put(item) { this.items.set(item.id, item); this.weights.push(item.cost * 1.5); return this; } total() { let sum = 0; for (const item of this.items.values()) sum += item.cost; return sum; } }
class Hall { constructor() { this.shelves = Array.from({ length: 5 }, (_, i) => new Shelf('shelf-' + i)); } }
const hall = new Hall();
function fill(n) { for (let i = 0; i < n; i++) hall.shelves[i % 5].put(new Item(i, i % 13)); }
function count() { return hall.shelves.reduce((sum, shelf) => sum + shelf.total(), 0); }
for (let r = 0; r < 4; r++) fill(4000);
for (let r = 0; r < 60; r++) count();
// Compilers that still work hold what they read.
globalThis.kept = hall;
setTimeout(() => { gc(); v8.writeHeapSnapshot(process.argv[2]); process.abort(); }, 300);
