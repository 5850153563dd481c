// Writes wait for each other. The first waits for a connection that never comes, so all wait.
const rounds = require('./rounds');

class DocumentStore {
  constructor(connected) { this.connected = connected; this.last = connected; }
  write(document) { this.last = this.last.then(() => this.send(document)); }
  send(document) { return document.text.length; }
}
class Document { constructor(n) { this.n = n; this.text = `document ${n}`; this.words = Array.from({ length: 20 }, (_, m) => ({ m, n })); } }
const documentStore = new DocumentStore(new Promise(() => {}));
let n = 0;
rounds(async () => {
  for (let i = 0; i < 900; i++) documentStore.write(new Document(n++));
});
