class Crate { constructor(i) { this.i = i; this.text = `crate ${i}`; } }
globalThis.crates = [];
for (let i = 0; i < 5000; i++) crates.push(new Crate(i));
setInterval(() => {}, 1000);
