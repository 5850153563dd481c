// Deliveries that are scheduled and cancelled (node-schedule/node-schedule#235).
const schedule = require('node-schedule');
const rounds = require('./rounds');

let deliveries = 0;
const later = new Date(Date.now() + 86400e3);
rounds(() => {
  for (let i = 0; i < 4000; i++) {
    const id = ++deliveries;
    const job = schedule.scheduleJob(`delivery ${id}`, later, () => { deliveries--; });
    job.cancel();
  }
});
