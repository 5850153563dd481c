// Functions become hot one after the other: code and what the machine knows of types grow for a while.
const rounds = require('./rounds');

const shapes = Array.from({ length: 120 }, (_, n) => new Function('items', `
  class Shape${n} { constructor(x) { this.x${n} = x; this.y = x * ${n}; } area() { return this.x${n} * this.y; } }
  let sum = 0;
  for (const item of items) { const shape = new Shape${n}(item); sum += shape.area() % 7; }
  return sum;`));
const items = Array.from({ length: 300 }, (_, n) => n);
let sum = 0;
const hot = [40, 75, 100, 115];

rounds(round => {
  for (const shape of shapes.slice(0, hot[round])) for (let i = 0; i < 60; i++) sum += shape(items);
});
