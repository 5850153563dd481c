'use strict';
// Compares the frames of machine code in the stream of a core with those that gdb finds: all of a thread that runs no
// JavaScript, and those above the innermost function of JavaScript, behind which gdb is lost.
// usage: node natives.js STREAM GDB; GDB is what frames.py printed
const fs = require('fs'), readline = require('readline');
const [streamFile, gdbFile] = process.argv.slice(2);
(async () => {
  const names = {}, edges = {}, strings = new Map(), threads = new Map(), frames = new Map();
  for await (const line of readline.createInterface({ input: fs.createReadStream(streamFile), crlfDelay: Infinity })) {
    const r = JSON.parse(line);
    if (r.type === 'node_type') names[r.nodetypeid] = r.name;
    else if (r.type === 'edge_type') edges[r.edgetypeid] = r.name;
    else if (r.type === 'string') strings.set(r.stringid, r.data);
    else if (r.type === 'node' && names[r.subtype] === 'heap.thread') threads.set(r.identifier, { lwp: r.v8.lwp, frames: [] });
    else if (r.type === 'node' && names[r.subtype] === 'heap.frame') frames.set(r.identifier, r);
    else if (r.type === 'edge' && edges[r.subtype] === 'heap.frame') threads.get(r.source).frames[-r.label - 1] = r.dest;
  }
  let wrong = 0, compared = 0, whole = 0;
  const say = (what) => { if (++wrong < 10) console.log('  ' + what); };
  const found = new Map(fs.readFileSync(gdbFile, 'utf8').split('\n').filter((l) => l.startsWith('FRAMES ')).map((l) => JSON.parse(l.slice(7))).map((t) => [t.thread, t.counters]));
  for (const { lwp, frames: ids } of threads.values()) {
    const calls = ids.map((id) => ({ ...frames.get(id).v8, name: strings.get(frames.get(id).function) }));
    const first = calls.findIndex((c) => c.tier !== 'native');
    const counters = found.get(lwp) || [];
    const mine = (first < 0 ? calls : calls.slice(0, first)).map((c) => c.pc);
    // What V8 made in front of the innermost function is known to gdb by chance.
    while (first >= 0 && mine.length && /^Builtins_|^\(code made/.test(calls[mine.length - 1].name)) mine.pop();
    if (!mine.length) say(`thread ${lwp}: no frames`);
    if (first < 0) { whole++; if (mine.length !== counters.length) say(`thread ${lwp}: ${mine.length} frames, gdb has ${counters.length}`); }
    mine.forEach((pc, i) => { compared++; if (pc !== counters[i]) say(`thread ${lwp}, frame ${i}: ${pc.toString(16)} ${calls[i].name}, gdb has ${(counters[i] ?? 0).toString(16)}`); });
    const last = calls[calls.length - 1];
    if (calls.some((c) => c.tier === 'gap')) say(`thread ${lwp}: ${calls.find((c) => c.tier === 'gap').name}`);
    if (first >= 0 && last.name !== '_start' && last.tier !== 'native') say(`thread ${lwp}: ends with ${last.name}`);
  }
  console.log(`${wrong ? 'NO' : 'ok'} ${compared} frames of machine code are gdb's, ${whole} threads whole`);
  process.exit(wrong ? 1 : 0);
})();
