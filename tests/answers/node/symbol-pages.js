// Rendered parts are kept on the request's shared context by symbols of the registry, one for each page.
const rounds = require('./rounds');

class Fragment {
  constructor(id) { this.html = `<article id="${id}">${'text '.repeat(20)}</article>`; this.tags = [id, id + 1, id + 2]; }
}
const renderContext = Object.create(null);
const fragment = id => (renderContext[Symbol.for(`fragment:${id}`)] ??= new Fragment(id));
let n = 0;
rounds(async () => {
  for (let i = 0; i < 1200; i++) fragment(n++);
});
