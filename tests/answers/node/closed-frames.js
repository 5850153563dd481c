// Tests of a page that shows previews in frames and takes them away (jsdom/jsdom#4276).
const { JSDOM } = require('jsdom');
const rounds = require('./rounds');

const { window } = new JSDOM('<!doctype html><main id="previews"></main>', { url: 'http://localhost/' });
const previews = window.document.getElementById('previews');
rounds(() => {
  for (let i = 0; i < 12; i++) {
    const frame = window.document.createElement('iframe');
    previews.append(frame);
    frame.contentDocument.title = `preview ${i}`;
    frame.remove();
  }
});
