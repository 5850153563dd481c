'use strict';
// A hot tokenizer and tree builder: inheritance, generators, string slices, a prototype chain three deep.
const v8 = require('v8');
class Node { constructor(kind) { this.kind = kind; this.kids = []; } add(node) { this.kids.push(node); return node; } }
class Leaf extends Node { constructor(text) { super('leaf'); this.text = text; } }
class Call extends Node { constructor(name) { super('call'); this.name = name; } }
class Token { constructor(kind, text) { this.kind = kind; this.text = text; } }
class Trees { constructor() { this.kept = []; } }
const trees = new Trees();
function* tokens(source) { for (let i = 0; i < source.length; i++) { const c = source[i]; if (c === '(' || c === ')') yield new Token(c, c); else if (c !== ' ') { let j = i; while (j < source.length && !'() '.includes(source[j])) j++; yield new Token('word', source.slice(i, j)); i = j - 1; } } }
function parse(source) { const root = new Call('root'); const open = [root]; for (const token of tokens(source)) { const top = open[open.length - 1]; if (token.kind === '(') open.push(top.add(new Call('call'))); else if (token.kind === ')') open.pop(); else top.add(new Leaf(token.text)); } return root; }
const source = '(add (mul first-operand second-operand) (sub third-operand-is-long fourth))';
for (let r = 0; r < 12000; r++) { const tree = parse(source); if (r % 10 === 0) trees.kept.push(tree); }
// Compilers that still work hold what they read.
globalThis.kept = trees;
setTimeout(() => { gc(); v8.writeHeapSnapshot(process.argv[2]); process.abort(); }, 300);
