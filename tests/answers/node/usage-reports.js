// A reporting plugin of a GraphQL server counts operations by their text. Clients put values into the text, and the
// endpoint of the reports is down.
const rounds = require('./rounds');

class OperationStats {
  constructor() { this.count = 0; this.latencies = new Float64Array(20); this.errorsByPath = Object.create(null); }
}
class Report {
  constructor(schemaId) { this.schemaId = schemaId; this.statsBySignature = new Map(); this.startedAt = Date.now(); }
  statsOf(signature) {
    let stats = this.statsBySignature.get(signature);
    if (!stats) this.statsBySignature.set(signature, stats = new OperationStats());
    return stats;
  }
}
function usageReporting({ send }) {
  const reportBySchema = new Map();
  return {
    willSendResponse(schemaId, signature, took) {
      if (!reportBySchema.has(schemaId)) reportBySchema.set(schemaId, new Report(schemaId));
      const stats = reportBySchema.get(schemaId).statsOf(signature);
      stats.latencies[stats.count++ % 20] = took;
    },
    async flush() {
      for (const [id, report] of reportBySchema) if (await send(report)) reportBySchema.delete(id);
    },
  };
}
class GraphServer {
  constructor(plugins) { this.plugins = plugins; }
  execute(text) { for (const plugin of this.plugins) plugin.willSendResponse('shop@current', text, text.length / 7); }
}
const server = new GraphServer([usageReporting({ send: async () => false })]);
rounds(async round => {
  for (let n = 0; n < 900; n++) server.execute(`query { bestSellers(category: "c-${round}-${n}") { title price } }`);
  for (const plugin of server.plugins) await plugin.flush();
});
