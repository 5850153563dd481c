// An index that is built anew after each import, of ever more documents.
const rounds = require('./rounds');
class Posting { constructor(doc, positions) { this.doc = doc; this.positions = positions; } }
class Search { constructor() { this.docs = []; this.index = new Map(); } import(texts) { this.docs.push(...texts); this.index = new Map(); this.docs.forEach((text, d) => text.split(' ').forEach((word, p) => { let list = this.index.get(word); if (!list) this.index.set(word, list = []); list.push(new Posting(d, [p])); })); } }
const search = new Search();
let n = 0;
rounds(async () => { search.import(Array.from({ length: 150 }, () => `ticket ${n++} about printer number ${n % 40} on floor ${n % 9}`)); });
