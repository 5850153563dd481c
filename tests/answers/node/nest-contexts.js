// A runner of reports resolves its services for a context of each report, and keeps the contexts to find reports again.
const rounds = require('./rounds');
require('reflect-metadata');
const { NestFactory, ContextIdFactory } = require('@nestjs/core');
const { Module, Injectable, Scope } = require('@nestjs/common');

class ReportService { constructor() { this.cells = Array.from({ length: 60 }, (_, i) => i / 7); this.title = ''; } }
Injectable({ scope: Scope.REQUEST })(ReportService);
class AppModule {}
Module({ providers: [ReportService] })(AppModule);
const recentContexts = new Map();
let application, n = 0;
async function report() {
  const contextId = ContextIdFactory.create();
  const service = await application.resolve(ReportService, contextId);
  service.title = `report ${n}`;
  recentContexts.set(n++, contextId);
}
rounds(async () => {
  application ??= await NestFactory.createApplicationContext(AppModule, { logger: false });
  for (let i = 0; i < 300; i++) await report();
});
