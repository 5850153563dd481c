// Sessions of an express server stay in memory: every request without a cookie makes one.
const rounds = require('./rounds');
const http = require('http');
const express = require('express');

const app = express();
class ShopSession {
  constructor(id) {
    this.id = id;
    this.basket = new Array(20).fill(id);
    this.seen = { first: id, pages: [id] };
  }
}
const sessionStore = { sessions: {} };
let count = 0;
app.use((request, response, next) => {
  const id = `s${count++}`;
  request.session = sessionStore.sessions[id] = new ShopSession(id);
  next();
});
app.get('/', (request, response) => response.send(request.session.id));

const server = app.listen(0);
const get = () => new Promise((resolve, reject) => {
  http.get({ port: server.address().port, path: '/', agent: false }, r => r.resume().on('end', resolve)).on('error', reject);
});

rounds(async round => {
  for (let i = 0; i < (round ? 400 : 200); i++) await get();
});
