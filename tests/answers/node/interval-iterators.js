// A loop of each dashboard waits for ticks, and goes on when the dashboard is closed.
const rounds = require('./rounds');
const timers = require('timers/promises');

class Dashboard {
  constructor(user) { this.user = user; this.values = Array.from({ length: 12 }, (_, n) => ({ n, user })); this.open = true; }
  async refresh() {
    for await (const _ of timers.setInterval(60000)) this.values.push({ n: this.values.length, user: this.user });
  }
}
rounds(async round => {
  for (let n = 0; n < 300; n++) {
    const dashboard = new Dashboard(`user-${round}-${n}`);
    dashboard.refresh();
    dashboard.open = false;
  }
});
