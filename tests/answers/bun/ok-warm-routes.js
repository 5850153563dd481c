// A service of Bun in its first minutes: routes compile their template when they are asked first, answers are kept by age up to 250, and uploads are joined and let go. More people come in each round.
const rounds = require('./rounds');

class Templates {
  constructor() { this.compiled = new Map(); }
  get(name) {
    let template = this.compiled.get(name);
    if (!template) this.compiled.set(name, template = new Function('page', `return \`<h1>${name}: \${page.title}</h1><p>\${page.text}</p>\`;`));
    return template;
  }
}
class Answers {
  constructor(most) { this.most = most; this.kept = new Map(); }
  get(key, make) {
    let answer = this.kept.get(key);
    if (answer) this.kept.delete(key);
    else answer = { key, html: make(), headers: { etag: `"${key}"` } };
    this.kept.set(key, answer);
    if (this.kept.size > this.most) this.kept.delete(this.kept.keys().next().value);
    return answer;
  }
}
const templates = new Templates();
const answers = new Answers(250);
const uploads = new Map();
let bytes = 0;
const load = [400, 700, 1000, 1300];
rounds(async round => {
  for (let n = 0; n < load[round]; n++) {
    const name = `route-${n % (10 + 3 * round)}`;
    bytes += answers.get(`${name}/${n % 400}`, () => templates.get(name)({ title: `Page ${n}`, text: `text ${n}`.repeat(8) })).html.length;
    const id = `upload-${round}-${n}`;
    uploads.set(id, { id, parts: Array.from({ length: 3 }, (_, i) => `part ${i} of ${id}`) });
    if (uploads.size > 40) uploads.delete(uploads.keys().next().value);
    if (n % 100 === 0) await Bun.sleep(0);
  }
});
