// One page that threw while it was rendered left a block open in the renderer; the nodes of all later pages go there.
const rounds = require('./rounds');
const { h, renderComponent, toHtml } = require('tiny-vdom');

const ProductCard = ({ product }) =>
  h('li', { class: 'card', 'data-sku': product.sku }, h('b', {}, product.title.toUpperCase()), h('i', {}, `${product.price} EUR`));
const ListPage = ({ products }) => h('ul', { class: 'list' }, ...products.map(product => renderComponent(ProductCard, { product })));

async function loadProducts(page) {
  const products = Array.from({ length: 8 }, (_, n) => ({ sku: `sku-${page}-${n}`, title: `Article ${n} of page ${page}`, price: n * 3 }));
  if (page === 7) delete products[3].title;
  return products;
}
async function handleRequest(page) {
  try {
    return { status: 200, body: toHtml(renderComponent(ListPage, { products: await loadProducts(page) })) };
  } catch (error) {
    return { status: 500, body: error.message };
  }
}
rounds(async round => { for (let n = 0; n < 120; n++) await handleRequest(round * 120 + n); });
