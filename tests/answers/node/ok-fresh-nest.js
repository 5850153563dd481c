// A Nest service in its first minutes: controllers that are first asked for later, pipes that validate, providers for a request.
require('reflect-metadata');
const { Module, Controller, Get, Post, Body, Param, Injectable, Inject, Scope, UseInterceptors, ValidationPipe } = require('@nestjs/common');
const { NestFactory, REQUEST } = require('@nestjs/core');
const { IsString, IsInt, Min, Length } = require('class-validator');
const { map } = require('rxjs');
const rounds = require('./rounds');

// What TypeScript makes of decorators.
const decorate = (decorators, target, key) => Reflect.decorate(decorators, target, key, key ? Object.getOwnPropertyDescriptor(target, key) : undefined);
const parameter = (index, decorator) => (target, key) => decorator(target, key, index);
const types = list => Reflect.metadata('design:paramtypes', list);

class Wrap {
  intercept(context, next) { return next.handle().pipe(map(data => ({ data, at: context.getHandler().name }))); }
}
decorate([Injectable()], Wrap);

class Session {
  constructor(request) { this.user = request.headers['x-user']; this.notes = []; }
}
decorate([Injectable({ scope: Scope.REQUEST }), parameter(0, Inject(REQUEST)), types([Object])], Session);

class AddOrder {}
decorate([IsString(), Length(2, 40), Reflect.metadata('design:type', String)], AddOrder.prototype, 'article');
decorate([IsInt(), Min(1), Reflect.metadata('design:type', Number)], AddOrder.prototype, 'amount');

function feature(name) {
  class Store {
    constructor() { this.last = []; }
    add(item) {
      this.last.push({ ...item, name, id: `${name}-${this.last.length}` });
      if (this.last.length > 25) this.last.shift();
      return this.last.at(-1);
    }
    find(id) { return this.last[Number(id) % 25] ?? { id, missing: true }; }
  }
  decorate([Injectable()], Store);
  class FeatureController {
    constructor(store, session) { this.store = store; this.session = session; }
    find(id) { this.session.notes.push(id); return this.store.find(id); }
    add(order) { return this.store.add({ ...order, user: this.session.user }); }
  }
  decorate([Get(':id'), parameter(0, Param('id')), types([String])], FeatureController.prototype, 'find');
  decorate([Post(), parameter(0, Body()), types([AddOrder])], FeatureController.prototype, 'add');
  decorate([Controller(name), UseInterceptors(Wrap), types([Store, Session])], FeatureController);
  class FeatureModule {}
  decorate([Module({ controllers: [FeatureController], providers: [Store, Session] })], FeatureModule);
  return FeatureModule;
}

const names = ['orders', 'stock', 'customers', 'invoices', 'mails', 'reviews', 'coupons', 'reports', 'images', 'returns'];
class AppModule {}
decorate([Module({ imports: names.map(feature) })], AppModule);

let base, n = 0;
rounds(async round => {
  if (!base) {
    const app = await NestFactory.create(AppModule, { logger: false });
    app.useGlobalPipes(new ValidationPipe({ transform: true, whitelist: true }));
    await app.listen(0);
    base = (await app.getUrl()).replace('[::1]', 'localhost');
  }
  for (let i = 0; i < 150 + 100 * round; i++) {
    const path = `${base}/${names[n++ % (4 + 2 * round)]}`;
    const body = JSON.stringify({ article: n % 11 === 0 ? 'x' : `chair ${n}`, amount: n % 4 + 1 });
    const added = await fetch(path, { method: 'POST', headers: { 'Content-Type': 'application/json', 'x-user': `u${n % 30}` }, body });
    await added.json();
    await (await fetch(`${path}/${n % 40}`)).json();
  }
});
