// Titles are cut out of long pages, and each keeps its whole page.
const rounds = require('./rounds');

const titles = [];
function fetchPage(n) {
  const parts = [];
  for (let i = 0; i < 120; i++) parts.push(`line ${i} of page ${n};`);
  return parts.join('\n');
}

rounds(round => {
  for (let i = 0; i < 250; i++) titles.push(fetchPage(`${round}/${i}`).slice(10, 40));
});
