// Three connections that last have a list each.
const rounds = require('./rounds');
class Subscription { constructor(topic) { this.topic = topic; this.filter = { topic, since: 1 }; } }
class Connection { constructor(id) { this.id = id; this.subscriptions = []; } }
const server = { connections: new Set() };
let n = 0;
rounds(async round => { server.connections.add(new Connection(round)); const all = [...server.connections]; for (let i = 0; i < 500; i++) all[i % all.length].subscriptions.push(new Subscription(`topic/${n++}`)); });
