// Handles stay in a list, and a WeakMap has the large part of each.
const rounds = require('./rounds');
const state = new WeakMap();
class Handle { constructor(id) { this.id = id; } }
class Registry { constructor() { this.handles = new Set(); } open(id) { const handle = new Handle(id); this.handles.add(handle); state.set(handle, { id, buffer: new Array(40).fill({}), name: `handle ${id}` }); return handle; } }
const registry = new Registry();
let n = 0;
rounds(async () => { for (let i = 0; i < 400; i++) registry.open(n++); });
