// A headless browser in which pages are opened, and what is wrong with one while it is used.
import assert from 'node:assert';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import puppeteer from 'puppeteer-core';

const address = file => pathToFileURL(path.resolve(file)).href;

export async function launch(chromium, profile) {
  const browser = await puppeteer.launch({ executablePath: chromium,
    args: ['--no-sandbox', '--disable-gpu', `--user-data-dir=${profile}`] });

  // Opens a file. Requests, dialogs, errors and words on the console are faults.
  async function open(file, { width = 1600, height = 1000, dark = false } = {}) {
    const page = await browser.newPage();
    page.faults = [];
    page.on('request', request => {
      const url = request.url();
      if (url !== address(file) && url !== 'data:,') page.faults.push(`request ${url}`);
    });
    page.on('dialog', dialog => { page.faults.push(`dialog ${dialog.message()}`); dialog.dismiss(); });
    page.on('pageerror', error => page.faults.push(`error ${error.message}`));
    page.on('console', message => page.faults.push(`console ${message.text()}`));
    await page.evaluateOnNewDocument(() => {
      globalThis.violations = [];
      addEventListener('securitypolicyviolation', event => globalThis.violations.push(event.violatedDirective));
    });
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }]);
    await page.setViewport({ width, height });
    await page.goto(address(file), { waitUntil: 'load' });
    return page;
  }

  async function close(page) {
    assert.deepStrictEqual(await page.evaluate(() => globalThis.violations), []);
    assert.deepStrictEqual(page.faults, []);
    await page.close();
  }

  return { open, close, end: () => browser.close() };
}
