// The matcher in Jest with modules, and with a pack: PRICETAG_PACK, which make_pack.py has written.

import { join } from "node:path";
import { fileURLToPath } from "node:url";

const { priceMatchers } = await import("../../Bindings/JavaScript/expect.cjs");
const { PricePack } = await import("../../Bindings/JavaScript/pricetag.js");
const folder = fileURLToPath(new URL("../../.build/kernel/", import.meta.url));
const pack = await PricePack.load(process.env.PRICETAG_PACK, { module: join(folder, "pricetag-full.wasm") });
const matchers = priceMatchers({ pack });
expect.extend(matchers);

test("a storefront, a date and a currency", () => {
  expect("49,99\u00a0\u20ac").toDisplayPrice({ storefront: "DEU", amount: "49.99" });
  expect("$5.00").toDisplayPrice({ storefront: "BGR", amount: "5", date: "2025-12-31" });
  expect("5,00\u00a0\u20ac").toDisplayPrice({ storefront: "BGR", amount: 500n, date: "2026-01-01" });
  expect("1,200 coins").toDisplayPrice({ storefront: "USA", amount: "1200", currency: "RKT" });
  expect(() => matchers.toDisplayPrice("$5.00", { storefront: "BGR", amount: "5" })).toThrow("pass the date");
});

test("a failure", () => {
  expect(() => expect("49,98\u00a0\u20ac").toDisplayPrice({ storefront: "DEU", amount: "49.99" })).toThrow("the displayed text is another amount, 49.98");
  expect("49,98\u00a0\u20ac").not.toDisplayPrice({ storefront: "DEU", amount: "49.99" });
});
