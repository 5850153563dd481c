// A loop that never ends collects into a variable of its own.
const rounds = require('./rounds');
const { EventEmitter, on } = require('events');

class Sample {
  constructor(n) {
    this.values = [n, n * 2, n * 3];
  }
}
const meter = new EventEmitter();
async function collectSamples() {
  const collected = [];
  for await (const [sample] of on(meter, 'sample')) collected.push(sample);
}
collectSamples();

rounds(async round => {
  for (let i = 0; i < 1500; i++) meter.emit('sample', new Sample(round * 1500 + i));
  await new Promise(resolve => setTimeout(resolve, 20));
});
