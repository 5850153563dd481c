// Each query listens for the end of the server, by a signal that lives as long as the server.
const rounds = require('./rounds');

class ReportQuery {
  constructor(text) { this.text = text; this.columns = Array.from({ length: 12 }, (_, n) => ({ n, name: `column ${n} of ${text}` })); this.cancelled = false; }
  cancel() { this.cancelled = true; this.columns = null; }
}
class ReportServer {
  constructor() { this.stopping = new AbortController(); this.answered = 0; }
  async run(text) {
    const query = new ReportQuery(text);
    this.stopping.signal.addEventListener('abort', () => query.cancel());
    await null;
    this.answered++;
    return query.columns.length;
  }
  stop() { this.stopping.abort(); }
}
const server = new ReportServer();
rounds(async round => { for (let n = 0; n < 600; n++) await server.run(`select ${round} from t${n}`); });
