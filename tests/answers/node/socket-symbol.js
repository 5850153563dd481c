// A socket that stays open has all its requests under a symbol.
const { EventEmitter } = require('events');
const rounds = require('./rounds');
const kHistory = Symbol('kHistory');
class UpstreamRequest { constructor(path) { this.path = path; this.headers = { accept: 'application/json', 'x-id': path }; } }
class FakeSocket extends EventEmitter { constructor() { super(); this[kHistory] = []; } }
class Upstream { constructor() { this.socket = new FakeSocket(); } send(path) { const request = new UpstreamRequest(path); this.socket[kHistory].push(request); this.socket.emit('sent', request); return request; } }
const upstream = new Upstream();
let n = 0;
rounds(async () => { for (let i = 0; i < 600; i++) upstream.send(`/stock/${n++}`); });
