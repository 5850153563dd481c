// Questions to a backend wait for answers that never come.
const rounds = require('./rounds');

class RpcClient {
  waiting = new Map();
  next = 0;
  call(method, params) {
    return new Promise((resolve, reject) => this.waiting.set(this.next++, { method, params, resolve, reject }));
  }
}
const rpc = new RpcClient();

async function balance(user) {
  const answer = await rpc.call('balance', { user, fields: ['a', 'b', user] });
  return answer.total;
}

rounds(round => {
  for (let i = 0; i < 700; i++) balance(`user-${round}-${i}`);
});
