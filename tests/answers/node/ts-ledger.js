"use strict";
// As a compiler writes it: private fields in WeakMaps, async functions as generators. The ledger of the service only grows.
var __awaiter = (this && this.__awaiter) || function (thisArg, _arguments, P, generator) {
    function adopt(value) { return value instanceof P ? value : new P(function (resolve) { resolve(value); }); }
    return new (P || (P = Promise))(function (resolve, reject) {
        function fulfilled(value) { try { step(generator.next(value)); } catch (e) { reject(e); } }
        function rejected(value) { try { step(generator["throw"](value)); } catch (e) { reject(e); } }
        function step(result) { result.done ? resolve(result.value) : adopt(result.value).then(fulfilled, rejected); }
        step((generator = generator.apply(thisArg, _arguments || [])).next());
    });
};
var __classPrivateFieldGet = (this && this.__classPrivateFieldGet) || function (receiver, state) { return state.get(receiver); };
var _PaymentService_ledger;
Object.defineProperty(exports, "__esModule", { value: true });
const rounds_1 = require("./rounds");
class PaymentService {
    constructor() {
        _PaymentService_ledger.set(this, []);
        this.balance = 0;
    }
    pay(amount, from) {
        return __awaiter(this, void 0, void 0, function* () {
            const fee = yield Promise.resolve(amount / 100);
            __classPrivateFieldGet(this, _PaymentService_ledger).push({ amount, fee, from, at: new Date(), note: `paid by ${from}` });
            this.balance += amount - fee;
        });
    }
}
_PaymentService_ledger = new WeakMap();
const payments = new PaymentService();
(0, rounds_1)((round) => __awaiter(void 0, void 0, void 0, function* () {
    for (let i = 0; i < 800; i++)
        yield payments.pay(i, `account-${round}-${i}`);
}));
