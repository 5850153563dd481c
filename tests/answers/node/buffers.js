// Uploads stay in an array; their bytes are outside the heap.
const rounds = require('./rounds');

class Upload {
  constructor(n) {
    this.name = `photo${n}.jpg`;
    this.data = Buffer.alloc(30_000, n & 255);
  }
}
const recentUploads = [];

rounds(round => {
  for (let i = 0; i < 60; i++) recentUploads.push(new Upload(round * 60 + i));
});
