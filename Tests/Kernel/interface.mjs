// Tests pricetag.js with the pack of make_pack.py.
//
//     node interface.mjs MODULE PACK

import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { PricePack } from "../../Bindings/JavaScript/pricetag.js";

const [module, file] = process.argv.slice(2).map((path) => pathToFileURL(path));
const pack = await PricePack.load(file, { module });
const codeOf = (work) => { try { work(); return "no error"; } catch (error) { return error.code; } };

const usa = pack.formatter({ storefront: "USA" });
assert.equal(usa.currency, "USD");
assert.equal(usa.locale, "en-US");
assert.equal(usa.format("1234.50"), "$1,234.50");
assert.equal(usa.format(123450n), "$1,234.50");
assert.equal(usa.format(1234), "$1,234.00");
assert.equal(usa.spoken("1"), "1.00 US dollars");
assert.equal(usa.direction("1"), "ltr");
assert.equal(usa.formatToParts("1234.5").map((part) => `${part.type}:${part.value}`).join(" "), "symbol:$ integer:1 group:, integer:234 decimal:. fraction:50");
assert.equal(codeOf(() => usa.format(4.99)), "invalid-argument");
assert.equal(codeOf(() => usa.format("4.999")), "needs-rounding");
assert.equal(codeOf(() => usa.format("1e3")), "malformed-amount");
assert.equal(codeOf(() => usa.format("1".repeat(1000))), "amount-out-of-range");
assert.equal(codeOf(() => usa.format(2n ** 63n)), "amount-out-of-range");
assert.equal(pack.formatter({ storefront: "us", rounding: "half-even" }).format("4.999"), "$5.00");
assert.equal(pack.formatter({ storefront: "BGR", date: "2025-12-31" }).format("5"), "$5.00");
assert.equal(pack.formatter({ storefront: "BGR", date: "2026-01-01" }).format("5"), "5,00\u00a0€");
assert.equal(codeOf(() => pack.formatter({ storefront: "BGR" })), "missing-date");
assert.equal(codeOf(() => pack.formatter({ storefront: "XXX" })), "unknown-storefront");
assert.equal(codeOf(() => pack.formatter({ storefront: "USA", style: { width: "iso" } })), "missing-style");
assert.equal(codeOf(() => pack.formatter({ storefront: "USA", style: { width: "wide" } })), "invalid-argument");
assert.equal(codeOf(() => pack.formatter({ storefront: "USA", style: { digits: "0-2" } })), "missing-style");
const egypt = pack.formatter({ locale: "ar-EG", currency: "EGP" });
assert.equal(egypt.direction("1"), "rtl");
assert.equal(codeOf(() => egypt.spoken("1")), "missing-style");
assert.equal(pack.version("icu"), "1.2");
assert.equal(pack.version("x"), undefined);
await assert.rejects(PricePack.load(new Uint8Array(100), { module }), { code: "not-a-pack" });
