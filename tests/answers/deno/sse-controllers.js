// Pages listen to news by a stream that stays open. Streams that were cancelled stay in the list.
import rounds from './rounds.js';

class NewsClient {
  constructor(hub, user) {
    this.hub = hub;
    this.user = user;
    this.seen = Array.from({ length: 12 }, (_, n) => ({ n, text: `news ${n} for ${user}` }));
  }
  stream() {
    return new ReadableStream({
      start: controller => { this.controller = controller; this.hub.join(this); },
      cancel: () => { this.gone = true; },
    });
  }
}
class NewsHub {
  constructor() { this.clients = []; this.sent = 0; this.encoder = new TextEncoder(); }
  join(client) { this.clients.push(client); }
  send(text) {
    const bytes = this.encoder.encode(`data: ${text}\n\n`);
    for (const client of this.clients) if (!client.gone) { client.controller.enqueue(bytes); this.sent++; }
  }
}
const hub = new NewsHub();
rounds(async round => {
  for (let n = 0; n < 250; n++) {
    const reader = new NewsClient(hub, `user-${round}-${n}`).stream().getReader();
    hub.send(`round ${round}, ${n}`);
    await reader.read();
    await reader.cancel();
  }
});
