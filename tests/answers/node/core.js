// Loaded before a program: what would be a snapshot is a core of the process, packed.
const v8 = require('v8');
const fs = require('fs');
const { execFileSync } = require('child_process');

v8.writeHeapSnapshot = path => {
  const base = path.replace(/\.heapsnapshot$/, '');
  execFileSync('gcore', ['-o', base, process.pid], { stdio: 'ignore' });
  execFileSync('zstd', ['-q', '-1', '-f', '--rm', `${base}.${process.pid}`, '-o', `${base}.core.zst`], { stdio: 'ignore' });
};
