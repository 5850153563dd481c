// A client of a map service notes each request that is under way, and forgets those that were aborted, not those that ended.
const rounds = require('./rounds');

let requestId = 0;
const requestsUnderway = {};
class GeocodingRequest {
  constructor(query, options) { this.id = ++requestId; this.query = query; this.options = options; this.response = null; }
}
function send(request) {
  return new Promise((resolve, reject) => {
    requestsUnderway[request.id] = { request, reject };
    setImmediate(() => {
      request.response = { features: Array.from({ length: 5 }, (_, n) => ({ place: `${request.query} ${n}`, center: [n, request.id] })) };
      resolve(request.response);
    });
  });
}
function abort(request) {
  requestsUnderway[request.id]?.reject(new Error('aborted'));
  delete requestsUnderway[request.id];
}
class AddressService {
  async lookup(text) {
    const request = new GeocodingRequest(text, { limit: 5, language: 'en' });
    if (text.length < 3) { send(request).catch(() => {}); return abort(request); }
    return (await send(request)).features[0];
  }
}
const addresses = new AddressService();
rounds(async round => {
  await Promise.all(Array.from({ length: 700 }, (_, n) => addresses.lookup(n % 50 ? `Main Street ${round * 700 + n}` : 'x')));
});
