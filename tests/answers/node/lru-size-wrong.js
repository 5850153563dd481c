// A cache has a limit of 50 MB, and counts each preview as one byte.
const rounds = require('./rounds');
const { LRUCache } = require('lru-cache');

class Preview { constructor(path) { this.path = path; this.lines = Array.from({ length: 10 }, (_, i) => `${path}:${i} some text of it`); } }
class PreviewService {
  constructor() { this.cache = new LRUCache({ maxSize: 50_000_000, sizeCalculation: () => 1, ttl: 86400e3 }); }
  get(path) {
    let preview = this.cache.get(path);
    if (!preview) this.cache.set(path, preview = new Preview(path));
    return preview;
  }
}
const previews = new PreviewService();
rounds(round => { for (let n = 0; n < 800; n++) previews.get(`/docs/${round}/${n}.md`); });
