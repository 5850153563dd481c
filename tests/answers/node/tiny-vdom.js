'use strict';
// Dynamic children of a component are collected in the block that is open.
const blockStack = [];
let currentBlock = null;
function openBlock() { blockStack.push(currentBlock = []); }
function closeBlock() { blockStack.pop(); currentBlock = blockStack[blockStack.length - 1] || null; }
class VNode {
  constructor(type, props, children) {
    this.type = type;
    this.props = props;
    this.children = children;
    this.dynamicChildren = null;
    if (currentBlock) currentBlock.push(this);
  }
}
exports.h = (type, props, ...children) => new VNode(type, props, children);
exports.renderComponent = (component, props) => {
  openBlock();
  const vnode = component(props);
  vnode.dynamicChildren = currentBlock;
  closeBlock();
  // A block is a dynamic child of the one around it.
  if (currentBlock) currentBlock.push(vnode);
  return vnode;
};
exports.toHtml = function toHtml(vnode) {
  if (typeof vnode === 'string') return vnode;
  const attributes = Object.entries(vnode.props).map(([name, value]) => ` ${name}="${value}"`).join('');
  return `<${vnode.type}${attributes}>${vnode.children.map(toHtml).join('')}</${vnode.type}>`;
};
