// Rules of customers are compiled to code with a name of its own each time; the source maps are kept by that name.
const rounds = require('./rounds');
const vm = require('vm');

class SourceMap {
  constructor(file, source) {
    this.file = file;
    this.sourcesContent = [source];
    this.mappings = new Uint32Array(source.length);
    for (let n = 0; n < source.length; n++) this.mappings[n] = n << 8;
  }
}
const sourceMapCache = new Map();
class RuleCompiler {
  constructor() { this.version = 0; }
  compile(rule) {
    const file = `rule-${rule.id}.${++this.version}.js`;
    const source = `(order => ${rule.conditions.map(c => `order[${JSON.stringify(c.field)}] > ${c.least}`).join(' && ')})`;
    sourceMapCache.set(file, new SourceMap(file, source));
    return vm.runInThisContext(source, { filename: file });
  }
}
const compiler = new RuleCompiler();
function checkOrder(order) {
  const rule = { id: order.shop % 30, conditions: [{ field: 'total', least: order.shop }, { field: 'lines', least: 2 }, { field: 'weight', least: 0.5 }] };
  return compiler.compile(rule)(order);
}
rounds(round => { for (let n = 0; n < 900; n++) checkOrder({ shop: round * 900 + n, total: 5000, lines: 4, weight: 2 }); });
