// Callbacks are bound to the context of their request and wait for an event that does not come.
const rounds = require('./rounds');
const { AsyncLocalStorage, AsyncResource } = require('async_hooks');
const { EventEmitter } = require('events');

class RequestContext { constructor(id) { this.id = id; this.marks = Array.from({ length: 15 }, (_, n) => `${id} mark ${n}`); } }
const storage = new AsyncLocalStorage();
const uplink = new EventEmitter().setMaxListeners(0);
function flushLater() { uplink.once('drain', AsyncResource.bind(() => { storage.getStore().marks.length = 0; })); }
rounds(round => { for (let n = 0; n < 600; n++) storage.run(new RequestContext(`${round}/${n}`), flushLater); });
