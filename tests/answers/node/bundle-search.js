// As a bundler writes it: modules are functions in a table. One of them remembers all searches.
(() => {
  var __webpack_modules__ = {
    17: (module, __unused, __webpack_require__) => {
      const history = __webpack_require__(23);
      module.exports.search = text => {
        const found = { text, hits: Array.from({ length: 12 }, (_, n) => ({ page: n, rank: Math.random() })) };
        history.remember(found);
        return found.hits.length;
      };
    },
    23: module => {
      const searches = [];
      module.exports = { remember: found => searches.push(found), last: () => searches.at(-1) };
    },
    42: (module, __unused, __webpack_require__) => {
      const rounds = require('./rounds');
      const { search } = __webpack_require__(17);
      rounds(round => { for (let i = 0; i < 300; i++) search(`shoes ${round} ${i}`); });
    },
  };
  var __webpack_module_cache__ = {};
  function __webpack_require__(moduleId) {
    var cachedModule = __webpack_module_cache__[moduleId];
    if (cachedModule !== undefined) return cachedModule.exports;
    var module = __webpack_module_cache__[moduleId] = { exports: {} };
    __webpack_modules__[moduleId](module, module.exports, __webpack_require__);
    return module.exports;
  }
  __webpack_require__(42);
})();
