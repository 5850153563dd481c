// Calls WORK four times (or one more than ROUNDS says), and takes a dump after each call but the first, which warms up.
// The dump is taken from a timer, when no function of the program runs.
const v8 = require('v8');

const last = Number(process.env.ROUNDS ?? 3);
module.exports = work => {
  let round = 0;
  const next = async () => {
    await work(round);
    setTimeout(dump, 50);
  };
  const dump = () => {
    if (round > 0) v8.writeHeapSnapshot(`${process.argv[2]}-${round}.heapsnapshot`);
    if (++round > last) process.exit();
    setImmediate(next);
  };
  setImmediate(next);
};
