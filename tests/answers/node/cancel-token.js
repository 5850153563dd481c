// All requests of a tab share one token of axios to cancel them; what each adds to it stays.
const rounds = require('./rounds');
const axios = require('axios');

const closing = axios.CancelToken.source();
class Search {
  constructor(words) { this.words = words; this.hits = Array.from({ length: 10 }, (_, n) => ({ n, title: `${words} ${n}` })); }
  async run() {
    closing.token.subscribe(() => { this.hits.length = 0; });
    return this.hits.length;
  }
}
rounds(async round => { for (let n = 0; n < 800; n++) await new Search(`search ${round}-${n}`).run(); });
