// Looks at pages and still pictures as somebody who has ten seconds, in light, dark and on a phone; prints a line for each
// and fails if something cannot be read. usage: node look.mjs CHROMIUM PROFILE TRUTH [PICTURES] < LINES
// A line is `KIND FILE`; KIND: `leak PROGRAM` (TRUTH has its holder), healthy, profile, heap, damaged, svg.
import fs from 'node:fs';
import path from 'node:path';
import { launch } from './browser.mjs';

const [chromium, profile, truth, pictures] = process.argv.slice(2);
const programs = JSON.parse(fs.readFileSync(truth, 'utf8'));
const { open, close, end } = await launch(chromium, profile);
const LIGHTS = [[1600, 900, false], [1600, 900, true], [390, 844, false], [390, 844, true]];

// What cannot be read; runs in the page.
function unreadable() {
  const found = [];
  const say = (what, element, text) => found.push(`${what}: ${element.tagName}.${element.getAttribute('class') ?? ''} ${text.slice(0, 80)}`);
  const linear = part => (part /= 255) <= .04045 ? part / 12.92 : ((part + .055) / 1.055) ** 2.4;
  // A colour of any notation, as numbers.
  const pen = document.createElementNS('http://www.w3.org/1999/xhtml', 'canvas').getContext('2d', { willReadFrequently: true });
  const known = new Map();
  const parts = colour => {
    if (!known.has(colour)) {
      pen.clearRect(0, 0, 1, 1);
      pen.fillStyle = colour;
      pen.fillRect(0, 0, 1, 1);
      known.set(colour, [...pen.getImageData(0, 0, 1, 1).data]);
    }
    return known.get(colour);
  };
  const light = colour => {
    const [r, g, b] = parts(colour);
    return .2126 * linear(r) + .7152 * linear(g) + .0722 * linear(b);
  };
  // As WCAG has it.
  const contrast = (a, b) => {
    const [x, y] = [light(a), light(b)].sort((one, other) => other - one);
    return (x + .05) / (y + .05);
  };
  const ground = element => {
    for (let one = element; one; one = one.parentElement) {
      const { backgroundColor } = getComputedStyle(one);
      if (parts(backgroundColor)[3] > 0) return backgroundColor;
    }
    // What a browser shows below everything.
    return 'white';
  };
  const tooWide = document.documentElement.scrollWidth - innerWidth;
  if (tooWide > 0) found.push(`${tooWide} pixels too wide`);

  // Texts: on the page, in the box of what they are in, in a colour that can be read, and not one on the other.
  const boxes = [];
  const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode, element = node.parentElement, text = node.data.trim();
    if (!text || element.closest('script, style, title, svg') || !element.checkVisibility()) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const rects = [...range.getClientRects()].filter(rect => rect.width > 0);
    if (rects.length === 0) continue;
    if (contrast(getComputedStyle(element).color, ground(element)) < 4.5) say('hard to read', element, text);
    const around = element.closest('td, th, li, header, .details, nav, section, footer') ?? document.body;
    const { left, right } = around.getBoundingClientRect();
    const clipped = element.closest('.crumbs button');
    if (!clipped && rects.some(rect => rect.left < left - 1 || rect.right > right + 1)) say('over the edge', element, text);
    if (!element.closest('.wide') || element.closest('th')) boxes.push(...rects.map(rect => [rect, element, text]));
  }
  const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4;
  // Navigation lies over what is scrolled below it.
  const flat = boxes.filter(([, element]) => !element.closest('nav'));
  flat.forEach(([a, element, text], i) => {
    for (const [b, , other] of flat.slice(i + 1)) if (meet(a, b)) say('overlaps', element, `${text} | ${other}`);
  });
  // Nothing of a card or a head is cut off.
  for (const one of document.querySelectorAll('h1, header p, .place, .fields dd, .level, .tiles span, .tiles b')) {
    if (one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0) say('cut', one, one.textContent);
    if (one.scrollHeight > one.clientHeight + 2 && one.clientHeight > 0) say('cut below', one, one.textContent);
  }
  // Tables that are wider than what shows them.
  for (const one of document.querySelectorAll('.wide')) {
    if (one.scrollWidth > one.clientWidth + 1) say('wider than its place', one, one.querySelector('thead').textContent);
  }
  // Names of cells lie in their cells, in a colour that can be read, and none on another.
  for (const svg of document.querySelectorAll('svg')) {
    const names = [...svg.querySelectorAll('g > text')].map(text => {
      const cell = text.parentElement.querySelector('rect');
      const [own, box] = [text.getBBox(), cell.getBBox()];
      if (own.x < box.x || own.x + own.width > box.x + box.width || own.y + own.height > box.y + box.height + 3) {
        say('out of its cell', text, text.textContent);
      }
      if (contrast(getComputedStyle(text).fill, getComputedStyle(cell).fill) < 4.5) say('hard to read', text, text.textContent);
      return { left: own.x, right: own.x + own.width, top: own.y, bottom: own.y + own.height, text };
    });
    // Neither a cell nor the edge of a frame that is drawn later lies on a name.
    const rects = [...svg.querySelectorAll('rect')].map(rect => {
      const { x, y, width, height } = rect.getBBox();
      const frame = rect.classList.contains('frame'), half = parseFloat(getComputedStyle(rect).strokeWidth) / 2;
      return { rect, left: x, right: x + width, top: y - half, bottom: frame ? y + half : y + height };
    });
    for (const { text, left, right } of names) {
      // The letters: from the height of capitals to the underscore.
      const line = Number(text.getAttribute('y')), [top, bottom] = [line - 8, line + 2.8];
      const later = rects.filter(({ rect }) => text.compareDocumentPosition(rect) & Node.DOCUMENT_POSITION_FOLLOWING);
      if (later.some(box => box.left < right && box.right > left && box.top < bottom - .2 && box.bottom > top)) {
        say('covered', text, text.textContent);
      }
    }
    names.forEach((a, i) => {
      for (const b of names.slice(i + 1)) if (meet(a, b)) say('overlaps', a.text, `${a.text.textContent} | ${b.text.textContent}`);
    });
    // A legend lies on the picture's own ground.
    for (const text of svg.querySelectorAll(':scope > text')) {
      if (contrast(getComputedStyle(text).fill, ground(svg)) < 4.5) say('hard to read', text, text.textContent);
    }
  }
  // No section is empty.
  for (const section of document.querySelectorAll('main > section')) {
    if (section.checkVisibility() && !section.querySelector('tbody tr, rect, p, .suspects > li')) say('empty', section, section.id);
  }
  return found;
}

