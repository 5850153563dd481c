// lru-cache is full before the first dump; its entries come and go.
const rounds = require('./rounds');
const { LRUCache } = require('lru-cache');

class Profile { constructor(id) { this.id = id; this.name = `name ${id}`; this.friends = Array.from({ length: 10 }, (_, n) => id + n); } }
const profiles = new LRUCache({ max: 1000 });
const profile = id => {
  let found = profiles.get(id);
  if (!found) profiles.set(id, found = new Profile(id));
  return found;
};

let n = 0;
rounds(async round => {
  for (let i = 0; i < (round ? 1500 : 3000); i++) profile(n++);
});
