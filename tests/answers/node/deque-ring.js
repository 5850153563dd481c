// Nobody takes from a ring that doubles when it is full.
const rounds = require('./rounds');
class OutMessage { constructor(n) { this.n = n; this.payload = `payload ${n}`; } }
class Deque { constructor() { this._list = new Array(4); this._mask = 3; this._head = 0; this._tail = 0; } push(x) { this._list[this._tail] = x; this._tail = (this._tail + 1) & this._mask; if (this._tail === this._head) { const copy = new Array(this._list.length * 2); for (let i = 0; i < this._list.length; i++) copy[i] = this._list[(this._head + i) & this._mask]; this._tail = this._list.length; this._head = 0; this._list = copy; this._mask = copy.length - 1; } } shift() { const x = this._list[this._head]; this._list[this._head] = undefined; this._head = (this._head + 1) & this._mask; return x; } }
const bus = { outgoing: new Deque() };
let n = 0;
rounds(async () => { for (let i = 0; i < 900; i++) bus.outgoing.push(new OutMessage(n++)); for (let i = 0; i < 400; i++) bus.outgoing.shift(); });
