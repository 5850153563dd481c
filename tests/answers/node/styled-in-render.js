// Pages are rendered on the server. A badge is a styled component that is made while its page is rendered, under a name of its own.
const rounds = require('./rounds');
const React = require('react');
const { renderToString } = require('react-dom/server');
const { default: styled, ServerStyleSheet } = require('styled-components');

const Page = styled.main`padding: 1rem; font-family: sans-serif;`;
const Line = styled.li`color: #333;`;
const h = React.createElement;

function Member({ id, colour }) {
  const Badge = styled.span.withConfig({ displayName: `BadgeOfMember${id}`, componentId: `badge-of-member-${id}` })`
    background: ${colour};
    border-radius: 4px;
  `;
  return h(Line, null, h(Badge, null, `member ${id}`));
}
class Pages {
  constructor() { this.rendered = 0; this.bytes = 0; }
  team(ids) {
    const sheet = new ServerStyleSheet();
    const html = renderToString(sheet.collectStyles(h(Page, null, h('ul', null, ids.map(id => h(Member, { key: id, id, colour: `hsl(${this.rendered % 360} 50% 50%)` }))))));
    this.bytes += html.length + sheet.getStyleTags().length;
    this.rendered++;
    sheet.seal();
  }
}
const pages = new Pages();
rounds(round => { for (let n = 0; n < 250; n++) pages.team(Array.from({ length: 10 }, (_, i) => `${round}-${n}-${i}`)); });
