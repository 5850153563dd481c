// A service with TypeORM and express in its first minutes: queries are built for more and more of its entities; rows stay in the
// database, old ones are deleted.
require('reflect-metadata');
const express = require('express');
const { DataSource, EntitySchema } = require('typeorm');
const rounds = require('./rounds');

const names = ['Customer', 'Product', 'Order', 'Line', 'Invoice', 'Payment', 'Address', 'Review', 'Coupon', 'Shipment'];
const entities = names.map((name, i) => new EntitySchema({
  name,
  columns: {
    id: { type: 'int', primary: true, generated: true },
    title: { type: 'varchar' }, note: { type: 'varchar', nullable: true },
    amount: { type: 'int', default: 0 },
    made: { type: 'datetime', createDate: true },
  },
  relations: i === 0 ? {} : { parent: { type: 'many-to-one', target: names[i - 1], nullable: true, joinColumn: true, createForeignKeyConstraints: false } },
  indices: [{ columns: ['amount'] }],
}));

class Repository {
  constructor(source) { this.source = source; }

  async make(name, title) {
    const repository = this.source.getRepository(name);
    const parentName = names[names.indexOf(name) - 1];
    const parent = parentName && (await this.source.getRepository(parentName).find({ take: 1, order: { id: 'DESC' } }))[0];
    const saved = await repository.save({ title, amount: title.length, ...(parent ? { parent } : {}) });
    await repository.createQueryBuilder().delete().where('id < :id', { id: saved.id - 40 }).execute();
    return saved;
  }

  list(name, over) {
    const query = this.source.getRepository(name).createQueryBuilder('e').where('e.amount > :over', { over });
    if (name !== names[0]) query.leftJoinAndSelect('e.parent', 'parent');
    return query.orderBy('e.id', 'DESC').take(20).getMany();
  }
}

function service(repository) {
  const app = express();
  app.use(express.json());
  app.use((request, response, next) => { request.started = process.hrtime.bigint(); next(); });
  for (const name of names) {
    app.route(`/${name.toLowerCase()}s`)
      .get(async (request, response) => response.json(await repository.list(name, Number(request.query.over ?? 0))))
      .post(async (request, response) => response.status(201).json(await repository.make(name, request.body.title)));
  }
  app.use((error, request, response, next) => response.status(500).json({ error: error.message }));
  return app;
}

let base, n = 0;
rounds(async round => {
  if (!base) {
    const source = await new DataSource({ type: 'sqljs', entities, synchronize: true }).initialize();
    const server = service(new Repository(source)).listen(0);
    base = `http://localhost:${server.address().port}`;
  }
  for (let i = 0; i < 80 + 40 * round; i++) {
    // More of the kinds are in use in each round.
    const path = `${base}/${names[n++ % (4 + 2 * round)].toLowerCase()}s`;
    const made = await fetch(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ title: `thing ${n}` }) });
    if (made.status !== 201) throw new Error(await made.text());
    await (await fetch(`${path}?over=${n % 5}`)).json();
  }
});
