// A queue of work as a linked list, which is filled faster than it is drained.
const { write, text } = require('./write.js');
class Task {
  constructor(id) { this.id = id; this.input = text('input ' + id, 600); this.next = null; }
}
class WorkQueue {
  constructor() { this.head = this.tail = null; this.length = 0; }
  push(task) {
    if (this.tail) this.tail.next = task; else this.head = task;
    this.tail = task;
    this.length++;
  }
}
const backlog = new WorkQueue();
globalThis.worker = { backlog };
for (let i = 0; i < 2000; i++) backlog.push(new Task(i));
write();
