// Ids of events that were seen stand in two sets; when one has 4,000, it becomes the old one, and the one before goes.
const rounds = require('./rounds');

class SeenEvents {
  constructor(limit) { this.limit = limit; this.young = new Set(); this.old = new Set(); }
  isNew(id) {
    if (this.young.has(id) || this.old.has(id)) return false;
    if (this.young.size >= this.limit) { this.old = this.young; this.young = new Set(); }
    this.young.add(id);
    return true;
  }
}
const seen = new SeenEvents(4000);
let accepted = 0, next = 0;
async function onWebhook(event) { if (seen.isNew(event.id)) accepted++; }
rounds(async round => { for (let n = 0; n < [9000, 5200, 6100, 5300, 4700, 5900][round]; n++) await onWebhook({ id: `evt_${(next++).toString(36)}_${n % 7}` }); });
