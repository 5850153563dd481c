// Each request of an express server listens to a bus of the program, and keeps request and response with that.
const rounds = require('./rounds');
const http = require('http');
const { EventEmitter } = require('events');
const express = require('express');

const app = express();
const configBus = new EventEmitter().setMaxListeners(0);
app.get('/', (request, response) => {
  configBus.on('reload', () => response.set('x-stale', '1'));
  response.send('ok');
});

const server = app.listen(0);
const get = () => new Promise((resolve, reject) => {
  http.get({ port: server.address().port, path: '/', agent: false }, r => r.resume().on('end', resolve)).on('error', reject);
});

rounds(async round => {
  for (let i = 0; i < (round ? 60 : 120); i++) await get();
});
