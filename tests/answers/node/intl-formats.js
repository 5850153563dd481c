// Formats of numbers and dates by locale, currency, and the zone and number of the user.
const rounds = require('./rounds');

const formatsByUser = {};
function formats(user) {
  return formatsByUser[user.id] ||= {
    money: new Intl.NumberFormat(user.locale, { style: 'currency', currency: user.currency }),
    date: new Intl.DateTimeFormat(user.locale, { timeZone: user.zone, dateStyle: 'long' }),
  };
}

let n = 0;
rounds(async () => {
  for (let i = 0; i < 250; i++, n++) {
    const user = { id: `user-${n}`, locale: ['en', 'de', 'fr'][n % 3], currency: ['USD', 'EUR'][n % 2], zone: 'UTC' };
    const { money } = formats(user);
    money.format(12.5);
  }
});
