// A logger of winston is asked to time each job, and is not asked again when the job fails.
const rounds = require('./rounds');
const winston = require('winston');

const jobLog = winston.createLogger({ silent: true, transports: [new winston.transports.Console({ silent: true })] });
function runJob(name) {
  jobLog.profile(name);
  if (name.length > 3) return 'failed';
  jobLog.profile(name);
  return 'done';
}
rounds(async round => {
  for (let n = 0; n < 4000; n++) runJob(`nightly import of the shop with number ${round}-${n}`);
});
