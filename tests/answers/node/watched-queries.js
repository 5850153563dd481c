// A gateway asks a service by one client of Apollo. Each subscriber's screen watches its query, and is closed without a word to the client.
const rounds = require('./rounds');
const { ApolloClient, ApolloLink, InMemoryCache, Observable, gql } = require('@apollo/client/core');

const PORTFOLIO = gql`query Portfolio($owner: ID!) { portfolio(owner: $owner) { id total positions { id symbol count } } }`;
const symbols = ['AIR', 'BMW', 'CSL', 'DSM', 'ENI'];
const service = new ApolloLink(({ variables }) => new Observable(observer => {
  observer.next({ data: { portfolio: { __typename: 'Portfolio', id: variables.owner, total: 100, positions: symbols.map((symbol, n) => ({ __typename: 'Position', id: `p${n}`, symbol, count: n })) } } });
  observer.complete();
}));
const gateway = new ApolloClient({ link: service, cache: new InMemoryCache({ resultCacheMaxSize: 500 }), connectToDevTools: false });

class PortfolioScreen {
  constructor(owner) {
    this.owner = owner;
    this.lines = [];
  }
  open() {
    return new Promise(resolve => {
      gateway.watchQuery({ query: PORTFOLIO, variables: { owner: this.owner }, fetchPolicy: 'no-cache' }).subscribe(({ data }) => {
        this.lines = data.portfolio.positions.map(({ symbol, count }) => `${symbol}: ${count}`);
        resolve();
      });
    });
  }
  close() { this.lines.length = 0; }
}
rounds(async round => {
  for (let n = 0; n < 150; n++) {
    const screen = new PortfolioScreen(`owner-${round}-${n}`);
    await screen.open();
    screen.close();
  }
});
