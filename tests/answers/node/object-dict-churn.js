// As churn-leak, with a plain object and delete.
const rounds = require('./rounds');
class Call { constructor(id) { this.id = id; this.args = [id]; } }
const calls = {}; let id = 0;
rounds(async () => { const first = id; for (let i = 0; i < 2500; i++, id++) calls[`c${id}`] = new Call(id); for (let i = first; i < id; i++) if (i % 10) delete calls[`c${i}`]; });
