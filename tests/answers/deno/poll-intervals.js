// A session polls for messages by an interval, and ends without clearing it.
import rounds from './rounds.js';

class Session {
  constructor(user) { this.user = user; this.messages = Array.from({ length: 15 }, (_, n) => ({ n, user, text: `message ${n} for ${user}` })); }
  begin() { this.poll = setInterval(() => this.look(), 3600000); }
  look() { this.messages.push({ n: this.messages.length, user: this.user, text: 'none' }); }
  end() { this.ended = true; }
}
class ChatServer {
  constructor() { this.count = 0; }
  visit(user) {
    const session = new Session(user);
    session.begin();
    this.count++;
    session.end();
  }
}
const chat = new ChatServer();
rounds(round => { for (let n = 0; n < 300; n++) chat.visit(`user-${round}-${n}`); });
