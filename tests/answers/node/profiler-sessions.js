// Slow requests are looked at by a session with the inspector. The sessions are not disconnected.
const rounds = require('./rounds');
const inspector = require('inspector');

class RequestProbe {
  constructor(request) {
    this.request = request;
    this.marks = Array.from({ length: 20 }, (_, n) => ({ n, text: `mark ${n} of ${request}` }));
    this.session = new inspector.Session();
    this.session.connect();
    this.session.on('Runtime.consoleAPICalled', message => this.marks.push(message));
  }
  look() { return new Promise(resolve => this.session.post('Runtime.evaluate', { expression: '1 + 1' }, (error, result) => resolve(result))); }
}
class ReportServer {
  constructor() { this.slow = 0; }
  async answer(request) {
    const probe = new RequestProbe(request);
    await probe.look();
    this.slow++;
  }
}
const reports = new ReportServer();
rounds(async round => { for (let n = 0; n < 120; n++) await reports.answer(`/reports/${round}/${n}`); });
