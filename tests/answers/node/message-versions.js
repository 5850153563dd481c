// Messages are read by the schema that their producer sends along, which is added to one root under the number of the version it has there.
const rounds = require('./rounds');
const protobuf = require('protobufjs');

class SchemaRegistry {
  constructor() { this.root = new protobuf.Root(); this.versions = 0; }
  register(producer, fields) {
    const space = `v${++this.versions}`;
    const lines = fields.map((field, n) => `  optional ${n % 2 ? 'int32' : 'string'} ${field} = ${n + 1};`);
    protobuf.parse(`syntax = "proto2"; package ${space}; message Reading {\n${lines.join('\n')}\n} message Batch { repeated Reading readings = 1; }`, this.root);
    return this.root.lookupType(`${space}.Batch`);
  }
}
const registry = new SchemaRegistry();
let read = 0;
function receive(producer, count) {
  const Batch = registry.register(producer, ['station', 'value', 'unit', 'quality']);
  const readings = Array.from({ length: count }, (_, n) => ({ station: producer, value: n, unit: 'K', quality: n % 5 }));
  read += Batch.decode(Batch.encode(Batch.create({ readings })).finish()).readings.length;
}
rounds(round => { for (let n = 0; n < 60; n++) receive(`station-${n % 9}`, 10 + round); });
