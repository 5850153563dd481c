// Posts by tag, of which nearly all have one.
const rounds = require('./rounds');
class Post { constructor(n) { this.n = n; this.text = { n }; } }
const blog = { latest: [], index: new Map([['all', new Set()], ['rare', new Set()]]) }; let n = 0;
rounds(async () => { for (let i = 0; i < 800; i++, n++) { const p = new Post(n); blog.latest.push(p); if (blog.latest.length > 100) blog.latest.shift(); blog.index.get(i % 7 ? 'all' : 'rare').add(p); } });
