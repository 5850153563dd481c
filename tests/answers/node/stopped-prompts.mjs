// A worker asks a model with the signal that stops the process; the client adds a listener for each call and never takes it away
// (openai/openai-node#1811). More calls are under way from round to round.
import OpenAI from 'openai';
import { setMaxListeners } from 'node:events';
import rounds from './rounds.js';

const stopping = new AbortController();
setMaxListeners(0, stopping.signal);
const answer = async (url, { body }) => {
  const { messages } = JSON.parse(body);
  await new Promise(done => setTimeout(done, 2));
  return new Response(JSON.stringify({ id: 'chat', object: 'chat.completion', choices: [{ index: 0, message: { role: 'assistant', content: `on ${messages.at(-1).content}` } }] }), { status: 200, headers: { 'content-type': 'application/json' } });
};
const client = new OpenAI({ apiKey: 'none', baseURL: 'http://model.example/v1', fetch: answer });

class Assistant {
  constructor(client, signal) { this.client = client; this.signal = signal; this.latest = []; }
  async summarise(ticket) {
    const messages = [{ role: 'system', content: 'Summarise.' }, { role: 'user', content: ticket.text }];
    const { choices } = await this.client.chat.completions.create({ model: 'small', messages }, { signal: this.signal });
    this.latest.push({ ticket: ticket.number, text: choices[0].message.content });
    if (this.latest.length > 200) this.latest.shift();
  }
}
const assistant = new Assistant(client, stopping.signal);
let last = 0;
rounds(async round => {
  for (let n = 0; n < 40; n++) {
    const tickets = Array.from({ length: 6 + 2 * round }, () => ({ number: last, text: `ticket ${last++}: the parcel has not come` }));
    await Promise.all(tickets.map(ticket => assistant.summarise(ticket)));
  }
});
