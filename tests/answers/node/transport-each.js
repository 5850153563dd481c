// Each import adds a transport of its own to the logger, and forgets it there.
const rounds = require('./rounds');
const winston = require('winston');
const Transport = require('winston-transport');

class ImportTransport extends Transport {
  constructor(importId) { super(); this.importId = importId; this.lines = []; }
  log(info, done) { if (info.importId === this.importId) this.lines.push(info.message); done(); }
}
const logger = winston.createLogger({ level: 'info', transports: [new winston.transports.Console({ silent: true })] });
logger.setMaxListeners(0);
let n = 0;
async function importFile() {
  const importId = `import-${n++}`;
  const transport = new ImportTransport(importId);
  logger.add(transport);
  for (let i = 0; i < 3; i++) logger.info(`row ${i} is read`, { importId });
}
rounds(async () => { for (let i = 0; i < 80; i++) await importFile(); });
