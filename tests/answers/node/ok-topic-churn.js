// Rooms of a building report by topics with wildcards. Watchers come and go with their visits; the rooms stay what they are.
const rounds = require('./rounds');
const { EventEmitter2 } = require('eventemitter2');

const building = new EventEmitter2({ wildcard: true, delimiter: '/', maxListeners: 0 });
class Watcher {
  constructor(room) {
    this.room = room;
    this.values = [];
    this.onValue = value => { this.values.push(value); if (this.values.length > 20) this.values.shift(); };
    building.on(`${room}/temperature`, this.onValue);
    building.on(`${room}/door/*`, this.onValue);
  }
  leave() {
    building.off(`${this.room}/temperature`, this.onValue);
    building.off(`${this.room}/door/*`, this.onValue);
  }
}
let present = [];
const load = [180, 260, 210, 320];
rounds(round => {
  for (let n = 0; n < load[round] * 4; n++) {
    present.push(new Watcher(`floor${n % 5}/room${n % 30}`));
    building.emit(`floor${n % 5}/room${n % 30}/temperature`, { n, degrees: 18 + n % 9 });
    building.emit(`floor${n % 5}/room${n % 30}/door/main`, { n, open: n % 2 === 0 });
    if (present.length > load[round]) present.shift().leave();
  }
});
