// Uses a page of heap-view as people do, in a headless browser; prints a line for each check and fails with the first
// that does not hold. usage: node check.mjs CHROMIUM PROFILE PAGE GROWTH HOSTILE SVG SCRIPT [PICTURES]
import assert from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import puppeteer from 'puppeteer-core';

const [chromium, profile, single, growth, hostile, svg, script, pictures] = process.argv.slice(2);
const ok = what => console.log(`ok ${what}`);

// The layouts in view.js and in Rust are the same: run the script's own functions on the page's data.
{
  const text = fs.readFileSync(script, 'utf8');
  const part = text.slice(text.indexOf('function squarify'), text.indexOf('const state'));
  const html = fs.readFileSync(single, 'utf8');
  const data = JSON.parse(html.match(/id="data">(.*?)<\/script>/s)[1]);
  const { parent, size, own } = data.tree;
  const below = parent.map(() => []);
  for (let i = 1; i < parent.length; i++) below[parent[i]].push(i);
  const treemap = new Function('sizes', 'own', 'below', 'parent', `${part}; return treemap(0, 1200, 640);`);
  const wanted = treemap(size, own, below, parent).map(cell => cell.slice(1).map(n => n.toFixed(1)).join(' '));
  const drawn = [...fs.readFileSync(svg, 'utf8').matchAll(/x="([^"]*)" y="([^"]*)" width="([^"]*)" height="([^"]*)"\/>/g)];
  const found = drawn.map(match => match.slice(1).join(' '));
  assert.ok(found.length > 100);
  // Halves may round either way.
  const near = found.filter((cell, i) => {
    const other = wanted[i]?.split(' ').map(Number) ?? [];
    return cell.split(' ').map(Number).every((n, k) => Math.abs(n - other[k]) < 0.11);
  });
  assert.deepStrictEqual([near.length, wanted.length], [found.length, found.length]);
  ok(`${found.length} cells of the still picture are where the page draws them`);
  // Nothing is lost: each open cell is its own bytes and its children.
  const closed = new Set(data.tree.closed);
  const sums = parent.map((_, i) => own[i] + below[i].reduce((sum, child) => sum + size[child], 0));
  assert.ok(parent.every((_, i) => closed.has(i) || sums[i] === size[i]));
  assert.strictEqual(size[0], data.totals.size);
  ok('the bytes of the cells add up to the heap');
}

const browser = await puppeteer.launch({ executablePath: chromium,
  args: ['--no-sandbox', '--disable-gpu', `--user-data-dir=${profile}`] });

async function open(file, { width = 1600, dark = false } = {}) {
  const page = await browser.newPage();
  page.faults = [];
  page.on('request', request => {
    const url = request.url();
    if (url !== pathToFileURL(path.resolve(file)).href && url !== 'data:,') page.faults.push(`request ${url}`);
  });
  page.on('dialog', dialog => { page.faults.push(`dialog ${dialog.message()}`); dialog.dismiss(); });
  page.on('pageerror', error => page.faults.push(`error ${error.message}`));
  page.on('console', message => page.faults.push(`console ${message.text()}`));
  await page.evaluateOnNewDocument(() => {
    globalThis.violations = [];
    addEventListener('securitypolicyviolation', event => globalThis.violations.push(event.violatedDirective));
  });
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }]);
  await page.setViewport({ width, height: 1000 });
  await page.goto(pathToFileURL(path.resolve(file)).href, { waitUntil: 'load' });
  return page;
}
async function close(page) {
  assert.deepStrictEqual(await page.evaluate(() => globalThis.violations), []);
  assert.deepStrictEqual(page.faults, []);
  await page.close();
}
const texts = (page, selector) => page.$$eval(selector, all => all.map(one => one.textContent));
const crumbs = page => texts(page, '.crumbs button');
const details = page => page.$eval('#details', one => one.textContent);
const ground = page => page.evaluate(() => getComputedStyle(document.body).backgroundColor);

