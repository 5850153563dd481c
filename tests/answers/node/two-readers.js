// A service that exports its metrics to two places (open-telemetry/opentelemetry-js#4115).
const { MeterProvider, MetricReader, AggregationTemporality } = require('@opentelemetry/sdk-metrics');
const rounds = require('./rounds');

class PushReader extends MetricReader {
  constructor(name) {
    super({ aggregationTemporalitySelector: () => AggregationTemporality.CUMULATIVE });
    this.name = name;
    this.pushed = 0;
  }
  async push() {
    const { resourceMetrics } = await this.collect();
    this.pushed += resourceMetrics.scopeMetrics.length;
  }
  async onForceFlush() {}
  async onShutdown() {}
}

const provider = new MeterProvider();
const readers = [new PushReader('statsd'), new PushReader('archive')];
for (const reader of readers) provider.addMetricReader(reader);
const meter = provider.getMeter('orders');
const orders = meter.createCounter('orders');
const duration = meter.createHistogram('duration');
const products = ['bread', 'milk', 'eggs', 'salt'];

rounds(async () => {
  for (let second = 0; second < 150; second++) {
    for (const product of products) {
      orders.add(1, { product });
      duration.record(second % 20, { product });
    }
    for (const reader of readers) await reader.push();
  }
});
