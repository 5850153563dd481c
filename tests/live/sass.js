// A Sass compiler on the Dart machine, behind HTTP. sass.js DART SNAPSHOT; prints PORT N, and PID N and ADDRESS of the machine.
// GET / has it compile a sheet; /worst is the longest time in milliseconds that one took since it was asked last; /own?FILE writes how
// many objects of each class of the compiler there are, as the service of the machine counts them.
const http = require('node:http');
const { spawn } = require('node:child_process');

const [dart, snapshot] = process.argv.slice(2);
const flags = ['--disable-dart-dev', '--no-dds', '--enable-vm-service=0', '--no-serve-devtools'];
const machine = spawn(dart, [...flags, snapshot, '--embedded'], { stdio: ['pipe', 'pipe', 'inherit'] });
machine.on('exit', () => { for (const answer of waiting.values()) answer(false); waiting.clear(); });

const varint = (n) => n < 128 ? [n] : [n % 128 + 128, ...varint(Math.floor(n / 128))];
const field = (number, bytes) => [number * 8 + 2, ...varint(bytes.length), ...bytes];
const waiting = new Map();
let last = 0;
let worst = 0;
const compile = () => new Promise((answer) => {
  const id = (last = last % 1000000 + 1);
  const began = performance.now();
  waiting.set(id, (good) => { worst = Math.max(worst, performance.now() - began); answer(good); });
  const packet = [...varint(id), ...field(2, field(2, field(1, [...Buffer.from(`a {b: ${id} + 1}`)])))];
  machine.stdin.write(Buffer.from([...varint(packet.length), ...packet]));
});

// A line with the address comes first, then answers: length, number, and what it is, of which 2 is a sheet.
let held = Buffer.alloc(0);
let address;
const number = (at) => {
  let value = 0;
  for (let factor = 1; at < held.length; factor *= 128) {
    value += (held[at] & 127) * factor;
    if (held[at++] < 128) return [value, at];
  }
};
machine.stdout.on('data', (piece) => {
  held = Buffer.concat([held, piece]);
  if (!address) {
    const end = held.indexOf('\n');
    if (end < 0) return;
    address = held.subarray(0, end).toString().match(/http:\S+/)[0];
    held = held.subarray(end + 1);
    server.listen(0, '127.0.0.1', () => console.log(`PID ${machine.pid}\nADDRESS ${address}\nPORT ${server.address().port}`));
  }
  for (let head; (head = number(0)) && held.length >= head[0] + head[1]; held = held.subarray(head[0] + head[1])) {
    const [id, at] = number(head[1]);
    waiting.get(id)?.(held[at] === 0x12);
    waiting.delete(id);
  }
});

const rpc = async (request) => (await (await fetch(address + request)).json()).result;
const own = async () => {
  const { isolates } = await rpc('getVM');
  const { members } = await rpc(`getAllocationProfile?isolateId=${isolates[0].id}&gc=true`);
  const counts = {};
  for (const { class: { name, library }, instancesCurrent: n } of members) {
    if (n > 0 && library?.uri?.startsWith('package:')) counts[name] = (counts[name] ?? 0) + n;
  }
  return Object.entries(counts).map(([name, n]) => `${name} ${n}\n`).join('');
};

const server = http.createServer(async (request, response) => {
  if (request.url === '/worst') {
    response.end(`${Math.round(worst)}\n`);
    worst = 0;
  } else if (request.url.startsWith('/own?')) {
    require('node:fs').writeFileSync(request.url.slice(5), await own());
    response.end('done\n');
  } else {
    response.statusCode = await compile() ? 200 : 500;
    response.end('ok\n');
  }
});
