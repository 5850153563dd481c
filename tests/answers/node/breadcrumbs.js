// A hub of error reports collects breadcrumbs with the errors that were handled, without a bound.
const rounds = require('./rounds');

class Scope {
  constructor() { this._breadcrumbs = []; this._tags = {}; }
  addBreadcrumb(crumb) { this._breadcrumbs = [...this._breadcrumbs, crumb]; }
}
class Hub {
  constructor() { this._stack = [{ scope: new Scope(), client: { dsn: 'https://errors' } }]; }
  getScope() { return this._stack[this._stack.length - 1].scope; }
}
globalThis.__ERRORS__ = { hub: new Hub(), version: '7' };
function handled(n) {
  try { JSON.parse(`{${n}`); } catch (error) {
    globalThis.__ERRORS__.hub.getScope().addBreadcrumb({ category: 'parse', level: 'info', error, at: Date.now() });
  }
}
rounds(round => { for (let n = 0; n < 900; n++) handled(round * 900 + n); });
