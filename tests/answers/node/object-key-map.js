// Requests are keys of a Map of when they began.
const rounds = require('./rounds');
class Request { constructor(n) { this.url = `/item/${n}`; this.headers = { host: 'shop', cookie: `sid=${n}` }; } }
const startedAt = new Map();
const handle = request => { startedAt.set(request, 1000 + request.url.length); if (request.url.endsWith('0')) startedAt.delete(request); };
let n = 0;
rounds(async () => { for (let i = 0; i < 500; i++) handle(new Request(n++)); });
