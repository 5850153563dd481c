// Imports are checked by rules on the columns of their file, so that each gets a class of its own. The library keeps the rules of all classes.
const rounds = require('./rounds');
const { validateSync, IsString, Length, IsOptional, Min } = require('class-validator');

class ImportCheck {
  constructor() { this.wrong = 0; }
  rulesOf(columns) {
    class Row { constructor(values) { Object.assign(this, values); } }
    for (const column of columns) {
      IsOptional()(Row.prototype, column);
      if (column.startsWith('text')) { IsString()(Row.prototype, column); Length(1, 40)(Row.prototype, column); }
      else Min(0)(Row.prototype, column);
    }
    return Row;
  }
  check(columns, rows) {
    const Row = this.rulesOf(columns);
    for (const values of rows) this.wrong += validateSync(new Row(values)).length;
  }
}
const imports = new ImportCheck();
rounds(round => {
  for (let n = 0; n < 120; n++) {
    const columns = ['text_name', 'text_city', 'amount', 'weight', 'text_note'];
    imports.check(columns, [{ text_name: `customer ${n}`, text_city: 'Ulm', amount: n, weight: -1 }, { text_name: '', amount: round }]);
  }
});
