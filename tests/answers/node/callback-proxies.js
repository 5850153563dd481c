// A program talks to its engine by messages, with proxies of comlink. Each calculation hands over a function that is called back, and no proxy is released.
const rounds = require('./rounds');
const Comlink = require('comlink');
const nodeEndpoint = require('comlink/dist/umd/node-adapter');

Comlink.transferHandlers.set('proxy', {
  canHandle: value => typeof value === 'function' && value[Comlink.proxyMarker],
  serialize: value => {
    const { port1, port2 } = new MessageChannel();
    Comlink.expose(value, nodeEndpoint(port1));
    port1.unref();
    return [port2, [port2]];
  },
  deserialize: port => { port.start(); return Comlink.wrap(nodeEndpoint(port)); },
});
class Engine {
  constructor() { this.done = 0; }
  async calculate(name, steps, progress) {
    for (let n = 0; n < steps; n++) progress(n);
    this.done++;
    return `${name}: ${steps}`;
  }
}
const { port1, port2 } = new MessageChannel();
Comlink.expose(new Engine(), nodeEndpoint(port1));
const engine = Comlink.wrap(nodeEndpoint(port2));

class Calculation {
  constructor(name) { this.name = name; this.steps = []; }
  async run() {
    this.result = await engine.calculate(this.name, 2, Comlink.proxy(step => this.steps.push({ step, of: this.name })));
  }
}
rounds(async round => { for (let n = 0; n < 150; n++) await new Calculation(`bridge-${round}-${n}`).run(); });
