// Tags of an asset, by path, by revision: no deploy ever takes one away.
const rounds = require('./rounds');
class TagManifest {
  #tags = new Map();
  touch(tag, path, revision) {
    let paths = this.#tags.get(tag);
    if (!paths) this.#tags.set(tag, paths = new Map());
    let revisions = paths.get(path);
    if (!revisions) paths.set(path, revisions = new Set());
    revisions.add(revision);
  }
  size() { return this.#tags.size; }
}
const manifest = new TagManifest();
let n = 0;
rounds(async () => {
  for (let i = 0; i < 300; i++, n++)
    for (let p = 0; p < 4; p++) for (let r = 0; r < 3; r++) manifest.touch(`product-${n}`, `/en/page/${p}`, n * 10 + r);
});
