// Pages of events are read from a database in memory by an iterator; who has enough stops reading and does not close it, so that the database
// has all iterators and what they saw (Level: an iterator must be closed).
import { MemoryLevel } from 'memory-level';
import rounds from './rounds.js';

const db = new MemoryLevel({ valueEncoding: 'json' });
const events = db.sublevel('events', { valueEncoding: 'json' });

class Feed {
  constructor(events) { this.events = events; this.read = 0; }
  async page(after, most) {
    const found = [];
    const cursor = this.events.iterator({ gt: after });
    for (let entry = await cursor.next(); entry; entry = await cursor.next()) {
      found.push(entry[1]);
      this.read++;
      if (found.length === most) return found;
    }
    await cursor.close();
    return found;
  }
}
const feed = new Feed(events);
const followers = new Map();
rounds(async round => {
  const batch = [];
  for (let n = 0; n < 60; n++) batch.push({ type: 'put', key: `event ${String(n).padStart(4, '0')}`, value: { n, round, what: 'parcel scanned' } });
  await events.batch(batch);
  for (let n = 0; n < 400; n++) {
    const follower = `follower ${round}-${n}`;
    followers.set(follower, await feed.page(`event ${String(n % 40).padStart(4, '0')}`, 5));
    while (followers.size > 50 * (round + 1)) followers.delete(followers.keys().next().value);
  }
});
