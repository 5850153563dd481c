// Requests with contexts of their own, promises and timers, which all end.
const rounds = require('./rounds');
const { AsyncLocalStorage } = require('async_hooks');
const timers = require('timers/promises');

const storage = new AsyncLocalStorage();
const handle = async () => { await timers.setTimeout(1); return storage.getStore().id.length; };
rounds(async round => {
  for (let n = 0; n < 20; n++) await Promise.all(Array.from({ length: 30 }, (_, i) => storage.run({ id: `${round}-${n}-${i}`, spans: [] }, handle)));
});
