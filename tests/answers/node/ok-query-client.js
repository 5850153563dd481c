// One client of queries serves all pages. Queries that nobody looks at any more are thrown away after some milliseconds; how many are looked at differs.
const rounds = require('./rounds');
const { QueryClient, QueryObserver } = require('@tanstack/query-core');

const client = new QueryClient();
const watched = [];
const load = [500, 800, 650, 900];
const open = [150, 260, 210, 320];

async function article(id) { return { id, title: `article ${id}`, prices: Array.from({ length: 8 }, (_, n) => ({ shop: n, price: n * 3 })) }; }
function watch(id) {
  const observer = new QueryObserver(client, { queryKey: ['article', id], queryFn: () => article(id), gcTime: 15, staleTime: 1000 });
  watched.push(observer.subscribe(() => {}));
}
rounds(async round => {
  client.mount();
  for (const stop of watched.splice(0)) stop();
  for (let n = 0; n < load[round]; n++) {
    if (n >= open[round]) watched.shift()();
    watch(`${round}-${n}`);
    if (n % 50 === 0) await new Promise(resolve => setTimeout(resolve, 1));
  }
  await new Promise(resolve => setTimeout(resolve, 60));
});
