// A configuration is imported again and again with another query, and modules are never unloaded.
import rounds from './rounds.js';

let current;
rounds(async round => {
  for (let n = 0; n < 120; n++) {
    const source = `export const rules = Array.from({ length: 100 }, (_, i) => ({ id: i, text: 'rule ${round}-${n} ' + i }));`;
    current = (await import(`data:text/javascript,${encodeURIComponent(source)}`)).rules;
  }
});
export { current };
