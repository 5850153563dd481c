// A large table that is loaded at the start and only read.
const rounds = require('./rounds');

class City {
  constructor(n) {
    this.name = `city ${n}`;
    this.position = { north: n / 7, east: n / 3 };
  }
}
const cities = Array.from({ length: 9000 }, (_, n) => new City(n));
const byName = new Map(cities.map(city => [city.name, city]));

rounds(round => {
  let found = 0;
  for (let i = 0; i < 30_000; i++) if (byName.has(`city ${i + round}`)) found++;
  return found;
});
