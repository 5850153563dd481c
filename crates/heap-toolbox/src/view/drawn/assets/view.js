'use strict';
// Draws the page from the data beside it. Texts of the heap become text nodes only.
(() => {
const data = JSON.parse(document.getElementById('data').textContent);
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

const count = n => n.toLocaleString('en-US');
function size(bytes) {
  const sign = bytes < 0 ? '−' : '';
  let value = Math.abs(bytes), unit = 0;
  if (value < 1024) return sign + value;
  // What would round to 1024 belongs to the next unit.
  do { value /= 1024; unit++; } while (value >= 1023.5 && unit < 6);
  return sign + (value < 99.95 ? value.toFixed(1) : Math.round(value)) + 'KMGTPE'[unit - 1];
}
const signed = (n, form) => (n > 0 ? '+' : '') + form(n);
const percent = part => `${(part * 100).toFixed(1)} %`;
// In less room a class loses its package first: `HashMap` for `java.util.HashMap`.
function brief(text, most) {
  if (text.length <= most) return text;
  const word = text.split(' ', 1)[0];
  const dot = word.startsWith('(') ? -1 : word.lastIndexOf('.');
  return shorten(dot > 0 && dot + 1 < word.length ? text.slice(dot + 1) : text, most);
}
const shorten = (text, most) => text.length > most ? text.slice(0, Math.max(most - 1, 0)) + '…' : text;

// The colour of a type name, the same everywhere and in pictures of heap-view --svg: FNV-1a over UTF-16 units.
function hue(name) {
  let hash = 0x811c9dc5;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  return (hash >>> 0) % 10;
}

// ---- the tree

const { names, parent, name, size: sizes, own, count: counts, other, closed, labels, numbers } = data.tree;
const cells = parent.length;
const isOther = new Set(other), isClosed = new Set(closed);
const below = Array.from({ length: cells }, () => []);
for (let i = 1; i < cells; i++) below[parent[i]].push(i);
const whole = sizes[0] || 1;
const title = i => {
  const label = labels[i];
  const text = names[name[i]];
  if (isOther.has(i)) return `${text} ${count(counts[i])}`;
  const many = counts[i] > 1 && !data.allocations ? ` ×${count(counts[i])}` : '';
  return label === undefined ? text + many : `${text} ${label}`;
};
const cellClass = i => isOther.has(i) ? 'other' : `h${hue(names[name[i]])}`;

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

const state = { top: 0, chosen: 0, query: '', pointer: '' };
const matches = i => {
  const { query } = state;
  return names[name[i]].toLowerCase().includes(query) || (labels[i] ?? '').toLowerCase().includes(query);
};

function draw(svg, places, width, height) {
  svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
  svg.setAttribute('height', height);
  const parts = places.map(([i, x, y, w, h]) => {
    const group = s('g', { class: state.query && !matches(i) ? 'dim' : undefined });
    const chosen = i === state.chosen && i !== state.top ? ' chosen' : '';
    group.append(s('rect', { x: x.toFixed(1), y: y.toFixed(1), width: w.toFixed(1), height: h.toFixed(1),
      class: cellClass(i) + chosen, 'data-cell': i }));
    const room = Math.floor((w - 6) / 6.8);
    if (room >= 3 && h >= 13) {
      const bytes = size(sizes[i]), text = title(i);
      const both = text.length + bytes.length + 2 <= room ? `${text}  ${bytes}` : brief(text, room);
      group.append(s('text', { x: (x + 4).toFixed(1), y: (y + 11.5).toFixed(1) }, both));
    }
    return group;
  });
  svg.replaceChildren(...parts);
}

function drawTree() {
  const box = $('treemap').parentElement.clientWidth || 800;
  const width = Math.max(box, 320), height = Math.round(Math.min(Math.max(width * .42, 260), 620));
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

function showDetails() {
  const i = state.chosen;
  const lines = [h('div', {}, h('span', { class: `swatch ${cellClass(i)}` }), h('b', {}, title(i)), ' ',
    h('span', { class: 'number' }, `${size(sizes[i])}, ${percent(sizes[i] / whole)} of the heap`))];
  const facts = [];
  if (i === 0) {
    facts.push(data.allocations ? 'everything that was allocated' : 'everything that the roots keep alive');
  } else if (isOther.has(i)) {
    facts.push(`${count(counts[i])} smaller ones together; they have no cells of their own`);
  } else {
    if (data.allocations) facts.push(`${count(counts[i])} allocations`);
    else facts.push(counts[i] === 1 ? 'one object' : `${count(counts[i])} objects of this type`);
    facts.push(`${size(own[i])} of its own`);
    if (below[i].length > 0) facts.push(`${count(below[i].length)} cells below`);
    if (isClosed.has(i) && sizes[i] > own[i]) facts.push(`what hangs below it (${size(sizes[i] - own[i])}) has no cells`);
  }
  lines.push(h('div', { class: 'faint' }, facts.join(' · ')));
  if (numbers[i] !== undefined && i > 0) {
    lines.push(h('div', { class: 'faint' }, 'Why is it alive: ',
      h('code', {}, `heap-path --id @${numbers[i]} ${data.files[data.files.length - 1].name}`)));
  }
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

// A table that can be sorted and searched. `columns`: {title, kind, value, show, search}; `rest`: cells of a last row.
function table(place, columns, rows, sort, rest, nothing) {
  let { column: by, down } = sort, most = SHOWN;
  const redraw = () => {
    const query = state.query;
    const fits = row => columns.some(c => c.search && String(c.value(row)).toLowerCase().includes(query));
    const found = query ? rows.filter(fits) : rows.slice();
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
        [by, down] = [n, n === by ? !down : c.kind === 'number'];
        redraw();
        place.querySelectorAll('th button')[n].focus();
      });
      return h('th', { scope: 'col', class: c.kind, 'aria-sort': sorted },
        c.plain ? c.title : button);
    }));
    const body = found.slice(0, most).map(row => h('tr', {}, ...columns.map(c => h('td', { class: c.kind }, c.show(row)))));
    if (rest && !query) body.push(h('tr', { class: 'rest' }, ...rest.map((text, n) => h('td', { class: columns[n].kind }, text))));
    const parts = [];
    if (found.length === 0) parts.push(h('p', { class: 'faint' }, query ? `None with “${query}”.` : nothing));
    else parts.push(h('div', { class: 'wide' }, h('table', {}, h('thead', {}, head), h('tbody', {}, ...body))));
    if (found.length > most) {
      const all = h('button', { type: 'button' }, `Show all ${count(found.length)}`);
      all.addEventListener('click', () => { most = Infinity; redraw(); });
      parts.push(h('p', { class: 'more' }, `${count(most)} of ${count(found.length)} rows. `, all));
    }
    place.replaceChildren(...parts);
  };
  redraw();
  return redraw;
}