try {
  let page = await open(single);
  assert.ok((await page.$$('#treemap rect')).length > 100 && (await page.$$('#flame rect')).length > 50);
  assert.ok((await texts(page, '.suspects .sentence'))[0].includes('Session'));
  ok('treemap, flame graph and suspects are there');

  // Click a cell that has cells below it: it fills the picture.
  const cell = await page.$$eval('#treemap rect', all => all.find(one => Number(one.getAttribute('width')) > 200 &&
    Number(one.getAttribute('width')) < 600).getAttribute('data-cell'));
  const wide = () => page.$eval(`#treemap rect[data-cell="${cell}"]`, one => Number(one.getAttribute('width')));
  const before = await wide();
  await page.$eval(`#treemap rect[data-cell="${cell}"]`, one => one.scrollIntoView({ block: 'center' }));
  const box = await (await page.$(`#treemap rect[data-cell="${cell}"]`)).boundingBox();
  await page.mouse.click(box.x + 20, box.y + 6);
  assert.ok(await wide() > before * 1.5);
  assert.ok((await crumbs(page)).length > 1);
  ok('a click zooms in');
  await page.click('.crumbs button');
  assert.strictEqual((await crumbs(page)).length, 1);
  ok('the path above zooms out');

  // Keys.
  await page.$eval('#treemap', one => one.focus());
  await page.keyboard.press('Home');
  const top = await details(page);
  await page.keyboard.press('ArrowDown');
  const child = await details(page);
  assert.notStrictEqual(child, top);
  await page.keyboard.press('ArrowRight');
  assert.notStrictEqual(await details(page), child);
  await page.keyboard.press('ArrowLeft');
  assert.strictEqual(await details(page), child);
  await page.keyboard.press('Enter');
  assert.strictEqual((await crumbs(page)).length, 2);
  await page.keyboard.press('Escape');
  assert.strictEqual((await crumbs(page)).length, 1);
  await page.$eval('#flame', one => one.focus());
  await page.keyboard.press('ArrowDown');
  assert.strictEqual(await details(page), child);
  ok('arrows go along the cells, Enter and Esc zoom');

  // Search.
  await page.keyboard.press('/');
  await page.keyboard.type('session');
  const rows = () => texts(page, '#classes tbody td.name');
  assert.deepStrictEqual([...new Set((await rows()).map(text => text.toLowerCase().includes('session')))], [true]);
  assert.ok((await page.$$('#treemap .dim')).length > 50 && (await page.$$('#treemap g:not(.dim)')).length > 0);
  assert.ok((await details(page)).includes('“session” is in'));
  await page.keyboard.press('Escape');
  assert.ok((await rows()).length >= 25 && (await page.$$('#treemap .dim')).length === 0);
  ok('search filters the tables and marks the cells; / begins it, Esc ends it');

  // Sorting.
  const numbers = async n => (await texts(page, `#classes tbody tr:not(.rest) td:nth-child(${n})`))
    .map(text => Number(text.replaceAll(',', '')));
  await (await page.$$('#classes th button'))[1].click();
  const down = await numbers(2);
  assert.deepStrictEqual(down, [...down].sort((a, b) => b - a));
  assert.strictEqual((await page.$$eval('#classes th', all => all.map(one => one.ariaSort)))[1], 'descending');
  await (await page.$$('#classes th button'))[1].press('Enter');
  const up = await numbers(2);
  assert.deepStrictEqual(up, [...up].sort((a, b) => a - b));
  await (await page.$$('#classes th button'))[0].click();
  const sorted = await rows();
  assert.deepStrictEqual(sorted, [...sorted].sort((a, b) => (a < b ? -1 : 1)));
  const shown = (await rows()).length;
  await page.click('#classes .more button');
  assert.ok((await rows()).length > shown);
  ok('columns sort by mouse and by key, and all rows can be shown');

  // A suspect leads to its cell.
  await page.click('.suspects button');
  assert.ok((await details(page)).includes('heap-path --id @'));
  ok('a suspect leads to its cell');

  // Colours.
  assert.strictEqual(await ground(page), 'rgb(255, 255, 255)');
  await page.click('#theme');
  await page.click('#theme');
  assert.notStrictEqual(await ground(page), 'rgb(255, 255, 255)');
  assert.ok((await page.pdf()).length > 10000);
  await close(page);
  page = await open(single, { dark: true });
  assert.notStrictEqual(await ground(page), 'rgb(255, 255, 255)');
  await page.click('#theme');
  assert.strictEqual(await ground(page), 'rgb(255, 255, 255)');
  await close(page);
  ok('dark and light, by the system and by the button; it prints');

  page = await open(growth, { width: 800 });
  const grown = await texts(page, '#growth tbody tr');
  assert.ok(grown.length >= 25 && grown.some(text => text.includes('Session')));
  assert.ok((await page.$$('#growth .spark')).length >= 25);
  const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(over <= 0, `${over} pixels too wide`);
  await close(page);
  ok('growth by class; nothing is wider than 800 pixels');

  page = await open(hostile);
  const evil = '<script>alert(1)</script>';
  assert.ok((await texts(page, '#classes td.name')).includes(evil));
  assert.ok((await texts(page, '#treemap text')).some(text => text.startsWith('<script>')));
  assert.ok((await texts(page, '#strings td.text')).some(text => text.includes('</script><img src=x onerror=alert(2)>')));
  assert.strictEqual((await page.$$('script')).length, 2);
  assert.strictEqual((await page.$$('img')).length, 0);
  await close(page);
  ok(`a class called ${evil} is text, and so is a string that ends a script`);

  for (const file of pictures ? [single, growth] : []) {
    for (const width of [800, 1600]) {
      for (const dark of [false, true]) {
        page = await open(file, { width, dark });
        const name = `${path.basename(file, '.html')}-${width}-${dark ? 'dark' : 'light'}.png`;
        await page.screenshot({ path: path.join(pictures, name), fullPage: true });
        await close(page);
      }
    }
  }
} finally {
  await browser.close();
}
