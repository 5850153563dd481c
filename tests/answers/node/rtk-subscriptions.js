// A server renders with one store of Redux for all. Each page starts its queries, waits for their answers, and never ends the subscription to them.
const rounds = require('./rounds');
const { configureStore } = require('@reduxjs/toolkit');
const { createApi } = require('@reduxjs/toolkit/query');

const api = createApi({
  reducerPath: 'warehouse',
  baseQuery: async ({ article }) => ({ data: { article, name: `article ${article}`, stock: [1, 2, 3].map(n => ({ place: `place ${n}`, count: n })) } }),
  endpoints: build => ({ article: build.query({ query: article => ({ article }), keepUnusedDataFor: 0 }) }),
});
const store = configureStore({
  reducer: { [api.reducerPath]: api.reducer, visits: (state = 0, action) => (action.type === 'visited' ? state + 1 : state) },
  middleware: getDefault => getDefault({ serializableCheck: false, immutableCheck: false }).concat(api.middleware),
});
async function page(article) {
  store.dispatch({ type: 'visited' });
  const { data } = await store.dispatch(api.endpoints.article.initiate(article));
  return `<h1>${data.name}</h1>${data.stock.map(({ place, count }) => `<p>${place}: ${count}</p>`).join('')}`;
}
rounds(async round => { for (let n = 0; n < 200; n++) await page(`${round}-${n}`); });
