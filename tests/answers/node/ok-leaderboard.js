// The best 500 scores, ever better ones, and the last 200 games, each with more moves.
const rounds = require('./rounds');
class Score { constructor(player, points) { this.player = player; this.points = points; this.badges = [player]; } }
const board = { best: [] , last: new Array(200).fill(null) };
let n = 0;
rounds(async round => { for (let i = 0; i < 1500; i++, n++) { board.best.push(new Score(`p${n}`, n)); if (board.best.length > 500) board.best.shift(); board.last[n % 200] = { game: n, moves: Array.from({ length: 10 + 6 * round }, (_, m) => ({ m, n })) }; } });
