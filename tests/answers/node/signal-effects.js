// The temperature of a hall is a signal. Each panel that is opened has an effect on it, and drops what would dispose of the effect.
const rounds = require('./rounds');
const { signal, computed, effect } = require('@preact/signals-core');

const temperature = signal(20);
const warm = computed(() => temperature.value > 25);
class Panel {
  constructor(name) {
    this.name = name;
    this.texts = [];
    this.cells = Array.from({ length: 8 }, (_, n) => ({ column: n, text: `${n} of ${name}` }));
  }
  open() {
    effect(() => { this.show(`${temperature.value} degrees`); });
    return this;
  }
  show(text) { this.texts.push(text); if (this.texts.length > 3) this.texts.shift(); }
  close() { this.closed = true; }
}
let alarms = 0;
effect(() => { if (warm.value) alarms++; });
rounds(round => {
  for (let n = 0; n < 500; n++) new Panel(`panel-${round}-${n}`).open().close();
  temperature.value = 20 + round;
});
