// Identifiers of events are kept in a static of a class, to drop those that come twice.
const rounds = require('./rounds');

class Deduper {
  static seen = new Set();
  static accept(event) {
    if (Deduper.seen.has(event.id)) return false;
    Deduper.seen.add(event.id);
    return true;
  }
}

rounds(round => {
  for (let i = 0; i < 3000; i++) Deduper.accept({ id: `evt-${round}-${i}-${'abcdef'.repeat(4)}` });
});
