// A NestJS server under steady load, with a provider for each request.
require('reflect-metadata');
const rounds = require('./rounds');
const http = require('http');
const { NestFactory } = require('@nestjs/core');
const { Module, Controller, Get, Injectable, Inject, Param, Scope } = require('@nestjs/common');

class RequestState { constructor() { this.steps = []; } }
Injectable({ scope: Scope.REQUEST })(RequestState);
class ItemController {
  constructor(state) { this.state = state; }
  get(id) { this.state.steps.push(id); return { id, steps: this.state.steps.length }; }
}
Inject(RequestState)(ItemController, undefined, 0);
Param('id')(ItemController.prototype, 'get', 0);
Get('item/:id')(ItemController.prototype, 'get', Object.getOwnPropertyDescriptor(ItemController.prototype, 'get'));
Controller()(ItemController);
class AppModule {}
Module({ controllers: [ItemController], providers: [RequestState] })(AppModule);
let app, n = 0;
const agent = new http.Agent({ keepAlive: true, maxSockets: 4 });
const get = path => new Promise((resolve, reject) => {
  http.get({ port: app.getHttpServer().address().port, path, agent }, r => r.resume().on('end', resolve)).on('error', reject);
});
rounds(async () => {
  if (!app) { app = await NestFactory.create(AppModule, { logger: false }); await app.listen(0); app.getHttpServer().keepAliveTimeout = 60000; }
  for (let i = 0; i < 300; i++) await get(`/item/${n++}`);
});
