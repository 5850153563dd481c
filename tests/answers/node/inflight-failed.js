// Equal requests share one promise, which is forgotten when it succeeds, and not when it fails.
const rounds = require('./rounds');

class CatalogClient {
  constructor() { this.inflight = new Map(); }
  product(sku) {
    let found = this.inflight.get(sku);
    if (!found) {
      found = this.download(sku).then(product => { this.inflight.delete(sku); return product; });
      this.inflight.set(sku, found);
    }
    return found;
  }
  async download(sku) {
    await null;
    if (sku.endsWith('7') || sku.endsWith('3')) {
      const error = new Error(`no product ${sku}`);
      error.response = { status: 404, headers: { 'x-request-id': `r-${sku}` }, body: new Array(30).fill(sku) };
      throw error;
    }
    return { sku };
  }
}
const catalog = new CatalogClient();

let n = 0;
rounds(async () => {
  for (let i = 0; i < 2500; i++) await catalog.product(`sku-${n++}`).catch(() => {});
});
