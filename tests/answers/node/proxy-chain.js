// Each reload of a plugin wraps the api in one more Proxy.
const rounds = require('./rounds');
class Tracing { constructor(n) { this.n = n; this.calls = [n]; this.label = `trace ${n}`; } get(target, key) { return key === 'raw' ? target : target[key]; } }
const app = { api: { find: id => id, options: {} } }; let n = 0;
rounds(async () => { for (let i = 0; i < 400; i++) app.api = new Proxy(app.api, new Tracing(n++)); });
