// An import writes by the entity manager of the program, not by one of its own; what was loaded is managed for ever.
const rounds = require('./rounds');

class Entity { constructor(data) { Object.assign(this, data); Object.defineProperty(this, '__meta', { value: { original: { ...data }, dirty: false }, enumerable: false }); } }
class Author extends Entity {}
class Book extends Entity {}
class IdentityMap {
  constructor() { this.registry = new Map(); }
  store(entity) {
    const type = entity.constructor.name;
    if (!this.registry.has(type)) this.registry.set(type, new Map());
    this.registry.get(type).set(entity.id, entity);
    return entity;
  }
  get(type, id) { return this.registry.get(type.name)?.get(id); }
}
class UnitOfWork {
  constructor() { this.identityMap = new IdentityMap(); this.persistStack = new Set(); }
  commit() { for (const entity of this.persistStack) entity.__meta.dirty = false; this.persistStack.clear(); }
}
class EntityManager {
  constructor() { this.unitOfWork = new UnitOfWork(); }
  create(Type, data) {
    const entity = this.unitOfWork.identityMap.get(Type, data.id) ?? this.unitOfWork.identityMap.store(new Type(data));
    this.unitOfWork.persistStack.add(entity);
    return entity;
  }
  flush() { this.unitOfWork.commit(); }
}
const orm = { em: new EntityManager(), settings: { pool: 5 } };
rounds(round => {
  for (let n = 0; n < 300; n++) {
    const author = orm.em.create(Author, { id: round * 300 + n, name: `author ${n}`, books: [] });
    for (let b = 0; b < 4; b++) author.books.push(orm.em.create(Book, { id: author.id * 4 + b, title: `book ${b}`, author }));
    orm.em.flush();
  }
});
