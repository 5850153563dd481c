'use strict';
class Connection {
  constructor(processId) { this.processId = processId; this.parsedStatements = {}; this.busy = false; }
  query(config) {
    if (config.name) {
      if (!this.parsedStatements[config.name]) this.parsedStatements[config.name] = config.text;
    }
    return Promise.resolve({ rows: [{ id: config.values[0] }], command: 'SELECT' });
  }
}
class Client {
  constructor(processId) { this.connection = new Connection(processId); this.activeQuery = null; }
  async query(config) { this.activeQuery = config; const result = await this.connection.query(config); this.activeQuery = null; return result; }
}
class Pool {
  constructor({ max }) { this._clients = Array.from({ length: max }, (_, n) => new Client(4000 + n)); this._idle = [...this._clients]; }
  async query(config) {
    const client = this._idle.shift();
    try { return await client.query(config); } finally { this._idle.push(client); }
  }
}
exports.Pool = Pool;
