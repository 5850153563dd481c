// The route of a request is looked up once and kept by its whole address, with all that stands behind the question mark.
const rounds = require('./rounds');

class Match { constructor(route, params) { this.route = route; this.params = params; this.pattern = new RegExp(`^${route.replace(/:\w+/g, '([^/]+)')}$`); } }
class Router {
  constructor(routes) { this.routes = routes; this.byUrl = Object.create(null); }
  match(url) {
    let match = this.byUrl[url];
    if (!match) {
      const path = url.split('?')[0].split('/');
      const route = this.routes.find(r => r.split('/').length === path.length && r.split('/')[1] === path[1]);
      match = this.byUrl[url] = new Match(route, { id: path[2], query: url.split('?')[1] });
    }
    return match;
  }
}
const router = new Router(['/users/:id', '/orders/:id', '/articles/:id/comments']);
rounds(round => { for (let n = 0; n < 1500; n++) router.match(`/orders/${n}?session=${round}-${n}`); });
