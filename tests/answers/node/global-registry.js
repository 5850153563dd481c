// Widgets are put on the global object and stay there.
const rounds = require('./rounds');

global.__widgets = {};
function Widget(id) {
  this.id = id;
  this.state = { open: false, rows: new Array(20).fill(id) };
}

rounds(round => {
  for (let i = 0; i < 900; i++) global.__widgets[`widget_${round}_${i}`] = new Widget(i);
});
