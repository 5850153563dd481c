// Figures of a dashboard are signals; views have effects on them while they are shown, and are disposed of when the user goes on.
const rounds = require('./rounds');
const { signal, computed, effect, batch } = require('@preact/signals-core');

const figures = Array.from({ length: 40 }, (_, n) => signal({ name: `figure ${n}`, value: n }));
const total = computed(() => figures.reduce((sum, figure) => sum + figure.value.value, 0));
class View {
  constructor(user, wanted) {
    this.user = user;
    this.texts = new Map();
    this.stops = wanted.map(n => effect(() => { const { name, value } = figures[n].value; this.texts.set(name, `${name}: ${value} of ${total.value}`); }));
  }
  close() { for (const stop of this.stops) stop(); }
}
const shown = [];
const load = [140, 210, 170, 235];
rounds(round => {
  for (let n = 0; n < load[round] * 3; n++) {
    shown.push(new View(`user-${round}-${n}`, [n % 40, (n * 7) % 40, (n * 11) % 40]));
    while (shown.length > load[round] / 3) shown.shift().close();
    if (n % 50 === 0) batch(() => { for (let i = 0; i < 40; i += 3) figures[i].value = { name: `figure ${i}`, value: n + i }; });
  }
});
