// A record for each async identifier; those of promises get no destroy hook in time.
const async_hooks = require('async_hooks');
const rounds = require('./rounds');
class AsyncRecord { constructor(id, type, trigger) { this.id = id; this.type = type; this.trigger = trigger; } }
class Tracer {
  constructor() { this.resources = new Map(); this.hook = async_hooks.createHook({ init: (id, type, trigger) => { if (type === 'PROMISE') this.resources.set(id, new AsyncRecord(id, type, trigger)); } }).enable(); }
}
const tracer = new Tracer();
const handle = async n => n + 1;
rounds(async () => { for (let i = 0; i < 400; i++) await handle(i); });