// What the first card says, and where it ends.
const firstCard = () => {
  const card = document.querySelector('.suspects > li');
  if (!card) return null;
  const fields = Object.fromEntries([...card.querySelectorAll('.fields div')].map(one =>
    [one.querySelector('dt').textContent, one.querySelector('dd').textContent]));
  const last = card.querySelector('.fields div:last-child').getBoundingClientRect().bottom;
  // Its class and number, of what is one object.
  const object = [...card.querySelectorAll('.how > .faint')].map(one => one.textContent).find(text => / @\d+$/.test(text));
  return { name: card.querySelector('.place').textContent, level: card.className, fields, object, last,
    end: card.getBoundingClientRect().bottom, top: card.querySelector('.place').getBoundingClientRect().bottom };
};

let faults = 0;
async function look(kind, program, file) {
  const said = [], wrong = [];
  const { leak, piles } = programs.find(({ name, on }) => `${on}-${name}` === program) ?? {};
  if (program && !leak) {
    console.log(`-- ${program}: not looked at, ${truth} has no leak of that name`);
    return;
  }
  for (const [width, height, dark] of LIGHTS) {
    const page = await open(file, { width, height, dark });
    const light = `${width} ${dark ? 'dark' : 'light'}`;
    wrong.push(...(await page.evaluate(unreadable)).map(what => `${light}: ${what}`));
    if (pictures) {
      await page.screenshot({ path: path.join(pictures, `${path.basename(file)}.${light.replace(' ', '-')}.png`) });
    }
    if (kind !== 'svg') {
      const card = await page.evaluate(firstCard);
      const expect = (holds, what) => { if (!holds) wrong.push(`${light}: ${what}: ${JSON.stringify(card)}`); };
      const head = (await page.$eval('header', one => one.textContent)).replaceAll('\u00a0', ' ');
      if (kind === 'leak') {
        const text = `${card?.name} ${card?.fields.holds ?? ''}`;
        expect(card && leak.some(patterns => patterns.every(pattern => new RegExp(pattern).test(text))), 'the holder is not named');
        // A core is one dump.
        expect(program.startsWith('core') || /^\+[\d.]+[KMGTPE]?$/.test(card?.fields.growth ?? ''), 'no growth');
        // A buffer or a list of numbers that is made larger is itself what piles up.
        const one = card?.object && !card.fields.holds && new RegExp(piles).test(`${card.name} (${card.object}`);
        expect(one || /^[\d,]+ \S/.test(card?.fields.holds ?? ''), 'no count');
        expect(width < 1600 ? card?.top < height : card?.end < height, 'below the first screen');
      } else if (kind === 'healthy') {
        expect(card?.level !== 'leak', 'an alarm');
      }
      if (kind === 'profile') expect(await page.$('#functions tbody tr'), 'no functions');
      if (kind === 'damaged') expect(head.includes('is damaged or incomplete: '), 'the head does not say that it is damaged');
      expect(/[\d.]+[KMGTPE]?(in the heap|in use|allocated in all)/.test(head), `no size in ${head}`);
      said[0] ??= card ? `${card.level}: ${card.name}; ${Object.entries(card.fields).map(part => part.join(' ')).join(', ')}` : 'nothing stands out';
    }
    await close(page);
  }
  faults += wrong.length;
  console.log(`${wrong.length > 0 ? 'NO' : 'ok'} ${kind} ${path.basename(file)}${said[0] ? `: ${said[0]}` : ''}`);
  for (const what of wrong.slice(0, 12)) console.log(`   ${what}`);
}

try {
  for (const line of fs.readFileSync(0, 'utf8').split('\n').filter(Boolean)) {
    const [kind, ...rest] = line.split(' ');
    await look(kind, rest.length > 1 ? rest[0] : '', rest[rest.length - 1]);
  }
} finally {
  await end();
}
if (faults > 0) {
  console.log(`${faults} faults`);
  process.exit(1);
}
