// A registry of finalisation holds its values as long as the targets live, and the target is the configuration.
const rounds = require('./rounds');

const configuration = { name: 'shop' };
const watchdog = new FinalizationRegistry(value => value.close());
class Handle {
  constructor(n) {
    this.buffers = new Array(40).fill(n);
  }
  close() {}
}

rounds(round => {
  for (let i = 0; i < 600; i++) watchdog.register(configuration, new Handle(i));
});
