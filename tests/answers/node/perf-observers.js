// Each request watches the durations of its own marks, and never disconnects its observer.
const rounds = require('./rounds');
const { PerformanceObserver } = require('perf_hooks');

class RequestTimer {
  constructor(id) {
    this.id = id;
    this.steps = Array.from({ length: 16 }, (_, i) => `${id} step ${i}`);
    this.observer = new PerformanceObserver(list => { this.entries = list.getEntries(); });
    this.observer.observe({ entryTypes: ['measure'] });
  }
}
rounds(round => {
  for (let n = 0; n < 400; n++) new RequestTimer(`r${round}-${n}`);
});
