// Times of all requests are kept to make percentiles of them; nobody empties the list.
const rounds = require('./rounds');

class RouteStats {
  constructor(route) { this.route = route; this.durations = []; }
  observe(ms) { this.durations.push(ms); }
  percentile(p) { return [...this.durations].sort((a, b) => a - b)[Math.floor(this.durations.length * p)]; }
}
const statsByRoute = { '/': new RouteStats('/'), '/login': new RouteStats('/login'), '/search': new RouteStats('/search') };

rounds(async round => {
  for (let i = 0; i < 20000; i++) {
    const route = i % 10 === 0 ? '/login' : i % 10 < 8 ? '/search' : '/';
    statsByRoute[route].observe(Math.sqrt(i + round) * 1.1);
  }
  statsByRoute['/'].percentile(0.9);
});
