'use strict';
// Draws the page from the data beside it. Texts of the heap become text nodes only.
(() => {
// Marks that turn the direction of what follows would turn the figures behind a name.
const TURNS = /[\u202a-\u202e\u2066-\u2069]/g;
const visible = text => text.replace(TURNS, mark => `\\\\u${mark.charCodeAt(0).toString(16)}`);
const data = JSON.parse(visible(document.getElementById('data').textContent));
const $ = id => document.getElementById(id);
const SVG = 'http://www.w3.org/2000/svg';

// Elements: a name, attributes, children. Children that are no nodes become text.
function fill(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(key, '');
    else if (value !== false && value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}
const h = (name, attributes = {}, ...children) => fill(document.createElement(name), attributes, children);
const s = (name, attributes = {}, ...children) => fill(document.createElementNS(SVG, name), attributes, children);

const count = n => n.toLocaleString('en-US').replace('-', '−');
function size(bytes) {
  // A sum that has stopped at 2^64 is at least that.
  const sign = bytes < 0 ? '−' : bytes >= 2 ** 64 ? '\u2265' : '';
  let value = Math.abs(bytes), unit = 0;
  if (value < 1024) return sign + value;
  // What would round to 1024 belongs to the next unit.
  do { value /= 1024; unit++; } while (value >= 1023.5 && unit < 6);
  return sign + (value < 99.95 ? value.toFixed(1) : Math.round(value)) + 'KMGTPE'[unit - 1];
}
const signed = (n, form) => (n > 0 ? '+' : '') + form(n);
const percent = part => `${(part * 100).toFixed(1)} %`;
// A class without its package: `HashMap` for `java.util.HashMap`.
function short(name) {
  const word = name.split(/[ (]/, 1)[0];
  const dot = word.lastIndexOf('.');
  return dot > 0 && dot + 1 < word.length ? name.slice(dot + 1) : name;
}
const shorten = (text, most) => text.length > most ? text.slice(0, Math.max(most - 1, 0)) + '…' : text;

// The shade of a type name, the same everywhere and in pictures of heap-view --svg: FNV-1a over UTF-16 units.
const SHADES = 3;
function shade(name) {
  let hash = 0x811c9dc5;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  return (hash >>> 0) % SHADES;
}

// ---- the tree

// What the pictures show: the dominator tree or a profile's, or the stacks at which objects were allocated.
let names, whose, parent, name, sizes, own, counts, labels, numbers;
let shown, cells, isOther, isClosed, below, whole, stacked;
// The cells that suspects are, by rank; stacks have none.
const ranked = new Map();
let ranks = ranked;
function use(tree) {
  shown = tree;
  ({ names, whose, parent, name, size: sizes, own, count: counts, labels, numbers } = tree);
  cells = parent.length;
  isOther = new Set(tree.other);
  isClosed = new Set(tree.closed);
  below = Array.from({ length: cells }, () => []);
  for (let i = 1; i < cells; i++) below[parent[i]].push(i);
  whole = sizes[0] || 1;
  stacked = data.allocations || tree === data.stacks;
  ranks = tree === data.tree ? ranked : new Map();
}
use(data.tree);
const title = i => {
  const label = labels[i];
  const text = names[name[i]];
  if (isOther.has(i)) return `${text} ${count(counts[i])}`;
  const many = counts[i] > 1 && !stacked ? ` ×${count(counts[i])}` : '';
  return label === undefined ? text + many : `${text} ${label}`;
};

// What a colour says: whose the objects are, or how their class has grown.
const whoseOf = new Map([data.stacks, data.tree].flatMap(tree => tree?.names.map((text, i) => [text, tree.whose[i] ?? 1]) ?? []));
const RUNTIME = data.legend.length - 1;
const hueOf = text => `h${(whoseOf.get(text) ?? RUNTIME) * SHADES + shade(text)}`;
const growthOf = new Map(data.growth.rows.map(([text, , points]) => {
  const last = points[points.length - 1], change = last - points[0];
  const part = change / Math.max(last, 1);
  return [text, change < 0 ? 0 : part < .05 ? 1 : part < .2 ? 2 : part < .5 ? 3 : 4];
}));
const GROWN = ['has shrunk', 'as before', 'a twentieth is new', 'a fifth is new', 'half is new'];
function cellClass(i) {
  if (isOther.has(i)) return 'other';
  const text = names[name[i]];
  return state.grown ? `g${growthOf.get(text) ?? 1}` : hueOf(text);
}

{
  const byNumber = new Map(Object.entries(numbers).map(([i, number]) => [number, Number(i)]));
  // The cells of a name that are in no other of that name, the largest first.
  const named = text => {
    const inside = new Set(), found = [];
    for (let i = 1; i < cells; i++) {
      const within = inside.has(parent[i]), hit = names[name[i]] === text && !isOther.has(i);
      if (hit && !within) found.push(i);
      if (hit || within) inside.add(i);
    }
    return found.sort((a, b) => sizes[b] - sizes[a]);
  };
  // A suspect without an object of its own is a crowd: the cells of its class, if they are about as much.
  const crowd = ({ class: text, retained, external }) => {
    const found = named(text), sum = found.reduce((all, i) => all + sizes[i], 0);
    return Math.abs(sum / Math.max(retained + external, 1) - 1) < .2 ? found : [];
  };
  data.suspects.forEach((suspect, n) => {
    const cell = byNumber.get(suspect.number);
    suspect.cells = data.allocations ? named(suspect.class) : suspect.number === null ? crowd(suspect)
      : cell === undefined ? [] : [cell];
    if (suspect.level !== 'leak' && suspect.level !== 'large') return;
    for (const i of suspect.cells) if (!ranked.has(i)) ranked.set(i, n + 1);
  });
}

// Squarified treemap: M. Bruls, K. Huizing, J. van Wijk, 2000. `values` in descending order; gives [x, y, w, h] each.
function squarify(values, x, y, w, h) {
  const out = [];
  let left = values.reduce((sum, value) => sum + value, 0);
  let at = 0;
  while (at < values.length && left > 0) {
    const short = Math.min(w, h), scale = w * h / left;
    let end = at, sum = 0, worst = Infinity;
    while (end < values.length) {
      const next = sum + values[end];
      const row = next * scale;
      const ratio = Math.max(short * short * values[at] * scale / (row * row),
        row * row / (short * short * values[end] * scale));
      if (ratio > worst) break;
      worst = ratio; sum = next; end++;
    }
    const thick = short > 0 ? sum * scale / short : 0;
    let along = 0;
    for (; at < end; at++) {
      const part = short > 0 ? values[at] * scale / thick : 0;
      out.push(w < h ? [x + along, y, part, thick] : [x, y + along, thick, part]);
      along += part;
    }
    if (w < h) { y += thick; h -= thick; } else { x += thick; w -= thick; }
    left -= sum;
  }
  while (out.length < values.length) out.push([x, y, 0, 0]);
  return out;
}

const HEAD = 15, PAD = 2, LEAST = 3;

// The cells of a treemap below `top`, each [cell, x, y, w, h], parents first.
function treemap(top, width, height) {
  const out = [], todo = [[top, 0, 0, width, height]];
  while (todo.length > 0) {
    const [i, x, y, w, h] = todo.pop();
    out.push([i, x, y, w, h]);
    const nested = w > 24 && h > HEAD + 8;
    if (!nested || below[i].length === 0) continue;
    // What the cell has of its own takes room and is not drawn: number -1.
    const items = below[i].map(child => [child, sizes[child]]);
    if (own[i] > 0) items.push([-1, own[i]]);
    items.sort((a, b) => b[1] - a[1] || a[0] - b[0]);
    const places = squarify(items.map(item => item[1]), x + PAD, y + HEAD, w - 2 * PAD, h - HEAD - PAD);
    for (let n = items.length - 1; n >= 0; n--) {
      const [cx, cy, cw, ch] = places[n];
      if (items[n][0] >= 0 && cw >= LEAST && ch >= LEAST) todo.push([items[n][0], cx, cy, cw, ch]);
    }
  }
  return out;
}

const ROW = 18;

// The cells of a flame graph: what leads to `top` over its full width, then what hangs below it.
function flame(top, width) {
  const out = [], way = [];
  for (let i = top; i > 0; i = parent[i]) way.unshift(parent[i]);
  way.forEach((i, row) => out.push([i, 0, row * ROW, width, ROW]));
  const todo = [[top, 0, way.length * ROW, width]];
  while (todo.length > 0) {
    const [i, x, y, w] = todo.pop();
    out.push([i, x, y, w, ROW]);
    let at = x;
    for (const child of below[i]) {
      const part = sizes[i] > 0 ? w * sizes[child] / sizes[i] : 0;
      if (part >= 1) todo.push([child, at, y + ROW, part]);
      at += part;
    }
  }
  return out;
}

const state = { top: 0, chosen: 0, query: '', pointer: '', grown: false };
const matches = i => {
  const { query } = state;
  return names[name[i]].toLowerCase().includes(query) || (labels[i] ?? '').toLowerCase().includes(query);
};

const pen = document.createElement('canvas').getContext('2d');
pen.font = '700 11px system-ui, sans-serif';
// What a cell is called in so much room: title and size, the title, the name, the name without its package. A name that does
// not fit is left out; only in cells of some width it is cut.
function fitting(i, room) {
  if (room < 12) return undefined;
  const rank = ranks.has(i) ? `${ranks.get(i)}. ` : '';
  const text = names[name[i]], brief = rank + short(text);
  const fits = words => pen.measureText(words).width <= room;
  const found = [`${rank}${title(i)}  ${size(sizes[i])}`, rank + title(i), rank + text, brief].find(fits);
  if (found !== undefined || room < 110) return found ?? (rank && fits(rank) ? rank.trim() : undefined);
  let most = brief.length - 1;
  while (most > 8 && !fits(`${brief.slice(0, most)}…`)) most--;
  return `${brief.slice(0, most)}…`;
}

function draw(svg, places, width, height) {
  svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
  const parts = places.map(([i, x, y, w, h]) => {
    const group = s('g', { class: state.query && !matches(i) ? 'dim' : undefined });
    const chosen = i === state.chosen && i !== state.top ? ' chosen' : '';
    group.append(s('rect', { x: x.toFixed(1), y: y.toFixed(1), width: w.toFixed(1), height: h.toFixed(1),
      class: cellClass(i) + (ranks.has(i) ? ' suspect' : '') + chosen, 'data-cell': i }));
    const shown = h >= 13 ? fitting(i, w - 7) : undefined;
    if (shown !== undefined) group.append(s('text', { x: (x + 4).toFixed(1), y: (y + 11).toFixed(1) }, shown));
    return group;
  });
  // Frames lie above all cells, and inside of theirs: above it is the name of its parent.
  const frames = places.filter(([i]) => ranks.has(i)).map(([, x, y, w, h]) => s('rect', { class: 'frame', x: (x + 1).toFixed(1),
    y: (y + 1).toFixed(1), width: Math.max(w - 2, 0).toFixed(1), height: Math.max(h - 2, 0).toFixed(1) }));
  svg.replaceChildren(...parts, ...frames);
}

function drawTree() {
  const box = $('treemap').parentElement.clientWidth || 800;
  const width = Math.max(box, 320), height = Math.round(Math.min(Math.max(width * .42, 360), 620));
  draw($('treemap'), treemap(state.top, width, height), width, height);
  const rows = flame(state.top, width - 16);
  const deep = rows.reduce((most, row) => Math.max(most, row[2] + ROW), ROW);
  draw($('flame'), rows, width - 16, deep);
  const way = [];
  for (let i = state.top; ; i = parent[i]) { way.unshift(i); if (i === 0) break; }
  const crumbs = way.flatMap((i, n) => {
    const here = i === state.top;
    const button = h('button', { type: 'button', 'data-zoom': i, 'aria-current': here ? 'true' : undefined,
      title: title(i) }, title(i));
    return n > 0 ? [h('span', { class: 'arrow faint' }, '›'), button] : [button];
  });
  document.querySelector('.crumbs').replaceChildren(...crumbs);
  showDetails();
}

function showLegend() {
  const here = new Set(names.map((text, i) => (i > 0 && text !== '<other>' ? whose[i] : undefined)));
  const entry = (style, text) => h('li', {}, h('span', { class: `swatch ${style}` }), text);
  const entries = state.grown ? GROWN.map((text, n) => entry(`g${n}`, text))
    : data.legend.map((text, n) => [n, text]).filter(([n]) => here.has(n))
      .map(([n, text]) => entry(`h${n * SHADES}`, stacked && n === 0 ? 'the program’s functions' : text));
  if (ranks.size > 0) entries.push(h('li', {}, h('span', { class: 'swatch framed' }), 'a suspect, with its number'));
  $('legend').replaceChildren(...entries);
  $('mode').textContent = state.grown ? 'Colour by what it is' : 'Colour by growth';
}

// The command that says why an object is alive.
const alive = number => h('div', { class: 'faint' }, 'Why is it alive: ',
  h('code', {}, `heap-path --id @${number} ${data.files[data.files.length - 1].name}`));

function showDetails() {
  const i = state.chosen;
  const lines = [h('div', {}, h('span', { class: `swatch ${cellClass(i)}` }), h('b', {}, title(i)), ' ',
    h('span', { class: 'number' }, `${size(sizes[i])}, ${percent(sizes[i] / whole)} of ${stacked ? 'all' : 'the heap'}`))];
  const facts = [];
  if (i === 0) {
    facts.push(!stacked ? 'everything that the roots keep alive'
      : !data.allocations ? 'all objects of which it is known what allocated them'
      : `everything that ${data.sizes}`);
    facts.push('point at a cell to see what it is, click to zoom in');
  } else if (isOther.has(i)) {
    facts.push(`${count(counts[i])} smaller ones together; they have no cells of their own`);
  } else {
    if (stacked) facts.push(`${count(counts[i])} ${data.allocations ? 'allocations' : 'objects'}`);
    else facts.push(counts[i] === 1 ? 'one object' : `${count(counts[i])} objects of this type`);
    facts.push(`${size(own[i])} of its own`);
    if (below[i].length > 0) facts.push(`${count(below[i].length)} cells below`);
    if (isClosed.has(i) && sizes[i] > own[i]) facts.push(`what hangs below it (${size(sizes[i] - own[i])}) has no cells`);
  }
  lines.push(h('div', { class: 'faint' }, facts.join(' · ')));
  if (numbers[i] !== undefined && i > 0) lines.push(alive(numbers[i]));
  if (ranks.has(i)) lines.push(h('div', {}, `Suspect ${ranks.get(i)}: `, data.suspects[ranks.get(i) - 1].text));
  if (state.query) {
    let found = 0, bytes = 0;
    const inside = new Set();
    for (let n = 0; n < cells; n++) {
      const hit = matches(n);
      if (hit) { found++; if (!inside.has(parent[n])) bytes += sizes[n]; }
      if (hit || inside.has(parent[n])) inside.add(n);
    }
    lines.push(h('div', {}, `“${state.query}” is in ${count(found)} cells: ${size(bytes)}, ${percent(bytes / whole)}`));
  }
  $('details').replaceChildren(...lines);
}

function present(tree) {
  use(tree);
  state.top = state.chosen = 0;
  state.grown = false;
  const stacks = tree === data.stacks;
  document.querySelector('#tree h2').textContent = stacks ? 'What allocated what: stacks of allocations' : HELD;
  $('tree-note').textContent = stacks ? data.stacksNote : data.note;
  $('which').textContent = stacks ? 'Show what holds what' : 'Show what allocated what';
  $('mode').hidden = stacks || data.growth.rows.length === 0;
  showLegend();
  drawTree();
}

function zoom(i) {
  state.top = below[i].length > 0 || i === 0 ? i : parent[i];
  state.chosen = i;
  drawTree();
}
function choose(i) {
  state.chosen = i;
  // What is outside of the picture comes into it.
  let inside = i;
  while (inside !== state.top && inside > 0) inside = parent[inside];
  if (inside !== state.top) state.top = i;
  drawTree();
}

function onKey(event) {
  const i = state.chosen;
  const siblings = i > 0 ? below[parent[i]] : [0];
  const at = siblings.indexOf(i);
  switch (event.key) {
    case 'ArrowLeft': choose(siblings[Math.max(at - 1, 0)]); break;
    case 'ArrowRight': choose(siblings[Math.min(at + 1, siblings.length - 1)]); break;
    case 'ArrowUp': if (i > 0) choose(parent[i]); break;
    case 'ArrowDown': if (below[i].length > 0) choose(below[i][0]); break;
    case 'Enter': case ' ': zoom(i); break;
    case 'Escape': case 'Backspace': if (state.top > 0) zoom(parent[state.top]); break;
    case 'Home': zoom(0); break;
    default: return;
  }
  event.preventDefault();
}

for (const id of ['treemap', 'flame']) {
  const svg = $(id);
  const cellOf = event => event.target instanceof Element ? event.target.getAttribute('data-cell') : null;
  svg.addEventListener('click', event => {
    state.pointer = `${event.clientX} ${event.clientY}`;
    const cell = cellOf(event);
    if (cell !== null) zoom(Number(cell));
  });
  svg.addEventListener('keydown', onKey);
  svg.addEventListener('pointermove', event => {
    // A pointer that rests over a picture that was drawn anew chooses nothing.
    const at = `${event.clientX} ${event.clientY}`;
    const cell = cellOf(event);
    if (at === state.pointer || cell === null || Number(cell) === state.chosen) return;
    state.pointer = at;
    state.chosen = Number(cell);
    for (const old of document.querySelectorAll('rect.chosen')) old.classList.remove('chosen');
    for (const now of document.querySelectorAll(`rect[data-cell="${cell}"]`)) now.classList.add('chosen');
    showDetails();
  });
}
document.querySelector('.crumbs').addEventListener('click', event => {
  const button = event.target.closest('button');
  if (button) zoom(Number(button.getAttribute('data-zoom')));
});

// ---- tables

const SHOWN = 25;

// A table that can be sorted and searched. `columns`: {title, kind, value, show, search}; `rest`: cells of a last row; `shown`:
// rows at first.
function table(place, columns, rows, sort, rest, nothing, shown = SHOWN) {
  let { column: by, down } = sort, most = shown;
  const redraw = () => {
    const query = state.query;
    const fits = row => columns.some(c => c.search && String(c.value(row)).toLowerCase().includes(query));
    const found = query ? rows.filter(fits) : rows.slice();
    const limit = query ? Math.max(most, SHOWN) : most;
    const value = columns[by].value;
    found.sort((a, b) => {
      const [x, y] = [value(a), value(b)];
      const order = typeof x === 'string' ? (x < y ? -1 : x > y ? 1 : 0) : x - y;
      return down ? -order : order;
    });
    const head = h('tr', {}, ...columns.map((c, n) => {
      const sorted = n === by ? (down ? 'descending' : 'ascending') : 'none';
      const button = h('button', { type: 'button' }, c.title);
      button.addEventListener('click', () => {
        [by, down] = [n, n === by ? !down : c.kind.startsWith('number')];
        redraw();
        place.querySelectorAll('th button')[n].focus();
      });
      return h('th', { scope: 'col', class: c.kind, 'aria-sort': sorted },
        c.plain ? c.title : button);
    }));
    const body = found.slice(0, limit).map(row => h('tr', {}, ...columns.map(c => h('td', { class: c.kind }, c.show(row)))));
    if (rest && !query) body.push(h('tr', { class: 'rest' }, ...rest.map((text, n) => h('td', { class: columns[n].kind }, text))));
    const parts = [];
    if (found.length === 0) parts.push(h('p', { class: 'faint' }, query ? `None with “${query}”.` : nothing));
    else parts.push(h('div', { class: 'wide' }, h('table', {}, h('thead', {}, head), h('tbody', {}, ...body))));
    if (found.length > limit) {
      const all = h('button', { type: 'button' }, `Show all ${count(found.length)}`);
      all.addEventListener('click', () => { most = Infinity; redraw(); });
      parts.push(h('p', { class: 'more' }, `${count(limit)} of ${count(found.length)} rows. `, all));
    }
    place.replaceChildren(...parts);
  };
  redraw();
  return redraw;
}

const swatch = text => h('span', { class: `swatch ${hueOf(text)}` });
function bar(part) {
  const span = h('span');
  span.style.width = `${Math.min(Math.max(part, 0), 1) * 100}%`;
  return span;
}
const named = (text, most = 160) => {
  const cell = document.createDocumentFragment();
  cell.append(swatch(text), shorten(text, most));
  return cell;
};
const drawings = [];

// Hides a section that has nothing to show.
function hide(id) {
  $(id).hidden = true;
  document.querySelector(`nav a[href="#${id}"]`).hidden = true;
}

function functions() {
  const rows = data.functions;
  if (rows.length === 0) return;
  $('functions').hidden = false;
  document.querySelector('nav a[href="#functions"]').hidden = false;
  const all = data.totals.size || 1;
  const columns = [
    { title: 'function', kind: 'name', search: true, value: row => row[0], show: row => {
      const cell = named(row[0]);
      if (row[4]) cell.append(' ', h('span', { class: 'faint' }, row[4]));
      return cell;
    } },
    { title: 'own', kind: 'number', value: row => row[1], show: row => size(row[1]) },
    { title: 'own, of all', kind: 'bar', plain: true, value: row => row[1], show: row => bar(row[1] / all) },
    { title: 'with callees', kind: 'number', value: row => row[2], show: row => size(row[2]) },
    { title: 'objects', kind: 'number extra', value: row => row[3], show: row => (row[3] > 0 ? count(row[3]) : '') },
  ];
  drawings.push(table(document.querySelector('#functions div'), columns, rows, { column: 1, down: true }, false, ''));
}

function classes() {
  const { rows, others, rest } = data.classes;
  if (rows.length === 0) return hide('classes');
  const known = rows.some(row => row[3] !== null);
  const all = (known ? data.totals.retained : data.totals.size) || 1;
  const weight = row => row[known ? 3 : 2] ?? 0;
  const columns = [
    { title: 'class', kind: 'name', search: true, value: row => row[0], show: row => named(row[0]) },
    { title: 'count', kind: 'number', value: row => row[1], show: row => count(row[1]) },
    { title: 'size', kind: 'number', value: row => row[2], show: row => size(row[2]) },
  ];
  if (known) {
    columns.push({ title: 'retained', kind: 'number', value: row => row[3] ?? 0, show: row => size(row[3] ?? 0) });
  }
  columns.push({ title: known ? 'retained, of all' : 'size, of all', kind: 'bar', plain: true, value: weight,
    show: row => bar(weight(row) / all) });
  const last = others > 0 && [`<other>: ${count(others)} more classes`, count(rest[0]), size(rest[1]), ...(known ? ['', ''] : [''])];
  const place = document.querySelector('#classes div');
  drawings.push(table(place, columns, rows, { column: known ? 3 : 2, down: true }, last, ''));
}

function strings() {
  const { rows, others, wasted } = data.strings;
  if (rows.length === 0 && (data.allocations || data.totals.size === 0)) return hide('strings');
  const columns = [
    { title: 'text', kind: 'text', search: true, value: row => row[0], show: row => h('span', {}, row[0] + (row[5] ? '…' : '')) },
    { title: 'count', kind: 'number', value: row => row[1], show: row => count(row[1]) },
    { title: 'length', kind: 'number extra', value: row => row[4], show: row => count(row[4]) },
    { title: 'size', kind: 'number extra', value: row => row[3], show: row => size(row[3]) },
    { title: 'wasted', kind: 'number', value: row => row[2], show: row => size(row[2]) },
  ];
  const last = others > 0 && [`<other>: ${count(others)} more texts`, '', '', '', size(wasted)];
  const nothing = 'No text is in more than one string.';
  drawings.push(table(document.querySelector('#strings div'), columns, rows, { column: 4, down: true }, last, nothing));
}

function spark(points) {
  const most = Math.max(...points, 1), step = 100 / Math.max(points.length - 1, 1);
  const at = points.map((value, n) => `${(n * step).toFixed(1)},${(19 - 18 * value / most).toFixed(1)}`);
  return s('svg', { class: 'spark', viewBox: '0 0 100 20', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
    s('polyline', { points: at.join(' ') }));
}

function growth() {
  const { rows, others, rest } = data.growth;
  if (rows.length === 0) return;
  $('growth').hidden = false;
  document.querySelector('nav a[href="#growth"]').hidden = false;
  const last = list => list[list.length - 1];
  const delta = list => last(list) - list[0];
  const grown = (n, form) => h('span', { class: n > 0 ? 'grown' : '' }, signed(n, form));
  const columns = [
    { title: 'class', kind: 'name', search: true, value: row => row[0], show: row => named(row[0]) },
    { title: 'size', kind: 'line extra', plain: true, value: row => last(row[2]), show: row => spark(row[2]) },
    { title: 'change', kind: 'number', value: row => delta(row[2]), show: row => grown(delta(row[2]), size) },
    { title: 'from – to', kind: 'number extra', value: row => last(row[2]), show: row => `${size(row[2][0])} – ${size(last(row[2]))}` },
    { title: 'count, change', kind: 'number', value: row => delta(row[1]), show: row => grown(delta(row[1]), count) },
    { title: 'from – to', kind: 'number extra', value: row => last(row[1]),
      show: row => `${count(row[1][0])} – ${count(last(row[1]))}` },
  ];
  const place = document.querySelector('#growth div');
  const base = file => file.name.slice(file.name.lastIndexOf('/') + 1);
  const note = h('p', { class: 'faint' }, `Shallow sizes in ${data.files.map(base).join(', ')}. What has changed comes first.`);
  const inner = h('div');
  place.append(note, inner);
  const left = others > 0 && [`<other>: ${count(others)} more classes`, '', signed(rest[1], size), '', signed(rest[0], count), ''];
  const changed = rows.filter(row => delta(row[1]) !== 0 || delta(row[2]) !== 0).length;
  drawings.push(table(inner, columns, rows, { column: 2, down: true }, left, '', Math.min(Math.max(changed, 5), SHOWN)));
}

// ---- suspects

// One field of a card; nothing without a value.
const field = (title, value, style) =>
  value === undefined || value === '' ? [] : [h('div', {}, h('dt', {}, title), h('dd', { class: style }, value))];

// What a suspect is called, and what more there is to say: its place; waste has no place of its own, so its sentence.
function called(suspect) {
  if (suspect.level !== 'waste') return [suspect.place || suspect.class, ''];
  const [, first, rest] = suspect.text.match(/^(.*?)(?:: (.*))?$/s);
  return [first, rest ?? ''];
}

const COURSES = {
  steady: 'grows steadily',
  jumped: 'jumped once',
  stopped: 'grew, then stayed',
  slowing: 'grows ever more slowly',
  pauses: 'grows with pauses',
  wavers: 'goes up and down',
  grown: 'has grown',
};

function pathOf(suspect) {
  const path = h('div', { class: 'path' });
  // A stack begins with its outermost function.
  suspect.path.slice(data.allocations ? 1 : 0).forEach(([type, label], n) => {
    if (n > 0) path.append(' ', h('span', { class: 'arrow' }, '→'), ' ');
    if (label !== null) path.append(h('span', { class: 'edge' }, label), ' ');
    path.append(type);
  });
  return path;
}

// The amount of a suspect is: retained, wasted, in use, allocated.
const amount = suspect => suspect.level === 'waste' ? 'wasted' : data.allocations ? data.sizes.replace(/^(is|was) /, '') : 'retained';

function card(suspect, n, alone) {
  const grows = suspect.kind === 'growth', waste = suspect.level === 'waste';
  const [name, rest] = called(suspect);
  const first = h('div', { class: 'first' }, h('span', { class: 'level' }, `${n + 1}. ${suspect.level}`));
  if (grows && suspect.course) first.append(h('span', { class: 'faint' }, COURSES[suspect.course] ?? ''));
  if (suspect.cells.length > 0) {
    const show = h('button', { type: 'button' }, 'Show in the tree');
    show.addEventListener('click', () => {
      if (shown !== data.tree) present(data.tree);
      // Of several cells the picture shows all.
      zoom(suspect.cells.length > 1 ? 0 : suspect.cells[0]);
      choose(suspect.cells[0]);
      $('tree').scrollIntoView();
      $('treemap').focus({ preventScroll: true });
    });
    first.append(show);
  }
  const held = suspect.holds[0];
  let holds = '';
  if (held && held[1] > 0 && !waste) {
    holds = `${count(held[1])} ${held[0] === '(heap.allocation)' ? (held[1] > 1 ? 'objects' : 'object') : held[0]}`;
    const behind = suspect.behind.replace(/^\d+(?= )/, digits => count(Number(digits)));
    if (behind) holds += `${held[0].startsWith('(closure') ? ' ' : ' → '}${behind}`;
  }
  const what = h('div', { class: 'what' }, first,
    h('div', { class: name.length > 60 ? 'place long' : 'place', title: suspect.text }, name),
    h('dl', { class: 'fields' },
      ...(grows ? field('growth', signed(suspect.growth, size), suspect.growth > 0 ? 'delta' : '') : []),
      ...field(amount(suspect), size(suspect.retained)),
      ...field('outside the heap', suspect.external > 0 ? size(suspect.external) : ''),
      ...field(data.allocations ? 'of all' : 'of the heap', percent(suspect.share)),
      ...field('holds', holds)));
  if (rest) what.append(h('div', {}, rest));
  if (suspect.history.length > 1) {
    what.append(h('div', { class: 'history faint number' }, spark(suspect.history), suspect.history.map(size).join(' → ')));
  }
  what.append(h('div', { class: 'share', role: 'img', 'aria-label': percent(suspect.share) }, bar(suspect.share)));
  const how = h('div', { class: 'how' });
  if (suspect.callers) how.append(h('div', {}, `called by ${suspect.callers}`));
  if (suspect.number !== null && !waste) how.append(h('div', { class: 'faint' }, `${suspect.class} @${suspect.number}`));
  if (suspect.path.length > 1) {
    const parts = suspect.holds.map(([type, n, bytes]) => `${n > 0 ? `${count(n)} ` : ''}${type}: ${size(bytes)}`);
    // The only one has room beside it.
    how.append(h('details', { open: alone && innerWidth > 1100 },
      h('summary', {}, data.allocations ? 'Stack' : 'Path and parts'), pathOf(suspect),
      ...(parts.length > 0 && !waste ? [h('div', { class: 'faint' }, `made of ${parts.join(' · ')}`)] : []),
      ...(suspect.number !== null ? [alive(suspect.number)] : [])));
  }
  return h('li', { class: suspect.level }, what, how);
}

// What is said where no suspect is.
function quiet() {
  if (data.totals.size === 0) {
    const what = data.allocations ? `Nothing of this profile ${data.sizes}` : data.classes.rows.length > 0
      ? 'No object of this dump has a size' : 'No object of this dump could be read';
    return `${what}, so nothing can be judged.`;
  }
  if (data.files.length > 1) return 'Nothing stands out: no place of the program holds much or has grown by much.';
  return 'Nothing stands out: no place of the program holds much. What has grown a later dump would show.';
}

function suspects() {
  const place = document.querySelector('#suspects div');
  const rows = data.suspects.map((suspect, n) => [suspect, n]);
  const loud = rows.filter(([suspect]) => suspect.level !== 'note');
  const left = rows.filter(([suspect]) => suspect.left);
  const notes = rows.filter(([suspect]) => suspect.level === 'note' && !suspect.left);
  if (loud.length > 0) place.append(h('ol', { class: 'suspects' }, ...loud.map(([suspect, n]) => card(suspect, n, loud.length === 1))));
  else place.append(h('p', {}, quiet()));
  const list = rows => h('ol', {}, ...rows.map(([suspect, n]) => h('li', { value: n + 1 }, suspect.text.replace(/ %/g, '\u00a0%'))));
  if (left.length > 0) place.append(h('div', { class: 'notes' }, 'Classes that have grown, which no suspect explains:', list(left)));
  if (notes.length > 0) {
    const what = `${count(notes.length)} note${notes.length > 1 ? 's' : ''}: the runtime’s own, what is small or in many places`;
    place.append(h('details', { class: 'notes' }, h('summary', {}, what), list(notes)));
  }
}

// ---- the page

const themes = ['system', 'light', 'dark'];
let theme = 0;
$('theme').addEventListener('click', () => {
  theme = (theme + 1) % themes.length;
  if (theme === 0) delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = themes[theme];
  $('theme').textContent = `Theme: ${themes[theme]}`;
});

$('search').addEventListener('input', () => {
  state.query = $('search').value.trim().toLowerCase();
  drawTree();
  for (const redraw of drawings) redraw();
});
document.addEventListener('keydown', event => {
  if (event.key === '/' && !(event.target instanceof HTMLInputElement)) {
    event.preventDefault();
    $('search').focus();
  } else if (event.key === 'Escape' && event.target === $('search')) {
    $('search').value = '';
    $('search').dispatchEvent(new Event('input'));
  }
});

if (data.allocations) {
  document.querySelector('#tree h2').textContent = 'Allocations by backtrace';
  document.querySelector('nav a[href="#tree"]').textContent = 'Backtraces';
  document.querySelector('#classes h2').textContent = 'Types';
  document.querySelector('nav a[href="#classes"]').textContent = 'Types';
}
const HELD = document.querySelector('#tree h2').textContent;
if (data.totals.size === 0) hide('tree');
$('which').hidden = data.stacks === null;
$('which').addEventListener('click', () => present(shown === data.tree ? data.stacks : data.tree));
$('mode').addEventListener('click', () => { state.grown = !state.grown; showLegend(); drawTree(); });
suspects();
functions();
growth();
classes();
strings();
present(data.tree);
let drawn = innerWidth;
addEventListener('resize', () => { if (innerWidth !== drawn) { drawn = innerWidth; drawTree(); } });
})();
