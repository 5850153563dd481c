// Pages whose component waits in setup() and watches a shared flag (vuejs/core#15113).
const { createSSRApp, defineComponent, h, ref, Suspense } = require('vue');
const { renderToString } = require('vue/server-renderer');
const rounds = require('./rounds');

const maintenance = ref(false);
const Banner = defineComponent({
  props: ['visitor'],
  setup: async props => ({ greeting: await Promise.resolve(`welcome, ${props.visitor}`) }),
  computed: { closed() { return maintenance.value; } },
  watch: { closed() { this.$forceUpdate(); } },
  render() { return h('header', this.closed ? 'closed' : this.greeting); },
});

let visitors = 0;
rounds(async () => {
  for (let i = 0; i < 300; i++) {
    const visitor = `visitor ${++visitors}`;
    await renderToString(createSSRApp({ render: () => h(Suspense, null, { default: () => h(Banner, { visitor }) }) }));
  }
});
