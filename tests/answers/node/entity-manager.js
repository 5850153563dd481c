"use strict";
// What a compiler of TypeScript makes of a small mapper of objects: one EntityManager serves the whole process, and its identity map is
// cleared by nobody.
var __classPrivateFieldGet = (this && this.__classPrivateFieldGet) || function (receiver, state, kind, f) {
    if (kind === "a" && !f) throw new TypeError("Private accessor was defined without a getter");
    return kind === "m" ? f : kind === "a" ? f.call(receiver) : f ? f.value : state.get(receiver);
};
var __classPrivateFieldSet = (this && this.__classPrivateFieldSet) || function (receiver, state, value, kind, f) {
    return (kind === "a" ? f.call(receiver, value) : f ? f.value = value : state.set(receiver, value)), value;
};
var _EntityManager_identityMap, _EntityManager_dirty;
Object.defineProperty(exports, "__esModule", { value: true });
exports.em = exports.EntityManager = exports.Invoice = exports.Account = void 0;
const rounds = require("./rounds");
class Account {
    constructor(id, owner) {
        this.id = id;
        this.owner = owner;
        this.balance = 0;
    }
}
exports.Account = Account;
class Invoice {
    constructor(id, account) {
        this.id = id;
        this.account = account;
        this.lines = [];
        this.paid = false;
    }
}
exports.Invoice = Invoice;
class EntityManager {
    constructor(rows) {
        _EntityManager_identityMap.set(this, void 0);
        _EntityManager_dirty.set(this, void 0);
        this.rows = rows;
        __classPrivateFieldSet(this, _EntityManager_identityMap, new Map(), "f");
        __classPrivateFieldSet(this, _EntityManager_dirty, new Set(), "f");
    }
    find(type, id) {
        const key = `${type.name}#${id}`;
        let entity = __classPrivateFieldGet(this, _EntityManager_identityMap, "f").get(key);
        if (!entity) {
            entity = this.rows(type, id, this);
            __classPrivateFieldGet(this, _EntityManager_identityMap, "f").set(key, entity);
        }
        return entity;
    }
    persist(entity) { __classPrivateFieldGet(this, _EntityManager_dirty, "f").add(entity); }
    flush() { __classPrivateFieldGet(this, _EntityManager_dirty, "f").clear(); }
}
exports.EntityManager = EntityManager;
_EntityManager_identityMap = new WeakMap(), _EntityManager_dirty = new WeakMap();
exports.em = new EntityManager((type, id, em) => {
    if (type === Account)
        return new Account(id, `owner ${id}`);
    const invoice = new Invoice(id, em.find(Account, id % 60));
    for (let n = 0; n < 1 + id % 4; n++)
        invoice.lines.push({ article: `article ${n}`, cents: id * 3 + n });
    return invoice;
});
let last = 0;
rounds(async () => {
    for (let n = 0; n < 1500; n++) {
        const invoice = exports.em.find(Invoice, last++);
        invoice.paid = true;
        invoice.account.balance += invoice.lines.reduce((sum, line) => sum + line.cents, 0);
        exports.em.persist(invoice);
        if (n % 25 === 24) {
            exports.em.flush();
            await new Promise(done => setImmediate(done));
        }
    }
});
