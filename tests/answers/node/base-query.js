// A query that all searches begin with is made once. A search adds its conditions to that one, where it should add them to a copy.
const rounds = require('./rounds');
const knex = require('knex')({ client: 'pg' });

class OrderSearch {
  constructor() { this.base = knex('orders').select('id', 'total').where('deleted', false); this.asked = 0; }
  by(customer, from) {
    const query = this.base.andWhere({ customer }).andWhere('placed_at', '>', from);
    this.asked++;
    return query;
  }
}
const search = new OrderSearch();
rounds(round => { for (let n = 0; n < 1500; n++) search.by(`customer-${round}-${n}`, new Date(1700000000000 + n)); });
