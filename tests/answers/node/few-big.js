// A few reports a round, each of 30K.
const rounds = require('./rounds');
class Report { constructor(id) { this.id = id; this.body = Buffer.alloc(30000, id); } }
class Exporter { constructor() { this.finished = []; } run(id) { this.finished.push(new Report(id)); } }
const exporter = new Exporter();
let n = 0;
rounds(async () => { for (let i = 0; i < 15; i++) exporter.run(n++); });
