// The assertion with Node's own runner: the cases of cases.json with a pack, then with expectations.
//
//     PRICETAG_PACK=… node --test expect.mjs

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { priceAssertion, priceMatchers } from "../../Bindings/JavaScript/expect.cjs";
import { PricePack } from "../../Bindings/JavaScript/pricetag.js";

const json = (name) => JSON.parse(readFileSync(new URL(name, import.meta.url)));
const module = (name) => fileURLToPath(new URL(`../../.build/kernel/${name}.wasm`, import.meta.url));
const pack = await PricePack.load(process.env.PRICETAG_PACK, { module: module("pricetag-full") });

for (const [name, source] of [["a pack", { pack }], ["expectations", { expectations: json("prices.json") }]]) {
  const assertPrice = priceAssertion(source);
  for (const [key, rows] of Object.entries(json("cases.json"))) {
    const [storefront, amount] = key.split(" ");
    test(`${key} with ${name}`, () => {
      for (const [text, code] of rows) {
        if (code === null) assertPrice(text, { storefront, amount });
        else assert.throws(() => assertPrice(text, { storefront, amount }), { name: "AssertionError", code, actual: text }, JSON.stringify(text));
      }
    });
  }
}

test("a locator", async () => {
  const assertPrice = priceAssertion({ pack });
  await assertPrice({ textContent: async () => " $4.99\n" }, { storefront: "USA", amount: "4.99" });
  await assert.rejects(assertPrice({ textContent: async () => "$4.98" }, { storefront: "USA", amount: "4.99" }), { code: "amount", message: /another amount, 4\.98/ });
});

test("codes that only a pack gives", () => {
  const { toDisplayPrice } = priceMatchers({ pack });
  assert.equal(toDisplayPrice(`$${"9".repeat(40)}`, { storefront: "USA", amount: "4.99" }).code, "amount-out-of-range");
  assert.equal(toDisplayPrice("x".repeat(5000), { storefront: "USA", amount: "4.99" }).code, "text-too-long");
});

test("a module that does not read", async () => {
  const assertPrice = priceAssertion({ pack: await PricePack.load(process.env.PRICETAG_PACK, { module: module("pricetag") }) });
  assertPrice("$4.99", { storefront: "USA", amount: "4.99" });
  assert.throws(() => assertPrice("$4.98", { storefront: "USA", amount: "4.99" }), { code: "unusable-module" });
});

test("named packs, beside the module", async () => {
  const { PricePack } = await import(new URL("../../.build/kernel/pricetag.js", import.meta.url));
  const format = async (name, amount, style) =>
    (await PricePack.load(name)).formatter({ storefront: "HUN", ...style }).format(amount).replaceAll("\u00a0", " ");
  assert.equal(await format("cldr-42", "1234"), "1 234,00 Ft");
  assert.equal(await format("cldr-48", "1234"), "1234 Ft");
  assert.equal(await format("cldr-48", "1234.5", { digits: "minor-units" }), "1234,50 Ft");
  await assert.rejects(PricePack.load("cldr-47"), { code: "invalid-pack", fix: /^use cldr-42 or cldr-48,/ });
  await assert.rejects(PricePack.load("./cldr-48"), { code: "unreadable-file" });
});
