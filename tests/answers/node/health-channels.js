// The health of services is asked with a new client each time, which is never closed (grpc/grpc-node#2893).
const grpc = require('@grpc/grpc-js');
const rounds = require('./rounds');

const json = { serialize: value => Buffer.from(JSON.stringify(value)), deserialize: bytes => JSON.parse(bytes) };
const definition = {
  Check: { path: '/grpc.health.v1.Health/Check', requestStream: false, responseStream: false, requestSerialize: json.serialize,
    requestDeserialize: json.deserialize, responseSerialize: json.serialize, responseDeserialize: json.deserialize },
};
const HealthClient = grpc.makeGenericClientConstructor(definition, 'Health');

const server = new grpc.Server();
server.addService(definition, { Check: (call, answer) => answer(null, { status: 'SERVING', service: call.request.service }) });

class HealthIndicator {
  constructor(address) {
    this.address = address;
    this.last = {};
  }

  check(service) {
    const client = new HealthClient(this.address, grpc.credentials.createInsecure(), { 'grpc.client_idle_timeout_ms': 1000 });
    return new Promise((resolve, reject) => client.Check({ service }, (error, answer) => {
      if (error) return reject(error);
      this.last[service] = answer.status;
      resolve(answer);
    }));
  }
}

let health;
rounds(async () => {
  if (!health) {
    const port = await new Promise((found, failed) => server.bindAsync('127.0.0.1:0', grpc.ServerCredentials.createInsecure(),
      (error, port) => error ? failed(error) : found(port)));
    health = new HealthIndicator(`127.0.0.1:${port}`);
  }
  for (let i = 0; i < 120; i++) await health.check(['stock', 'price', 'mail'][i % 3]);
  await new Promise(done => setTimeout(done, 1500));
});
