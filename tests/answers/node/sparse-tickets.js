// Tickets are kept by their number, which is large and far from the next.
const rounds = require('./rounds');

const ticketsByNumber = [];
const sell = number => { ticketsByNumber[number] = { number, seat: `row ${number % 40}`, price: 12.5 + number % 10 }; };

rounds(round => {
  for (let i = 0; i < 1500; i++) sell((round * 1500 + i) * 7919 + 11);
});
