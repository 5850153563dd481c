// A cache with a list and a map. It compares its limit with a length that a Map does not have.
const rounds = require('./rounds');

class LruCache {
  constructor(limit) {
    this.limit = limit;
    this.map = new Map();
    this.newest = this.oldest = null;
  }
  put(key, value) {
    const link = { key, value, older: this.newest, newer: null };
    if (this.newest) this.newest.newer = link;
    this.newest = link;
    this.oldest ??= link;
    this.map.set(key, link);
    while (this.map.length > this.limit) {
      this.map.delete(this.oldest.key);
      this.oldest = this.oldest.newer;
    }
  }
}
const thumbnails = new LruCache(100);

rounds(round => {
  for (let i = 0; i < 900; i++) thumbnails.put(`t${round}/${i}`, new Array(30).fill(i));
});
