// Two web workers with 700 objects each.
const source = 'class Barrel {}; globalThis.all = []; for (let i = 0; i < 700; i++) all.push(new Barrel()); setInterval(() => {}, 1000);';
const address = URL.createObjectURL(new Blob([source], { type: 'application/javascript' }));
globalThis.workers = [1, 2].map(() => new Worker(address, { type: 'module' }));
setInterval(() => {}, 1000);
