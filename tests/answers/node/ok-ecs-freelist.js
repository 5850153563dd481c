// Slots with a list of the free ones; each wave is a little larger.
const rounds = require('./rounds');
class Entity { constructor(slot) { this.slot = slot; this.alive = false; this.position = { x: 0, y: 0 }; this.parts = []; } }
const world = { slots: [], free: [] };
const spawn = n => { const e = world.free.pop() ?? (world.slots.push(new Entity(world.slots.length)), world.slots[world.slots.length - 1]); e.alive = true; e.parts = Array.from({ length: 6 }, (_, i) => ({ i, n })); return e; };
const kill = e => { e.alive = false; e.parts = []; world.free.push(e); };
let n = 0; const waves = [300, 340, 380, 400];
rounds(async round => { for (let w = 0; w < 5; w++) { const wave = Array.from({ length: waves[round] }, () => spawn(n++)); if (w < 4) wave.forEach(kill); else { world.last?.forEach(kill); world.last = wave; } } });
