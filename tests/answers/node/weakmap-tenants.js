// What is known of a tenant is in a WeakMap, but tenants live as long as the program.
const rounds = require('./rounds');

const tenants = ['acme', 'globex', 'initech'].map(name => ({ name }));
const visits = new WeakMap();
class Visit {
  constructor(page) {
    this.page = page;
    this.clicks = [page, page + 1, page + 2];
  }
}
function visit(tenant, page) {
  if (!visits.has(tenant)) visits.set(tenant, []);
  visits.get(tenant).push(new Visit(page));
}

rounds(round => {
  for (let i = 0; i < 2100; i++) visit(tenants[i % 3], round * 2100 + i);
});
