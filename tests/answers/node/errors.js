// Errors are kept with what they were about.
const rounds = require('./rounds');

const lastErrors = [];
class PaymentError extends Error {
  constructor(n) {
    super(`card ${n} refused`);
    this.request = { card: n, tries: new Array(20).fill(n) };
  }
}
function pay(n) {
  try {
    throw new PaymentError(n);
  } catch (error) {
    lastErrors.unshift(error);
  }
}

rounds(round => {
  for (let i = 0; i < 300; i++) pay(round * 300 + i);
});
