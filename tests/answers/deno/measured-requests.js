// Each request is measured from a mark to its end. The page of figures that would clear marks and measures was taken away.
import rounds from './rounds.js';

function serve(id) {
  performance.mark(`start-${id}`, { detail: { route: '/order', id, parts: [1, 2, 3] } });
  const text = JSON.stringify({ id, lines: Array.from({ length: 4 }, (_, n) => n * 7) });
  performance.measure(`order-${id}`, { start: `start-${id}`, detail: { bytes: text.length, user: `user of ${id}` } });
  return text;
}
rounds(round => { for (let n = 0; n < 800; n++) serve(`${round}-${n}`); });
