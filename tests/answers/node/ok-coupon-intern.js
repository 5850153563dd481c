// A table of all tags that there are, filled by chance.
const rounds = require('./rounds');
class Tag { constructor(name) { this.name = name; this.slug = name.toLowerCase(); this.aliases = [name]; } }
const tags = new Map(); let seed = 99; const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
const intern = name => { let t = tags.get(name); if (!t) tags.set(name, t = new Tag(name)); return t; };
rounds(async () => { for (let i = 0; i < 2000; i++) intern(`TAG-${Math.floor(random() * 2000)}`); });
