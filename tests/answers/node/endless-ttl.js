// A cache of node-cache without a time to live, by a key that has the time in it.
const rounds = require('./rounds');
const NodeCache = require('node-cache');

const weatherCache = new NodeCache({ useClones: false });
async function forecast(city, minute) {
  const key = `${city}@${minute}`;
  let found = weatherCache.get(key);
  if (!found) {
    found = { city, minute, hours: Array.from({ length: 24 }, (_, n) => ({ hour: n, degrees: n * 0.7 })) };
    weatherCache.set(key, found);
  }
  return found;
}

let minute = 0;
rounds(async () => {
  for (let i = 0; i < 40; i++, minute++) for (const city of ['Oslo', 'Rome', 'Lima', 'Kyiv']) await forecast(city, minute);
});
