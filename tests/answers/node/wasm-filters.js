// A memory of WebAssembly is made for each picture, and kept for the next of its kind, which never comes.
const rounds = require('./rounds');

class PictureFilter {
  #memory = new WebAssembly.Memory({ initial: 2, maximum: 4 });
  constructor(name) { this.name = name; new Uint8Array(this.#memory.buffer).fill(7); }
  get bytes() { return this.#memory.buffer.byteLength; }
}

const filters = new Map();
const filterFor = name => {
  if (!filters.has(name)) filters.set(name, new PictureFilter(name));
  return filters.get(name);
};

let bytes = 0;
rounds(round => {
  for (let i = 0; i < 24; i++) bytes += filterFor(`blur-${round}-${i}`).bytes;
});
