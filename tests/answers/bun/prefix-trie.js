// Words that were searched for are kept in a tree by their letters, for suggestions.
const rounds = require('./rounds');

class TrieNode {
  constructor() { this.children = new Map(); this.count = 0; }
}
class Suggestions {
  constructor() { this.root = new TrieNode(); }
  learn(word) {
    let node = this.root;
    for (const letter of word) {
      let next = node.children.get(letter);
      if (!next) node.children.set(letter, next = new TrieNode());
      node = next;
    }
    node.count++;
  }
}
const suggestions = new Suggestions();
rounds(round => {
  for (let n = 0; n < 900; n++) suggestions.learn(((round * 900 + n) * 7919 + 1000000).toString(36) + 'q' + n.toString(7));
});
