// All dashboards take the next prices from one asynchronous generator. It waits for an answer that does not come, and each new dashboard stands in its line.
const rounds = require('./rounds');

async function* prices(load) {
  for (let page = 0; ; page++) yield await load(page);
}
const feed = prices(() => new Promise(() => {}));

class Dashboard {
  constructor(user) { this.user = user; this.tiles = Array.from({ length: 6 }, (_, n) => ({ title: `tile ${n} of ${user}`, width: 2 })); }
  async refresh() {
    const { value } = await feed.next();
    this.tiles.forEach(tile => { tile.price = value; });
  }
}
rounds(round => { for (let n = 0; n < 600; n++) new Dashboard(`user-${round}-${n}`).refresh(); });
