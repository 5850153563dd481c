// Parts of a server are loaded when they are first used: more of them each round, fewer new ones each time.
const rounds = require('./rounds');
const http = require('http');
const later = [
  ['express', 'ws', 'graphql', 'handlebars'], ['prom-client', 'rxjs'], ['dataloader', 'node-cache'], ['eventemitter3'],
];
let state = 0;
rounds(async round => {
  for (const name of later[round]) { require(name); state++; }
  if (round === 0) http.createServer(require('express')()).listen(0);
});
