// The index of 600 articles for the search is built at the start; later articles are changed, and their old words taken out.
const rounds = require('./rounds');

class SearchIndex {
  constructor() { this.postings = new Map(); this.documents = new Map(); }
  put(id, text) {
    this.remove(id);
    const words = new Set(text.split(' '));
    this.documents.set(id, { id, words });
    for (const word of words) {
      let posting = this.postings.get(word);
      if (!posting) this.postings.set(word, posting = new Set());
      posting.add(id);
    }
  }
  remove(id) {
    const document = this.documents.get(id);
    if (!document) return;
    for (const word of document.words) {
      const posting = this.postings.get(word);
      posting.delete(id);
      if (posting.size === 0) this.postings.delete(word);
    }
    this.documents.delete(id);
  }
  find(word) { return [...this.postings.get(word) ?? []].map(id => this.documents.get(id)); }
}
const index = new SearchIndex();
let seed = 7;
const random = most => (seed = (seed * 48271) % 2147483647) % most;
const articleText = () => Array.from({ length: 30 }, () => `word${random(4000)}`).join(' ');
for (let id = 0; id < 600; id++) index.put(id, articleText());
rounds(() => { for (let n = 0; n < 1500; n++) { index.put(random(600), articleText()); index.find(`word${random(4000)}`); } });
