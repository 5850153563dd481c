// Options are copied from defaults, but the lists in them are the same for all.
const rounds = require('./rounds');

class Middleware {
  constructor(name, request) { this.name = name; this.request = request; }
}
const defaultOptions = { timeout: 1000, retry: { count: 2 }, pipeline: { before: [], after: [] } };
class HttpClient {
  constructor(options) { this.options = { ...defaultOptions, ...options }; }
  use(middleware) { this.options.pipeline.before.push(middleware); return this; }
  get(path) { return this.options.pipeline.before.length + path.length; }
}
rounds(async round => {
  for (let n = 0; n < 1200; n++) {
    new HttpClient({ timeout: n }).use(new Middleware('trace', { id: `${round}-${n}`, headers: { host: `shop-${n}` } })).get('/');
  }
});
