// Answers are streams; of those that a client leaves, the controllers stay with the hub.
import rounds from './rounds.js';

class Hub {
  constructor() { this.controllers = new Set(); }
  open(topic) {
    let mine;
    return new ReadableStream({
      start: controller => { mine = { topic, controller, backlog: Array(30).fill(topic) }; this.controllers.add(mine); },
    });
  }
}
const hub = new Hub();
rounds(async round => {
  for (let n = 0; n < 300; n++) {
    const reader = hub.open(`topic-${round}-${n}`).getReader();
    reader.releaseLock();
  }
});
