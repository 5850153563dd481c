// A namespace of TypeScript, compiled, with an arena of numbers that gets one chunk after the other.
"use strict";
const rounds = require('./rounds');
var Metrics;
(function (Metrics) {
    Metrics.arena = [];
    let cursor = 512;
    function sample(value) { if (cursor === 512) { Metrics.arena.push(new Float64Array(512)); cursor = 0; } Metrics.arena[Metrics.arena.length - 1][cursor++] = value; }
    Metrics.sample = sample;
})(Metrics || (Metrics = {}));
rounds(async () => { for (let i = 0; i < 40 * 512; i++) Metrics.sample(i / 3); });
