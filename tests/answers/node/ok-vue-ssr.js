// Pages are rendered by Vue with stores of each request; pages seldom asked for are made when they are first needed. A full cache has the last ones.
const rounds = require('./rounds');
const { createSSRApp, defineComponent, h, computed, reactive, effectScope, watch } = require('vue');
const { renderToString } = require('vue/server-renderer');
const { createPinia, defineStore } = require('pinia');

const settings = reactive({ currency: 'EUR', rate: 1 });
const useWishes = defineStore('wishes', { state: () => ({ items: [] }), getters: { count: state => state.items.length } });
const made = new Map();
function pageOf(kind) {
  if (!made.has(kind)) {
    made.set(kind, defineComponent({
      name: kind,
      props: ['user'],
      setup(props) {
        const wishes = useWishes();
        for (let n = 0; n < 10; n++) wishes.items.push({ n, text: `wish ${n} of ${props.user}` });
        const shown = computed(() => wishes.items.map(item => `${item.text} ${settings.currency}`));
        return () => h('main', [h('h1', `${kind} of ${props.user}: ${wishes.count}`), h('ul', shown.value.map(text => h('li', text)))]);
      },
    }));
  }
  return made.get(kind);
}
const pages = [];
async function render(kind, user) {
  const app = createSSRApp(pageOf(kind), { user });
  app.use(createPinia());
  const html = await renderToString(app);
  pages.push(html);
  if (pages.length > 80) pages.shift();
}
async function refresh() {
  const scope = effectScope(true);
  scope.run(() => watch(() => settings.rate, () => {}));
  settings.rate = 1 + settings.rate % 7;
  await null;
  scope.stop();
}
rounds(async round => {
  for (let n = 0; n < [120, 200, 150, 180][round]; n++) { await render(`kind-${n % (4 + round)}`, `user-${round}-${n}`); await refresh(); }
});
