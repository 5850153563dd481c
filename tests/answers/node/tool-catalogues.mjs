// An agent asks its server for the tools again every while; each answer's schemas are compiled anew (modelcontextprotocol/typescript-sdk#2605).
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import rounds from './rounds.js';

const tools = Array.from({ length: 12 }, (_, n) => ({
  name: `report_${n}`,
  description: `Makes report ${n} of a shop`,
  inputSchema: { type: 'object', properties: { day: { type: 'string' }, rows: { type: 'integer', minimum: n } }, required: ['day'] },
  outputSchema: {
    type: 'object',
    properties: Object.fromEntries(Array.from({ length: 6 }, (_, i) => [`field${i}`, { type: i % 2 ? 'string' : 'number' }])),
    required: ['field0'],
  },
}));
const server = new Server({ name: 'shop', version: '1.0.0' }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }));
server.setRequestHandler(CallToolRequestSchema, request => ({ content: [], structuredContent: { field0: request.params.name.length } }));

class Agent {
  constructor() { this.client = new Client({ name: 'agent', version: '1.0.0' }); this.answers = 0; }
  async connect() {
    const [near, far] = InMemoryTransport.createLinkedPair();
    await Promise.all([server.connect(far), this.client.connect(near)]);
  }
  async turn(n) {
    const { tools } = await this.client.listTools();
    await this.client.callTool({ name: tools[n % tools.length].name, arguments: { day: `day ${n}` } });
    this.answers++;
  }
}
const agent = new Agent();
rounds(async round => {
  if (round === 0) await agent.connect();
  for (let n = 0; n < 25; n++) await agent.turn(n);
});
