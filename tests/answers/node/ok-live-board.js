// A board with web sockets: viewers come and go, as many as before, though others; the load of edits rises.
const http = require('http');
const { AsyncLocalStorage } = require('async_hooks');
const express = require('express');
const session = require('express-session');
const { rateLimit } = require('express-rate-limit');
const Handlebars = require('handlebars');
const { WebSocketServer, WebSocket } = require('ws');
const rounds = require('./rounds');

const context = new AsyncLocalStorage();
const templates = new Map();
const template = name => {
  if (!templates.has(name)) templates.set(name, Handlebars.compile(`<h1>{{title}} of ${name}</h1>{{#each notes}}<p>{{this.text}} by {{this.author}}</p>{{/each}}`));
  return templates.get(name);
};

class Board {
  constructor(name) {
    this.name = name;
    this.viewers = new Map();
    this.notes = [];
  }

  join(id, socket) {
    this.viewers.set(id, { socket, since: Date.now(), cursor: { x: 0, y: 0 } });
    socket.on('message', text => this.edit(id, JSON.parse(text)));
    socket.on('close', () => this.viewers.delete(id));
  }

  edit(author, note) {
    this.notes.push({ author, text: note.text, trace: context.getStore()?.trace });
    if (this.notes.length > 40) this.notes.shift();
    for (const viewer of this.viewers.values()) viewer.socket.send(JSON.stringify({ author, text: note.text }));
  }
}

const boards = new Map();
const board = name => boards.get(name) ?? boards.set(name, new Board(name)).get(name);
const app = express();
app.use((request, response, next) => context.run({ trace: request.headers['x-trace'] ?? 'none' }, next));
app.use(rateLimit({ windowMs: 1000, limit: 10000, validate: false }));
app.use(session({ secret: 's', resave: false, saveUninitialized: false, cookie: { maxAge: 3_600_000 } }));
app.get('/boards/:name', (request, response) => {
  request.session.last = request.params.name;
  response.send(template(request.params.name)({ title: 'Notes', notes: board(request.params.name).notes }));
});
const server = http.createServer(app);
const sockets = new WebSocketServer({ server, path: '/live' });
let viewer = 0;
sockets.on('connection', (socket, request) => board(new URL(request.url, 'http://x').searchParams.get('board')).join(`viewer-${viewer++}`, socket));

let open = [];
const cookies = [];
rounds(async round => {
  if (round === 0) await new Promise(done => server.listen(0, done));
  const { port } = server.address();
  for (const socket of open) socket.close();
  await Promise.all(open.map(socket => new Promise(done => socket.on('close', done))));
  open = await Promise.all(Array.from({ length: 60 }, (_, i) => new Promise(done => {
    const socket = new WebSocket(`ws://localhost:${port}/live?board=team-${i % 12}`);
    socket.on('open', () => done(socket));
    socket.on('message', () => {});
  })));
  for (let i = 0; i < 40 + 40 * round; i++) {
    open[i % 60].send(JSON.stringify({ text: `note ${i} of round ${round}` }));
    const answer = await fetch(`http://localhost:${port}/boards/team-${i % 12}`, { headers: { 'x-trace': `t${i}`, cookie: cookies[i % 20] ?? '' } });
    cookies[i % 20] ??= answer.headers.get('set-cookie').split(';')[0];
    await answer.text();
  }
});
