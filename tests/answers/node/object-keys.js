// Permissions by user: the user is a new object for each request, so nothing is ever found again.
const rounds = require('./rounds');
const http = require('http');

class Account {
  constructor(id) { this.id = id; this.groups = [`g${id % 7}`, `g${id % 11}`]; }
}
const permissionCache = new Map();
function permissions(account) {
  let found = permissionCache.get(account);
  if (!found) {
    found = { read: account.groups, write: account.groups.slice(1), rules: account.groups.map(group => ({ group, allow: true })) };
    permissionCache.set(account, found);
  }
  return found;
}
const server = http.createServer((req, res) => {
  const account = new Account(Number(req.url.slice(1)));
  res.end(JSON.stringify(permissions(account)));
});
const ready = new Promise(resolve => server.listen(0, resolve));
server.keepAliveTimeout = 60000;
const agent = new http.Agent({ keepAlive: true, maxSockets: 4 });
const get = path => new Promise((resolve, reject) => {
  http.get({ port: server.address().port, path, agent }, r => r.resume().on('end', resolve)).on('error', reject);
});

rounds(async () => {
  await ready;
  for (let i = 0; i < 600; i++) await get(`/${i % 50}`);
});
