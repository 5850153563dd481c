// Each request races against one promise that never settles, which keeps the reactions of all of them.
const { write, text } = require('./write.js');
class Shutdown { constructor() { this.signal = new Promise(() => {}); } }
const shutdown = new Shutdown();
globalThis.app = { shutdown };
class Reply { constructor(id) { this.body = text('reply ' + id, 1200); } }
async function handle(id) {
  const reply = new Reply(id);
  await Promise.race([shutdown.signal.then(() => reply), Promise.resolve(id)]);
}
(async () => {
  for (let i = 0; i < 900; i++) await handle(i);
  write();
})();
