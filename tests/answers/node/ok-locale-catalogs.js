// Catalogues of twelve languages, loaded when first asked for: three a round, 100K each.
const rounds = require('./rounds');
class Message { constructor(key, text) { this.key = key; this.text = text; } }
const catalogs = new Map();
const languages = ['de', 'fr', 'it', 'es', 'pt', 'nl', 'pl', 'cs', 'sv', 'da', 'fi', 'ja'];
const catalog = lang => { let c = catalogs.get(lang); if (!c) { c = new Map(); for (let i = 0; i < 600; i++) c.set(`msg.${i}`, new Message(`msg.${i}`, `${lang} text number ${i}`)); catalogs.set(lang, c); } return c; };
rounds(async round => { for (let i = 0; i < 3 * (round + 1); i++) catalog(languages[i]).get('msg.1'); });
