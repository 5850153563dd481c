// Answers are kept as promises by their address, which has the time in it.
const rounds = require('./rounds');

class Answer {
  constructor(address) { this.address = address; this.rows = [1, 2, 3].map(n => ({ n, address })); }
}
class ApiClient {
  constructor() { this.answers = {}; }
  get(address) { return this.answers[address] ??= this.load(address); }
  async load(address) { await null; return new Answer(address); }
}
const weather = new ApiClient();
rounds(async round => { for (let n = 0; n < 1200; n++) await weather.get(`/now?t=${round}-${n}`); });
