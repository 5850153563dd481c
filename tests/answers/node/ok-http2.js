// A server and clients that close their sessions.
const rounds = require('./rounds');
const http2 = require('http2');

const server = http2.createServer();
server.on('stream', (stream, headers) => { stream.respond({ ':status': 200 }); stream.end(JSON.stringify({ path: headers[':path'] })); });
const listening = new Promise(resolve => server.listen(0, resolve));

const ask = (session, path) => new Promise(resolve => {
  let text = '';
  session.request({ ':path': path }).setEncoding('utf8').on('data', part => { text += part; }).on('end', () => resolve(text)).end();
});

rounds(async round => {
  await listening;
  for (let i = 0; i < 8; i++) {
    const session = http2.connect(`http://localhost:${server.address().port}`);
    for (let n = 0; n < 12; n++) await ask(session, `/pages/${round}/${i}/${n}`);
    await new Promise(resolve => session.close(resolve));
  }
  await new Promise(resolve => setTimeout(resolve, 30));
});
