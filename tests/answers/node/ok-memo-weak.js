// Results are remembered by request and by a schema that is made again for each release, weakly.
const rounds = require('./rounds');

class Schema { constructor(version) { this.version = version; this.fields = Array.from({ length: 300 }, (_, i) => ({ name: `f${i}`, type: i % 3 })); } }
const plans = new WeakMap();
const sizes = new WeakMap();
let schema = new Schema(0);
function planOf(request) {
  let perSchema = plans.get(schema);
  if (!perSchema) plans.set(schema, perSchema = new Map());
  if (!perSchema.has(request.kind)) perSchema.set(request.kind, schema.fields.filter(f => f.type === request.kind % 3));
  sizes.set(request, perSchema.get(request.kind).length);
  return sizes.get(request);
}
rounds(round => {
  schema = new Schema(round);
  for (let n = 0; n < 5000; n++) planOf({ kind: n % 40, n });
});
