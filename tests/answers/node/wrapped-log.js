// Each request wraps console.info, so that lines have its number, and does not put back what was there.
const rounds = require('./rounds');

console.info = () => {};
function handle(request) {
  const before = console.info;
  const context = { request, tags: Array.from({ length: 16 }, (_, n) => ({ n, tag: `tag-${n}-${request}` })) };
  console.info = function withRequest(...parts) {
    if (parts[0] === 'deep') before(context.request, ...parts);
  };
  console.info('handled');
}
let n = 0;
rounds(async () => {
  for (let i = 0; i < 500; i++) handle(n++);
});
