// What the programs have in common.
// Writes a snapshot to the file that the command line names.
exports.write = () => require('v8').writeHeapSnapshot(process.argv[2]);
// A text of this length in one piece.
exports.text = (of, length) => Buffer.alloc(length, of).toString('latin1');
