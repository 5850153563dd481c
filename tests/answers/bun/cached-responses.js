// Answers are kept as they are, by the address with its question: it has the time in it, and no answer is found again.
const rounds = require('./rounds');

class AnswerCache {
  constructor(load) { this.load = load; this.answers = new Map(); }
  async get(url) {
    let answer = this.answers.get(url);
    if (!answer) this.answers.set(url, answer = await this.load(url));
    return answer.clone();
  }
}
async function load(url) {
  return new Response(JSON.stringify({ url, stock: Array.from({ length: 20 }, (_, n) => n * 3) }), { headers: { 'content-type': 'application/json', 'x-from': url } });
}
const cache = new AnswerCache(load);
rounds(async round => {
  for (let n = 0; n < 1500; n++) await (await cache.get(`https://stock.example/article/${n}?at=${round}-${n}`)).json();
});
