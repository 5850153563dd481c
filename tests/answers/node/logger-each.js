// A logger of winston for each request, by the number of the request: its container keeps them.
const rounds = require('./rounds');
const winston = require('winston');
const { Writable } = require('stream');

const sink = new Writable({ write(chunk, encoding, done) { done(); } });
function requestLogger(id) {
  return winston.loggers.get(id, {
    level: 'info',
    defaultMeta: { request: id },
    transports: [new winston.transports.Stream({ stream: sink })],
  });
}
sink.setMaxListeners(0);

let n = 0;
rounds(async () => {
  for (let i = 0; i < 120; i++) {
    requestLogger(`req-${n++}`).info('handled');
    await new Promise(setImmediate);
  }
});
