// A trie of the words of a vocabulary that has an end.
const rounds = require('./rounds');
class TrieNode { constructor() { this.children = new Map(); this.count = 0; } }
const trie = new TrieNode();
let seed = 7; const random = () => (seed = (seed * 1103515245 + 12345) & 0x7fffffff) / 0x7fffffff;
const word = k => (k * 2654435761 >>> 0).toString(36);
rounds(async () => { for (let i = 0; i < 2600; i++) { let node = trie; for (const c of word(Math.floor(random() * 3000))) { let next = node.children.get(c); if (!next) node.children.set(c, next = new TrieNode()); node = next; } node.count++; } });
