// A service of NestJS, one for the whole process, remembers each request in a field.
require('reflect-metadata');
const rounds = require('./rounds');
const http = require('http');
const { NestFactory } = require('@nestjs/core');
const { Module, Controller, Get, Injectable, Inject, Param } = require('@nestjs/common');

class PriceQuote {
  constructor(sku) { this.sku = sku; this.steps = Array.from({ length: 8 }, (_, n) => ({ from: n, price: n * 3.5 })); }
}
class QuoteService {
  constructor() { this.quotesGiven = []; }
  quote(sku) {
    const quote = new PriceQuote(sku);
    this.quotesGiven.push(quote);
    return quote;
  }
}
Injectable()(QuoteService);
class QuoteController {
  constructor(quotes) { this.quotes = quotes; }
  get(sku) { return this.quotes.quote(sku); }
}
Inject(QuoteService)(QuoteController, undefined, 0);
Param('sku')(QuoteController.prototype, 'get', 0);
Get('quote/:sku')(QuoteController.prototype, 'get', Object.getOwnPropertyDescriptor(QuoteController.prototype, 'get'));
Controller()(QuoteController);
class AppModule {}
Module({ controllers: [QuoteController], providers: [QuoteService] })(AppModule);

let app;
const agent = new http.Agent({ keepAlive: true, maxSockets: 4 });
const get = path => new Promise((resolve, reject) => {
  http.get({ port: app.getHttpServer().address().port, path, agent }, r => r.resume().on('end', resolve)).on('error', reject);
});
let n = 0;
rounds(async () => {
  if (!app) {
    app = await NestFactory.create(AppModule, { logger: false });
    await app.listen(0); app.getHttpServer().keepAliveTimeout = 60000;
  }
  for (let i = 0; i < 400; i++) await get(`/quote/sku-${n++}`);
});
