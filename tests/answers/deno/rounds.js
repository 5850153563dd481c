// Calls WORK four times, and takes a dump after each call but the first, which warms up.
import v8 from 'node:v8';

export default function rounds(work) {
  let round = 0;
  const next = async () => {
    await work(round);
    setTimeout(dump, 50);
  };
  const dump = () => {
    if (round > 0) v8.writeHeapSnapshot(`${Deno.args[0]}-${round}.heapsnapshot`);
    if (++round > 3) Deno.exit();
    setTimeout(next, 1);
  };
  setTimeout(next, 1);
}
