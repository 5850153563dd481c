// Each tenant has tables with its name in front. Its models are defined when a request of it comes, and stay with the one connection of the program.
const rounds = require('./rounds');
const { Sequelize, DataTypes } = require('sequelize');

const sequelize = new Sequelize({ dialect: 'sqlite', dialectModule: { Database: class {} }, logging: false });
class TenantModels {
  constructor(tenant) {
    this.Invoice = sequelize.define(`${tenant}_invoice`, { number: DataTypes.STRING, total: DataTypes.INTEGER, paid: DataTypes.BOOLEAN });
    this.Line = sequelize.define(`${tenant}_line`, { text: DataTypes.STRING, amount: DataTypes.INTEGER });
    this.Invoice.hasMany(this.Line, { foreignKey: 'invoiceId' });
  }
  draft(number) { return this.Invoice.build({ number, total: 0, paid: false }); }
}
let drafts = 0;
rounds(round => {
  for (let n = 0; n < 40; n++) {
    const models = new TenantModels(`t${round}_${n}`);
    drafts += models.draft(`2026-${n}`).get('paid') ? 0 : 1;
  }
});
