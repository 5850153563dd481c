// A package counts by labels, and the program gives each user a label: the package holds the counters.
const rounds = require('./rounds');
const metrics = require('tiny-metrics');

const logins = metrics.counter('logins');

rounds(round => {
  for (let i = 0; i < 900; i++) logins.with({ user: `u-${round}-${i}`, region: 'eu' }).inc();
});
