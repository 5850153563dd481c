// Measurements are sent to a broker that must acknowledge each, and has not acknowledged any since its disk is full.
const rounds = require('./rounds');
const net = require('net');
const mqtt = require('mqtt');
const { Worker } = require('worker_threads');

const broker = new Worker(`
  const net = require('net');
  const { parentPort } = require('worker_threads');
  const server = net.createServer(socket => {
    socket.on('error', () => {});
    socket.once('data', () => socket.write(Buffer.from([0x20, 2, 0, 0])));
    socket.on('data', () => {});
  });
  server.listen(0, () => parentPort.postMessage(server.address().port));
`, { eval: true });
broker.on('message', port => {
  const client = mqtt.connect({ port, host: '127.0.0.1', clientId: 'plant-7', keepalive: 0, reconnectPeriod: 0 });
  const plant = new Plant(client);
  client.on('connect', () => rounds(round => plant.report(round)));
});

class Plant {
  constructor(client) { this.client = client; this.accepted = 0; }
  report(round) {
    for (let machine = 0; machine < 1000; machine++) {
      const text = JSON.stringify({ machine, round, values: Array.from({ length: 12 }, (_, n) => n * machine) });
      this.client.publish(`plant/7/machine/${machine}`, text, { qos: 1 }, error => { if (!error) this.accepted++; });
    }
  }
}
