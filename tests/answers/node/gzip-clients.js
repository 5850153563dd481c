// Each client of a stream of events gets a compressor, which stays when the client has gone.
const rounds = require('./rounds');
const zlib = require('zlib');

class EventStream {
  constructor() { this.compressors = new Map(); }
  connect(client) {
    const gzip = zlib.createGzip({ level: 1 });
    this.compressors.set(client, gzip);
    gzip.write(`hello ${client}`);
  }
}
const eventStream = new EventStream();
rounds(async round => {
  for (let n = 0; n < 40; n++) eventStream.connect(`c${round}-${n}`);
  await new Promise(done => setTimeout(done, 100));
});
