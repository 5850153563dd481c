// Panels listen to an EventTarget of the program, by objects with handleEvent, and are closed without a word.
const rounds = require('./rounds');

class PriceFeed extends EventTarget {
  publish(price) { this.dispatchEvent(Object.assign(new Event('price'), { price })); }
}
class PricePanel {
  constructor(name) { this.name = name; this.series = Array.from({ length: 12 }, (_, i) => `${name} ${i}`); }
  handleEvent(event) { this.last = event.price; }
}
const priceFeed = new PriceFeed();
require('events').setMaxListeners(0, priceFeed);
rounds(round => {
  for (let n = 0; n < 500; n++) priceFeed.addEventListener('price', new PricePanel(`panel-${round}-${n}`));
  priceFeed.publish(round);
});
