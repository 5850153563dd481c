// An agent looks names up by a function with a cache, which knows when entries end, and never takes one out.
const rounds = require('./rounds');
const http = require('http');

function cachedLookup(seconds) {
  const answers = new Map();
  return (host, options, done) => {
    const known = answers.get(host);
    if (known && known.ends > Date.now()) return done(null, known.addresses);
    const addresses = Array.from({ length: 4 }, (_, i) => ({ address: `10.0.${host.length}.${i}`, family: 4 }));
    answers.set(host, { addresses, ends: Date.now() + seconds * 1000 });
    done(null, addresses);
  };
}
const bucketAgent = new http.Agent({ keepAlive: true, lookup: cachedLookup(1) });
rounds(round => {
  for (let n = 0; n < 1500; n++) bucketAgent.options.lookup(`b${round}x${n}.buckets.example`, {}, () => {});
});
