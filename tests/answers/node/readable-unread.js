// A stream that nobody reads any more.
const { Readable } = require('stream'); const rounds = require('./rounds');
class Update { constructor(n) { this.n = n; this.diff = { path: `/a/${n}`, op: 'add' }; } }
class Feed { constructor() { this.stream = new Readable({ objectMode: true, read() {} }); } send(u) { this.stream.push(u); } }
const feed = new Feed(); let n = 0;
rounds(async () => { for (let i = 0; i < 500; i++) feed.send(new Update(n++)); });
