// Small functions that say a title are kept. They share their context with one that needs the whole document.
const rounds = require('./rounds');

const titles = new Map();
function openDocument(id) {
  const pages = Array.from({ length: 40 }, (_, i) => ({ text: `${id} page ${i}` }));
  const title = `Document ${id}`;
  const search = word => pages.filter(page => page.text.includes(word));
  search('page 3');
  titles.set(id, () => title);
}
rounds(round => {
  for (let n = 0; n < 150; n++) openDocument(`${round}-${n}`);
});
