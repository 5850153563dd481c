// Answers are kept for a minute by their path, and go after it; by tag stands which paths it has, and this list gets a path each time that it is kept anew. Load rises.
import rounds from './rounds.js';

class AnswerCache {
  constructor() { this.answers = new Map(); this.tags = new Map(); this.clock = 0; }
  get(path, tags) {
    this.clock++;
    let answer = this.answers.get(path);
    if (!answer) {
      answer = { path, body: `<p>${path}</p>`.repeat(3), until: this.clock + 300 };
      this.answers.set(path, answer);
      for (const tag of tags) {
        if (!this.tags.has(tag)) this.tags.set(tag, []);
        this.tags.get(tag).push({ path, kept: this.clock });
      }
    }
    return answer;
  }
  sweep() {
    for (const [path, answer] of this.answers) if (answer.until < this.clock) this.answers.delete(path);
  }
}
const cache = new AnswerCache();
const visitors = new Map();
const together = [100, 200, 300, 400];
let last = 0;
rounds(round => {
  for (let n = 0; n < 3000; n++) {
    cache.get(`/articles/${(n * 7) % 900}`, ['articles', `shelf ${n % 9}`]);
    if (n % 100 === 0) cache.sweep();
    visitors.set(last, { number: last++, pages: [`/articles/${n}`] });
    while (visitors.size > together[round]) visitors.delete(visitors.keys().next().value);
  }
});
