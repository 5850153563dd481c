// Each document that was edited has a function that saves it late; the functions are kept by document.
const rounds = require('./rounds');

function debounce(work, wait) {
  let timer, last;
  return (...args) => { last = args; clearTimeout(timer); timer = setTimeout(() => { timer = null; work(...last); }, wait); };
}
class Document { constructor(id) { this.id = id; this.paragraphs = Array.from({ length: 10 }, (_, i) => `paragraph ${i} of ${id}`); } }
const savers = {};
function edited(document) {
  const save = savers[document.id] ??= debounce(text => { document.saved = text; }, 1);
  save(document.paragraphs[0]);
}
rounds(async round => {
  for (let n = 0; n < 500; n++) edited(new Document(`doc-${round}-${n}`));
  await new Promise(resolve => setTimeout(resolve, 20));
});
