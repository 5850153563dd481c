// A page says "tomorrow" and "3 days ago" from where the visitor's clock stands; formatters are remembered by all their options (moment/luxon#600).
const { DateTime } = require('luxon');
const rounds = require('./rounds');

class Agenda {
  constructor(start, count) {
    this.meetings = Array.from({ length: count }, (_, n) => ({ title: `Meeting ${n}`, at: start.plus({ days: n % 5, hours: n }) }));
    this.shown = 0;
  }
  lines(now) {
    this.shown++;
    return this.meetings.slice(this.shown % 10, this.shown % 10 + 3).map(({ title, at }) => `${title}: ${at.toRelativeCalendar({ base: now, locale: 'de' })}`);
  }
}
const start = DateTime.fromISO('2024-03-04T08:00:00', { zone: 'utc' });
const agenda = new Agenda(start, 20);
let minutes = 0;
let characters = 0;
rounds(() => {
  for (let i = 0; i < 500; i++) characters += agenda.lines(start.plus({ minutes: minutes++ })).join('\n').length;
});
