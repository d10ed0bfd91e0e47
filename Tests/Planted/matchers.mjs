// Prints the codes that toDisplayPrice finds in the rows of hosts.py, with a pack and with a file of expectations.
//
//     node matchers.mjs KERNEL FOLDER DAY
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const [kernel, folder, date] = process.argv.slice(2);
const { priceMatchers } = createRequire(import.meta.url)(`${kernel}/expect.cjs`);
const { PricePack } = await import(`${kernel}/pricetag.js`);
const rows = JSON.parse(readFileSync(`${folder}/rows.json`, "utf8"));
const module = readFileSync(`${kernel}/pricetag-full.wasm`);
const pack = await PricePack.load(readFileSync(`${folder}/store.pack`), { module });
const expectations = JSON.parse(readFileSync(`${folder}/prices.json`, "utf8"));
const codes = (source, options) => {
  const { toDisplayPrice } = priceMatchers(source);
  return rows.map(({ text, storefront, amount }) => {
    const result = toDisplayPrice(text, { storefront, amount, ...options });
    return result.pass ? "" : result.code;
  });
};
console.log(JSON.stringify({ pack: codes({ pack }, { date }), expectations: codes({ expectations }) }));
