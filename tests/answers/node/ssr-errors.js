// Pages rendered on the server, some of which throw (vuejs/core#3100).
process.env.NODE_ENV = 'production';
const { createSSRApp, h, openBlock, createBlock, createVNode, createCommentVNode } = require('vue');
const { renderToString } = require('@vue/server-renderer');
const rounds = require('./rounds');

const Price = {
  props: ['product'],
  // As the compiler of templates writes it.
  render(context) {
    return (openBlock(), createBlock('div', { class: 'price' }, [
      createVNode('b', null, context.product.name, 1),
      createVNode('i', null, context.product.price.amount.toFixed(2), 1),
    ]));
  },
};
const page = product => createSSRApp({ render: () => h(Price, { product }) });

console.warn = console.error = () => {};
let served = 0;
rounds(async () => {
  for (let i = 0; i < 600; i++) {
    served++;
    const product = { name: `product ${served}`, price: served % 3 ? { amount: served } : null };
    const app = page(product);
    await renderToString(app).catch(() => 'sold out');
  }
});
