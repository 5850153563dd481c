// An application of express has 90 views, which handlebars compiles when they are first shown; rare ones come late. Sessions end by age.
const express = require('express');
const Handlebars = require('handlebars');
const http = require('http');
const rounds = require('./rounds');

const source = name => `<section class="${name}"><h1>{{title}}</h1>{{#each lines}}<p>{{upper this.text}} {{#if this.count}}({{this.count}}){{/if}}</p>{{/each}}{{> footer}}</section>`;
Handlebars.registerHelper('upper', text => String(text).toUpperCase());
Handlebars.registerPartial('footer', '<footer>{{title}} of the shop</footer>');
const compiled = new Map();
const view = name => {
  let render = compiled.get(name);
  if (!render) compiled.set(name, render = Handlebars.compile(source(name)));
  return render;
};
const sessions = new Map();
let clock = 0;
const app = express();
app.engine('hbs', (path, options, done) => done(null, view(path)(options)));
app.use((req, res, next) => {
  clock++;
  const id = req.headers['x-session'];
  sessions.set(id, { id, last: clock, visited: (sessions.get(id)?.visited ?? 0) + 1 });
  for (const [old, { last }] of sessions) if (last < clock - 150) sessions.delete(old);
  next();
});
app.get('/:name', (req, res) => res.send(view(req.params.name)({ title: req.params.name, lines: [{ text: 'one', count: 1 }, { text: 'two' }] })));
const agent = new http.Agent({ keepAlive: true, maxSockets: 2 });
const get = (port, path, session) => new Promise((done, failed) => {
  http.get({ port, path, agent, headers: { 'x-session': session } }, response => response.resume().on('end', done)).on('error', failed);
});
const shown = [35, 55, 70, 80];
let last = 0;
const server = app.listen(0, () => rounds(async round => {
  const { port } = server.address();
  for (let n = 0; n < 400; n++) await get(port, `/view-${n % shown[round]}`, `session-${last++}`);
}));
