// A chat makes a namespace for each meeting, and never removes one.
const rounds = require('./rounds');
const http = require('http');
const { Server } = require('socket.io');

const server = http.createServer();
const io = new Server(server);
class MeetingLog { constructor(id) { this.id = id; this.entries = Array.from({ length: 20 }, (_, i) => ({ i, text: `m${id}-${i}` })); } }
let n = 0;
function startMeeting() {
  const meeting = io.of(`/meeting-${n++}`);
  const log = new MeetingLog(n);
  meeting.on('connection', socket => { socket.on('say', text => log.entries.push({ text })); });
  meeting.emit('started', log.id);
}
rounds(() => { for (let i = 0; i < 200; i++) startMeeting(); });
