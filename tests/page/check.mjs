// Uses a page of heap-view as people do, in a headless browser; prints a line for each check and fails with the first
// that does not hold. usage: node check.mjs CHROMIUM PROFILE PAGE GROWTH HOSTILE SVG SCRIPT ORDERS DAMAGED
import assert from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import { launch } from './browser.mjs';

const [chromium, profile, single, growth, hostile, svg, script, orders, damaged] = process.argv.slice(2);
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

const { open, close, end } = await launch(chromium, profile);
const texts = (page, selector) => page.$$eval(selector, all => all.map(one => one.textContent));
const crumbs = page => texts(page, '.crumbs button');
const details = page => page.$eval('#details', one => one.textContent);
const ground = page => page.evaluate(() => getComputedStyle(document.body).backgroundColor);

try {
  let page = await open(single);
  assert.ok((await page.$$('#treemap rect')).length > 100 && (await page.$$('#flame rect')).length > 50);
  assert.ok((await texts(page, '.suspects > li'))[0].includes('Session'));
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
  assert.ok((await page.$$('#treemap rect.suspect')).length > 0 && (await page.$$('#flame rect.suspect')).length > 0);
  assert.ok((await texts(page, '#treemap rect.suspect + text'))[0].startsWith('1. '));
  await page.click('.suspects button');
  assert.ok((await details(page)).includes('heap-path --id @'));
  ok('suspects have a frame and their number in both pictures, and lead to their cells');

  // Names fit, or are left out.
  const wider = () => page.$$eval('#treemap g, #flame g', all => all.filter(group => {
    const [rect, text] = [group.querySelector('rect'), group.querySelector('text')];
    return text && text.getBBox().width > rect.getBBox().width - 4;
  }).length);
  assert.strictEqual(await wider(), 0);
  assert.ok((await texts(page, '#legend li')).length >= 4);
  ok('names fit their cells; a legend says what the colours mean');

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
  // What has changed, and the rest when asked.
  const [changed, classes] = await page.evaluate(() => {
    const { rows } = JSON.parse(document.getElementById('data').textContent).growth;
    return [rows.filter(row => row.slice(1).some(list => list[0] !== list[list.length - 1])).length, rows.length];
  });
  assert.ok(changed >= 5 && classes > 100, `${changed} of ${classes}`);
  assert.deepStrictEqual([grown.length, grown.some(text => text.includes('Session'))], [Math.min(changed, 25), true]);
  await page.click('#growth .more button');
  assert.strictEqual((await page.$$('#growth .spark')).length, classes);
  const over = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(await over() <= 0, `${await over()} pixels too wide`);
  const colours = () => page.$$eval('#treemap rect', all => all.map(one => one.getAttribute('class')).join());
  const plain = await colours();
  await page.click('#mode');
  assert.ok((await colours()).includes('g4') && (await texts(page, '#legend li')).some(text => text.includes('as before')));
  await page.click('#mode');
  assert.strictEqual(await colours(), plain);
  await close(page);
  ok('growth by class, in a table and in colours; nothing is wider than 800 pixels');

  // Ten seconds: what holds, how much it has grown and what it holds stand in the first card, on the first screen.
  page = await open(growth, { height: 900 });
  const card = await page.$eval('.suspects > li', one => ({ text: one.textContent, end: one.getBoundingClientRect().bottom }));
  for (const part of ['global.__leak.sessions', '+539K', '1,200 Session', '18.7', '239K → 494K → 778K']) {
    assert.ok(card.text.replaceAll('\u00a0', ' ').includes(part), part);
  }
  assert.ok(card.end < 900);
  const chart = await page.$eval('header', one => one.textContent.replaceAll('\u00a0', ' '));
  assert.ok(chart.includes('Node 20') && chart.includes('3.3M → 3.7M → 4.1M; suspects explain 97 %'), chart);
  assert.strictEqual((await page.$$('header .course rect')).length, 3);
  assert.strictEqual((await page.$$eval('.notes li', all => all.filter(one => one.checkVisibility()))).length, 0);
  await close(page);
  ok('holder, growth and count stand on the first screen; notes are folded');

  for (const file of [growth, single, orders]) {
    page = await open(file, { width: 390 });
    const most = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(most <= 0, `${most} pixels too wide`);
    await close(page);
  }
  ok('390 pixels are wide enough');

  // Of a profile.
  page = await open(orders, { dark: true });
  assert.ok((await texts(page, '.suspects > li'))[0].includes('main.note (orders.go:'));
  const first = await page.$eval('#functions tbody tr', one => [...one.children].map(cell => cell.textContent));
  assert.ok(first[0].startsWith('main.note') && first[1] === '2.5M' && first[3] === '2.5M', first.join());
  const sections = await page.$$eval('main > section', all => all.filter(one => one.checkVisibility()).map(one => one.id));
  assert.deepStrictEqual(sections, ['suspects', 'functions', 'tree', 'growth']);
  await close(page);
  ok('a profile opens with its functions, own and with callees, and has no empty sections');

  page = await open(damaged);
  assert.ok((await page.$eval('header .damage', one => one.textContent)).includes('is damaged or incomplete: byte '));
  await close(page);
  ok('the page of a damaged dump says so');

  page = await open(hostile);
  const evil = '<script>alert(1)</script>';
  assert.ok((await texts(page, '#classes td.name')).includes(evil));
  assert.ok((await texts(page, '#treemap text')).some(text => text.startsWith('<script>')));
  assert.ok((await texts(page, '#strings td.text')).some(text => text.includes('</script><img src=x onerror=alert(2)>')));
  assert.strictEqual((await page.$$('script')).length, 2);
  assert.strictEqual((await page.$$('img')).length, 0);
  await close(page);
  ok(`a class called ${evil} is text, and so is a string that ends a script`);

} finally {
  await end();
}
