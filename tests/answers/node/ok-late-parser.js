// A service takes in forms for a long time; in the last hour the first form comes that is a bundle, for which a large package is loaded.
const rounds = require('./rounds');

class Intake {
  constructor(most) { this.most = most; this.recent = []; this.byKind = new Map(); }
  take(form) {
    this.byKind.set(form.kind, (this.byKind.get(form.kind) ?? 0) + 1);
    this.recent.push(form);
    if (this.recent.length > this.most) this.recent.shift();
    if (form.kind === 'bundle') this.bundler(form);
  }
  bundler(form) {
    const webpack = require('webpack');
    form.checked = webpack.validateSchema ? webpack.version : '';
    require('webpack/lib/javascript/JavascriptParser');
    require('webpack/lib/optimize/SplitChunksPlugin');
    require('webpack/lib/node/NodeTargetPlugin');
  }
}
const intake = new Intake(300);
const load = [500, 420, 610, 480];
rounds(round => {
  for (let n = 0; n < load[round]; n++) intake.take({ id: `${round}-${n}`, kind: ['tax', 'rent', 'car'][n % 3], fields: Array.from({ length: 5 }, (_, i) => ({ i, text: `field ${i} of ${n}` })) });
  if (round === 3) intake.take({ id: 'first bundle', kind: 'bundle', fields: [] });
});
