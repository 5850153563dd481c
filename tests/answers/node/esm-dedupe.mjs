// A module of ECMAScript remembers the identifiers of all events, to skip those that come twice.
import rounds from './rounds.js';

const seenEvents = new Set();
let skipped = 0;
export function accept(event) {
  if (seenEvents.has(event.id)) { skipped++; return false; }
  seenEvents.add(event.id);
  return true;
}

let n = 0;
rounds(async () => {
  for (let i = 0; i < 8000; i++) {
    accept({ id: `evt_${(n * 7919).toString(36)}_${n}`, body: i });
    if (i % 9) n++;
  }
});
