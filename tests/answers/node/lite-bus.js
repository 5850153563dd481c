"use strict";class t{static o=new Map;static on(e,n){let r=t.o.get(e);r||t.o.set(e,r=new Set);r.add(n)}static fire(e,n){for(const r of t.o.get(e)||[])r(n)}}exports.Bus=t;
