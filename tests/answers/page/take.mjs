// Opens a page, calls its work() four times, and takes a snapshot after each call but the first, which warms up.
// usage: node take.mjs CHROMIUM PAGE BASE
import fs from 'node:fs';
import puppeteer from 'puppeteer-core';

const [executablePath, page, base] = process.argv.slice(2);
const browser = await puppeteer.launch({executablePath, args: ['--no-sandbox', '--disable-gpu']});
try {
  const tab = await browser.newPage();
  await tab.goto(`file://${page}`, {waitUntil: 'load'});
  const session = await tab.createCDPSession();
  await session.send('HeapProfiler.enable');
  for (let round = 0; round < 4; round++) {
    await tab.evaluate(`work(${round})`);
    if (round === 0) continue;
    const file = fs.openSync(`${base}-${round}.heapsnapshot`, 'w');
    const add = ({chunk}) => fs.writeSync(file, chunk);
    session.on('HeapProfiler.addHeapSnapshotChunk', add);
    await session.send('HeapProfiler.collectGarbage');
    await session.send('HeapProfiler.takeHeapSnapshot', {reportProgress: false});
    session.off('HeapProfiler.addHeapSnapshotChunk', add);
    fs.closeSync(file);
  }
} finally {
  await browser.close();
}
