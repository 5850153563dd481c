// The images die, the entries with their WeakRefs stay.
const rounds = require('./rounds');
const imageRefs = new Map();
class Thumbnail { constructor(url) { this.url = url; this.pixels = new Array(50).fill(0.5); } }
function thumbnail(url) {
  const found = imageRefs.get(url)?.deref();
  if (found) return found;
  const made = new Thumbnail(url);
  imageRefs.set(url, new WeakRef(made));
  return made;
}
let n = 0;
rounds(async () => { for (let i = 0; i < 1200; i++, n++) thumbnail(`https://cdn.shop/img/${n.toString(36)}/large@2x.webp`); });
