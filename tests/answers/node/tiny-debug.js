'use strict';
// Loggers by name, that can be switched on and off while the program runs.
function createDebug(namespace) {
  function debug(...words) {
    if (!debug.enabled) return;
    process.stderr.write(`${namespace} ${words.join(' ')}\n`);
  }
  debug.namespace = namespace;
  debug.enabled = createDebug.matches(namespace);
  debug.color = [...namespace].reduce((sum, letter) => (sum + letter.charCodeAt(0)) % 7, 0);
  createDebug.instances.push(debug);
  return debug;
}
createDebug.instances = [];
createDebug.matches = () => false;
createDebug.enable = () => { for (const debug of createDebug.instances) debug.enabled = true; };
module.exports = createDebug;
