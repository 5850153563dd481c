// A source has a tap for each viewer. Viewers go, taps stay piped.
const rounds = require('./rounds');
const { PassThrough } = require('stream');

const liveVideo = new PassThrough();
liveVideo.setMaxListeners(0);
class Viewer {
  constructor(n) {
    this.tap = new PassThrough();
    this.tap.viewer = this;
    this.settings = new Array(20).fill(n);
    liveVideo.pipe(this.tap);
  }
}

rounds(round => {
  for (let i = 0; i < 60; i++) new Viewer(i);
});
