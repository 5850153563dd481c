// A system of actors keeps those that were stopped, in a table by id and in the parent's own.
const rounds = require('./rounds');

class Actor {
  constructor(system, id, parent) {
    this.id = id; this.parent = parent; this.mailbox = []; this.children = new Map(); this.context = { tries: 0, log: [`${id} made`] };
    system.register(this);
    parent?.children.set(id, this);
  }
  stop() { this.status = 'stopped'; this.mailbox.length = 0; }
}
class ActorSystem {
  constructor() { this.actors = new Map(); this.root = new Actor(this, 'root', null); }
  register(actor) { this.actors.set(actor.id, actor); }
  spawn(id) { return new Actor(this, id, this.root); }
}
const checkout = new ActorSystem();
rounds(async round => { for (let n = 0; n < 900; n++) checkout.spawn(`order-${round}-${n}`).stop(); });
