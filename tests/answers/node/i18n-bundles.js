// Texts of a tenant's campaign are added to the translations, a namespace for each campaign.
const rounds = require('./rounds');
const i18next = require('i18next');

const ready = i18next.init({ lng: 'en', resources: { en: { translation: { hello: 'Hello' } } } });
let campaign = 0;
function show() {
  const namespace = `campaign-${campaign++}`;
  i18next.addResourceBundle('en', namespace, Object.fromEntries(Array.from({ length: 15 }, (_, i) => [`line${i}`, `Line ${i} of ${namespace}`])));
  return i18next.t(`${namespace}:line3`);
}
rounds(async () => { await ready; for (let n = 0; n < 250; n++) show(); });
