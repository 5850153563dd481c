// Requests in flight at each dump, more each time; all are answered later.
const rounds = require('./rounds');
class Call { constructor(id) { this.id = id; this.started = id; this.promise = new Promise(r => { this.answer = r; }); } }
const calls = new Map(); let id = 0; let waiting = [];
const handle = async order => { const call = new Call(id++); calls.set(call.id, call); const got = await call.promise; calls.delete(call.id); return { order, got }; };
rounds(async round => { for (const c of [...calls.values()]) c.answer({ ok: c.id }); await Promise.all(waiting); waiting = []; for (let i = 0; i < 140 + 60 * round; i++) waiting.push(handle({ n: i, lines: [`l${id}`] })); await null; });