const swatch = text => h('span', { class: `swatch h${hue(text)}` });
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

function classes() {
  const { rows, others, rest } = data.classes;
  const known = rows.some(row => row[3] !== null);
  const all = data.totals.size || 1;
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
  drawings.push(table(place, columns, rows, { column: known ? 3 : 2, down: true }, last, 'No classes.'));
}

function strings() {
  const { rows, others, wasted } = data.strings;
  const columns = [
    { title: 'text', kind: 'text', search: true, value: row => row[0], show: row => h('span', {}, row[0] + (row[5] ? '…' : '')) },
    { title: 'count', kind: 'number', value: row => row[1], show: row => count(row[1]) },
    { title: 'length', kind: 'number', value: row => row[4], show: row => count(row[4]) },
    { title: 'size', kind: 'number', value: row => row[3], show: row => size(row[3]) },
    { title: 'wasted', kind: 'number', value: row => row[2], show: row => size(row[2]) },
  ];
  const last = others > 0 && [`<other>: ${count(others)} more texts`, '', '', '', size(wasted)];
  const nothing = data.allocations ? 'A dump of allocations has no strings.' : 'No text is in more than one string.';
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
    { title: 'size', kind: 'line', plain: true, value: row => last(row[2]), show: row => spark(row[2]) },
    { title: 'change', kind: 'number', value: row => delta(row[2]), show: row => grown(delta(row[2]), size) },
    { title: 'from – to', kind: 'number', value: row => last(row[2]), show: row => `${size(row[2][0])} – ${size(last(row[2]))}` },
    { title: 'count, change', kind: 'number', value: row => delta(row[1]), show: row => grown(delta(row[1]), count) },
    { title: 'from – to', kind: 'number', value: row => last(row[1]),
      show: row => `${count(row[1][0])} – ${count(last(row[1]))}` },
  ];
  const place = document.querySelector('#growth div');
  const note = h('p', { class: 'faint' }, `Shallow sizes in ${data.files.map(file => file.name).join(', ')}.`);
  const inner = h('div');
  place.append(note, inner);
  const left = others > 0 && [`<other>: ${count(others)} more classes`, '', signed(rest[1], size), '', signed(rest[0], count), ''];
  drawings.push(table(inner, columns, rows, { column: 2, down: true }, left, ''));
}

// ---- suspects

function suspects() {
  const place = document.querySelector('#suspects div');
  if (data.suspects.length === 0) {
    place.append(h('p', { class: 'faint' }, data.allocations
      ? 'A dump of allocations does not say what keeps its objects alive: see its backtraces below.'
      : 'No object and no class retains a twentieth of the heap, apart from the virtual machine’s own.'));
    return;
  }
  const cellOf = new Map(Object.entries(numbers).map(([i, number]) => [number, Number(i)]));
  const items = data.suspects.map(suspect => {
    // A number and its % stay together.
    const text = suspect.text.replace(/ %/g, '\u00a0%');
    const first = h('div', { class: 'first' }, h('div', { class: 'sentence' }, text));
    const item = h('li', { class: suspect.runtime ? 'runtime' : undefined }, first);
    const share = h('div', { class: 'share', role: 'img', 'aria-label': percent(suspect.share) }, bar(suspect.share));
    item.append(share);
    if (suspect.path.length > 0) {
      const path = h('div', { class: 'path' });
      suspect.path.forEach(([type, label], n) => {
        if (n > 0) path.append(' ', h('span', { class: 'arrow' }, '→'), ' ');
        if (label !== null) path.append(h('span', { class: 'edge' }, label), ' ');
        path.append(type);
      });
      item.append(path);
    }
    // A class in many places holds itself, as its sentence says.
    if (suspect.holds.length > 0 && suspect.path.length > 0) {
      const held = suspect.holds.map(([type, n, bytes]) => `${count(n)} ${type}: ${size(bytes)}`);
      item.append(h('div', { class: 'faint' }, `made of ${held.join(' · ')}`));
    }
    const cell = cellOf.get(suspect.number);
    if (cell !== undefined) {
      const show = h('button', { type: 'button' }, 'Show in the tree');
      show.addEventListener('click', () => { zoom(cell); $('tree').scrollIntoView(); $('treemap').focus(); });
      first.append(show);
    }
    return item;
  });
  place.append(h('ol', { class: 'suspects' }, ...items));
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
}
$('tree-note').textContent = data.note;
suspects();
growth();
classes();
strings();
drawTree();
let drawn = innerWidth;
addEventListener('resize', () => { if (innerWidth !== drawn) { drawn = innerWidth; drawTree(); } });
})();
