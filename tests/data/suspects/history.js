// A module keeps all it has done, in an array of its own.
const { write } = require('./write.js');
const history = [];
class Step {
  constructor(id) { this.id = id; this.state = { user: 'user ' + id, rows: new Array(60).fill(id) }; }
}
exports.run = (id) => { history.push(new Step(id)); return history.length; };
for (let i = 0; i < 1000; i++) exports.run(i);
write();
