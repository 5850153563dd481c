// Pages of a shop are rendered by Vue, with stores for each request; a plug-in of the stores, meant for the browser, tracks all of them.
const rounds = require('./rounds');
const { createSSRApp, defineComponent, h, computed, effectScope } = require('vue');
const { renderToString } = require('vue/server-renderer');
const { createPinia, defineStore } = require('pinia');

class StoreInspector {
  constructor() { this.timeline = []; this.tracked = []; }
  install({ store }) { this.tracked.push({ id: store.$id, store, opened: this.tracked.length }); }
  note(event) { this.timeline.push(event); if (this.timeline.length > 200) this.timeline.shift(); }
}
const inspector = new StoreInspector();

const useCart = defineStore('cart', {
  state: () => ({ lines: [], currency: 'EUR' }),
  getters: { total: state => state.lines.reduce((sum, line) => sum + line.cents * line.count, 0) },
  actions: { add(sku, cents) { this.lines.push({ sku, cents, count: 1, note: `one of ${sku}` }); } },
});
const Line = defineComponent({ props: ['line'], setup: props => () => h('li', [props.line.sku, ' ', (props.line.cents / 100).toFixed(2)]) });
const Total = defineComponent({ setup() { const cart = useCart(); const text = computed(() => `${cart.total / 100} ${cart.currency}`); return () => h('b', text.value); } });
const Page = defineComponent({
  props: ['user', 'skus'],
  setup(props) {
    const cart = useCart();
    props.skus.forEach((sku, n) => cart.add(sku, 100 + n * 25));
    return () => h('main', [h('h1', `Cart of ${props.user}`), h('ul', cart.lines.map(line => h(Line, { key: line.sku, line }))), h(Total)]);
  },
});

class PageCache {
  constructor(most) { this.most = most; this.pages = new Map(); }
  put(key, html) { this.pages.delete(key); this.pages.set(key, html); if (this.pages.size > this.most) this.pages.delete(this.pages.keys().next().value); }
}
const pages = new PageCache(100);

async function render(user, skus) {
  const app = createSSRApp(Page, { user, skus });
  const pinia = createPinia();
  pinia.use(context => inspector.install(context));
  app.use(pinia);
  const html = await renderToString(app);
  inspector.note({ user, length: html.length });
  pages.put(user, html);
  return html;
}
rounds(async round => {
  for (let n = 0; n < 200; n++) await render(`user-${round}-${n}`, Array.from({ length: 8 }, (_, i) => `sku-${(round * 31 + n * 7 + i) % 900}`));
});
