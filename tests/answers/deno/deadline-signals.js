// Each lookup may be stopped by its own deadline or when the service stops: a signal of both (denoland/deno#24842).
import rounds from './rounds.js';

class Lookups {
  constructor(stopping) { this.stopping = stopping; this.found = 0; this.running = new Set(); }
  async find(name) {
    const own = new AbortController();
    const signal = AbortSignal.any([this.stopping, own.signal]);
    const lookup = { name, words: Array.from({ length: 8 }, (_, n) => `word ${n} of ${name}`) };
    const stop = () => { this.running.delete(lookup); lookup.stopped = true; };
    signal.addEventListener('abort', stop);
    this.running.add(lookup);
    await Promise.resolve();
    this.running.delete(lookup);
    this.found += lookup.words.length;
  }
}
const service = new AbortController();
const lookups = new Lookups(service.signal);
rounds(async round => {
  for (let n = 0; n < 1000; n++) await lookups.find(`${round}-${n}`);
});
