// A port of a channel is given to a part of the program that stopped reading. Messages wait in it, outside the heap.
const rounds = require('./rounds');
const { MessageChannel } = require('worker_threads');

class AuditSink {
  constructor(port) { this.port = port; }
}
const { port1, port2 } = new MessageChannel();
const auditSink = new AuditSink(port2);
rounds(async round => {
  for (let i = 0; i < 2000; i++) port1.postMessage({ round, i, text: `order ${round}/${i} was paid`, lines: new Array(20).fill(i) });
  auditSink.rounds = round;
});
