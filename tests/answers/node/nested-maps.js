// A map of each tenant; all of them grow.
const rounds = require('./rounds');

class Draft {
  constructor(n) {
    this.paragraphs = [`draft ${n}`, n, { n }];
  }
}
class Workspace {
  drafts = new Map();
}
const workspaces = {};
for (let i = 0; i < 12; i++) workspaces[`team${i}`] = new Workspace();

rounds(round => {
  for (let i = 0; i < 1800; i++) workspaces[`team${i % 12}`].drafts.set(`${round}:${i}`, new Draft(i));
});
