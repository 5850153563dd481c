// A guard notes what it decided as metadata of the controller's class, under a key of each request.
const rounds = require('./rounds');
require('reflect-metadata');

class OrderController { list() { return []; } }
class Decision { constructor(user, allowed) { this.user = user; this.allowed = allowed; this.rules = ['owner', 'role', 'tenant'].map(rule => ({ rule, allowed })); } }
class AccessGuard {
  check(request, target) {
    const decision = new Decision(request.user, true);
    Reflect.defineMetadata(`access:${request.id}`, decision, target);
    return Reflect.getMetadata(`access:${request.id}`, target).allowed;
  }
}
const guard = new AccessGuard();
rounds(round => { for (let n = 0; n < 1500; n++) guard.check({ id: `${round}-${n}`, user: { name: `user ${n}` } }, OrderController); });
