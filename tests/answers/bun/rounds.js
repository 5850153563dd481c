// Calls WORK four times, and takes a dump after each call but the first, which warms up.
const { generateHeapSnapshot } = require('bun');
const fs = require('fs');

module.exports = work => {
  let round = 0;
  const next = async () => {
    await work(round);
    setTimeout(dump, 50);
  };
  const dump = () => {
    if (round > 0) {
      Bun.gc(true);
      fs.writeFileSync(`${process.argv[2]}-${round}.json`, JSON.stringify(generateHeapSnapshot()));
    }
    if (++round > 3) process.exit();
    setTimeout(next, 1);
  };
  setTimeout(next, 1);
};
