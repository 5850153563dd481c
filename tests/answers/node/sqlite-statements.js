// Statements are prepared once and kept by their text; the text of a search has the words of the user in it.
const rounds = require('./rounds');
const { DatabaseSync } = require('node:sqlite');

class Database {
  constructor() { this.db = new DatabaseSync(':memory:'); this.statements = new Map(); this.db.exec('create table notes (id integer primary key, user text, body text)'); }
  prepare(text) {
    let statement = this.statements.get(text);
    if (!statement) this.statements.set(text, statement = this.db.prepare(text));
    return statement;
  }
}
class NoteRepository {
  constructor(database) { this.database = database; }
  add(user, body) { this.database.prepare('insert into notes (user, body) values (?, ?)').run(user, body); }
  search(user, words) {
    const where = words.map(word => `body like '%${word}%'`).join(' and ');
    return this.database.prepare(`select id, body from notes where user = ? and ${where} limit 20`).all(user);
  }
}
const notes = new NoteRepository(new Database());
for (let n = 0; n < 20; n++) notes.add(`user-${n % 5}`, `note ${n} about lunch and dinner`);
rounds(round => { for (let n = 0; n < 1200; n++) notes.search(`user-${n % 5}`, [`word${round}`, `lunch${n}`]); });
