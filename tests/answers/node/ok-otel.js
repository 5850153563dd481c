// Spans that end go through a processor that writes them in batches, and throws away what is too much.
const rounds = require('./rounds');
const { BasicTracerProvider, BatchSpanProcessor } = require('@opentelemetry/sdk-trace-base');

let written = 0;
const exporter = { export(spans, done) { written += spans.length; done({ code: 0 }); }, shutdown: () => Promise.resolve() };
const processor = new BatchSpanProcessor(exporter, { maxQueueSize: 600, maxExportBatchSize: 100, scheduledDelayMillis: 5 });
const tracer = new BasicTracerProvider({ spanProcessors: [processor] }).getTracer('shop');

rounds(async round => {
  for (let i = 0; i < 500; i++) tracer.startSpan(`GET /orders/${round}-${i}`, { attributes: { tenant: `t${i % 7}` } }).end();
  await processor.forceFlush();
});
