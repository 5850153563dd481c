// A dashboard subscribes to prices by graphql-sse and stops when the panel goes; the client remembers for each how it would be disposed of
// (enisdenjo/graphql-sse#106). More panels are open from hour to hour.
const { createClient } = require('graphql-sse');
const rounds = require('./rounds');

const answer = ({ signal, body }) => {
  const { variables } = JSON.parse(body);
  const stream = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(`event: next\ndata: {"data":{"price":${variables.article.length}}}\n\n`));
      signal.addEventListener('abort', () => controller.error(new Error('left')), { once: true });
    },
  });
  return new Response(stream, { status: 200, headers: { 'content-type': 'text/event-stream' } });
};
const client = createClient({ url: 'http://shop.example/graphql', fetchFn: async (url, options) => answer(options), retryAttempts: 0 });

class Panel {
  constructor(article) {
    this.article = article;
    this.prices = [];
    this.ready = new Promise(done => {
      this.stop = client.subscribe({ query: 'subscription Price($article: ID!) { price(article: $article) }', variables: { article } }, {
        next: ({ data }) => { this.prices.push(data.price); done(); },
        error: () => done(),
        complete: () => done(),
      });
    });
  }
}
const open = [];
const together = [10, 20, 30, 40];
let last = 0;
rounds(async round => {
  for (let n = 0; n < 250; n++) {
    const panel = new Panel(`article ${last++}`);
    open.push(panel);
    await panel.ready;
    while (open.length > together[round]) open.shift().stop();
  }
});
