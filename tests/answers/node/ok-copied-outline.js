// An outline of always 2500 headings is copied with each change, as is each heading; some of them are exchanged between rounds.
const rounds = require('./rounds');

let number = 0;
const heading = () => ({ id: `heading ${++number}`, text: `What stands in part ${number} of the book`, marks: [{ kind: 'bold', from: number }] });
let outline = { title: 'A book', headings: Array.from({ length: 2500 }, heading) };
const change = headings => { outline = { ...outline, headings }; };

rounds(async round => {
  for (let n = 0; n < 4; n++) change(outline.headings.map(of => ({ ...of, revision: round * 10 + n })));
  change([...outline.headings.slice(90), ...Array.from({ length: 90 }, heading)]);
});
