'use strict';
// Optimised code that refers to the service and its list, which a closure of the module keeps.
const v8 = require('v8');
class Piece { constructor(i) { this.i = i; } }
class Service { constructor() { this.list = []; } add(i) { this.list.push(new Piece(i)); } }
const service = new Service();
function tick(n) { for (let k = 0; k < n; k++) service.add(k); }
for (let r = 0; r < 10; r++) tick(2000);
%PrepareFunctionForOptimization(tick); tick(2000); %OptimizeFunctionOnNextCall(tick); tick(2000);
// Compilers that still work hold what they read.
globalThis.kept = service;
setTimeout(() => { gc(); v8.writeHeapSnapshot(process.argv[2]); process.abort(); }, 300);
