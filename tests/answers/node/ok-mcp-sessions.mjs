// Clients come to a server of tools, ask a little and go; there are more of them from hour to hour, and each has a server of its own for as long as it is there.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import rounds from './rounds.js';

class Sessions {
  constructor() { this.open = new Map(); this.ended = 0; }
  async start(id) {
    const server = new McpServer({ name: 'weather', version: '1.0.0' });
    server.registerTool('forecast', { inputSchema: { city: z.string(), days: z.number().int() } },
      ({ city, days }) => ({ content: [{ type: 'text', text: `${city}: sun for ${days} days` }] }));
    server.registerTool('stations', { inputSchema: { near: z.string() } }, ({ near }) => ({ content: [{ type: 'text', text: `one near ${near}` }] }));
    const client = new Client({ name: `client ${id}`, version: '1.0.0' });
    const [near, far] = InMemoryTransport.createLinkedPair();
    await Promise.all([server.connect(far), client.connect(near)]);
    this.open.set(id, { client, server });
    return client;
  }
  async end(id) {
    const { client } = this.open.get(id);
    this.open.delete(id);
    await client.close();
    this.ended++;
  }
}
const sessions = new Sessions();
const together = [4, 8, 12, 16];
let last = 0;
rounds(async round => {
  const oldest = [...sessions.open.keys()];
  for (let n = 0; n < 60; n++) {
    const id = last++;
    const client = await sessions.start(id);
    oldest.push(id);
    await client.listTools();
    await client.callTool({ name: 'forecast', arguments: { city: `city ${id}`, days: n % 7 } });
    while (oldest.length > together[round]) await sessions.end(oldest.shift());
  }
});
