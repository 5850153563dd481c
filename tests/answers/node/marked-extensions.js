// Texts are rendered by marked, which is set up before each text again: what it had before stands behind what it has now.
const rounds = require('./rounds');
const { marked } = require('marked');

class LinkPolicy {
  constructor(author) { this.author = author; this.hosts = Array.from({ length: 10 }, (_, n) => `site-${n}.of-${author}.example`); }
  allows(href) { return this.hosts.some(host => href.includes(host)); }
}
class ArticleRenderer {
  constructor() { this.rendered = 0; }
  render(author, text) {
    const policy = new LinkPolicy(author);
    marked.use({
      renderer: { link({ href, text }) { return policy.allows(href) ? `<a href="${href}">${text}</a>` : false; } },
      walkTokens(token) { if (token.type === 'heading') token.depth = Math.min(token.depth + 1, 6); },
    });
    this.rendered++;
    return marked.parser(marked.lexer(text));
  }
}
const articles = new ArticleRenderer();
rounds(round => { for (let n = 0; n < 250; n++) articles.render(`author-${round}-${n}`, `# Title ${n}\n\nwords *of* the text`); });
