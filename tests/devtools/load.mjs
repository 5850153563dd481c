// Loads snapshots as the worker of DevTools does, and prints what it shows of each: one line of JSON.
import * as Worker from 'chrome-devtools-frontend/front_end/entrypoints/heap_snapshot_worker/heap_snapshot_worker.js';
import * as Model from 'chrome-devtools-frontend/front_end/models/heap_snapshot/heap_snapshot.js';
import { createHash } from 'node:crypto';
import fs from 'node:fs';

Promise.withResolvers ??= () => {
  let resolve, reject;
  const promise = new Promise((a, b) => { [resolve, reject] = [a, b]; });
  return {promise, resolve, reject};
};
for (const file of process.argv.slice(2)) {
  const loader = new Worker.HeapSnapshotLoader.HeapSnapshotLoader({sendEvent() {}});
  const input = fs.createReadStream(file, {encoding: 'utf8', highWaterMark: 1 << 22});
  for await (const chunk of input) {
    loader.write(chunk);
    await new Promise(setImmediate);
  }
  loader.close();
  const channel = new MessageChannel();
  new Worker.HeapSnapshot.SecondaryInitManager(channel.port2);
  const snapshot = await loader.buildSnapshot(channel.port1);
  channel.port1.close();
  const root = snapshot.rootNode();
  const groups = snapshot.aggregatesWithFilter(new Model.HeapSnapshotModel.NodeFilter());
  const classes = Object.entries(groups).map(([key, g]) =>
    [key, g.name, g.count, g.self, g.maxRet, g.distance]);
  const numbers = new Map();
  for (let i = 0, node = snapshot.createNode(0), width = snapshot.nodeFieldCount; i < snapshot.nodeCount; i++) {
    node.nodeIndex = i * width;
    numbers.set(node.id(), [node.selfSize(), node.retainedSize(), node.distance()]);
  }
  const each = [...numbers].sort(([a], [b]) => a - b);
  console.log(JSON.stringify({
    nodes: snapshot.nodeCount, edges: snapshot.edgeCount ?? null, total: snapshot.totalSize,
    each: createHash('sha256').update(JSON.stringify(each)).digest('hex'),
    root: root.retainedSize(), classes,
  }));
}
