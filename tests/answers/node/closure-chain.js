// Each state has a way back to the one before, so that none ever goes.
const rounds = require('./rounds');

let currentState = null;
function advance(n) {
  const before = currentState;
  const values = new Array(60).fill(n);
  currentState = {
    values,
    undo() { currentState = before; },
  };
}

rounds(round => {
  for (let i = 0; i < 400; i++) advance(round * 400 + i);
});
