// Reactions of mobx on a store that lives long, never disposed.
const rounds = require('./rounds');
const { observable, autorun, runInAction } = require('mobx');

const preferences = observable({ theme: 'dark', pageSize: 20 });
class Report {
  constructor(id) {
    this.id = id;
    this.rows = new Array(60).fill(id);
    autorun(() => { this.visible = this.rows.slice(0, preferences.pageSize); });
  }
}

let n = 0;
rounds(async round => {
  for (let i = 0; i < 300; i++) new Report(n++);
  runInAction(() => { preferences.pageSize = 20 + round; });
});
