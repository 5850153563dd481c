// A server with many names makes a context of TLS for each name that is asked for, also for names that are no customer's.
const rounds = require('./rounds');
const tls = require('tls');

const contextsByName = new Map();
function sni(name) {
  let context = contextsByName.get(name);
  if (!context) contextsByName.set(name, context = tls.createSecureContext({ minVersion: 'TLSv1.2' }));
  return context;
}
rounds(round => {
  for (let n = 0; n < 120; n++) sni(`shop-${round}-${n}.example`);
});
