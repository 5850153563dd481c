// Readings are grouped by their device, for an average of each; a group ends with the stream, which never ends.
const rounds = require('./rounds');
const { Subject, groupBy, mergeMap, scan, filter } = require('rxjs');

class DeviceAverage {
  constructor(device) { this.device = device; this.count = 0; this.sum = 0; this.latest = []; }
  add(reading) {
    this.count++;
    this.sum += reading.value;
    this.latest.push(reading);
    if (this.latest.length > 5) this.latest.shift();
    return this;
  }
}
class TelemetryService {
  constructor() {
    this.readings$ = new Subject();
    this.alarms = 0;
    this.readings$.pipe(
      groupBy(reading => reading.device),
      mergeMap(group => group.pipe(scan((average, reading) => average.add(reading), new DeviceAverage(group.key)))),
      filter(average => average.sum / average.count > 99),
    ).subscribe(() => this.alarms++);
  }
  receive(device, value, at) { this.readings$.next({ device, value, at, unit: 'mm' }); }
}
const telemetry = new TelemetryService();
rounds(round => { for (let n = 0; n < 400; n++) for (let i = 0; i < 3; i++) telemetry.receive(`session-of-device-${round}-${n}`, n % 90 + i, i); });
