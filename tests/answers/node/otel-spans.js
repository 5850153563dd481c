// A tracer measures requests. One that fails forgets to end its span, and a processor waits for the end.
const rounds = require('./rounds');
const { BasicTracerProvider } = require('@opentelemetry/sdk-trace-base');

class LatencyProcessor {
  constructor() { this.inFlight = new Map(); this.sum = 0; }
  onStart(span) { this.inFlight.set(span.spanContext().spanId, span); }
  onEnd(span) { this.inFlight.delete(span.spanContext().spanId); this.sum++; }
  forceFlush() { return Promise.resolve(); }
  shutdown() { return Promise.resolve(); }
}

const latency = new LatencyProcessor();
const provider = new BasicTracerProvider({ spanProcessors: [latency] });
const tracer = provider.getTracer('shop');

rounds(round => {
  for (let i = 0; i < 400; i++) {
    const span = tracer.startSpan(`GET /orders/${round}-${i}`, { attributes: { 'http.url': `/orders/${i}`, tenant: `t${i % 7}` } });
    span.addEvent('cache miss');
    if (i % 2) span.end();
  }
});
