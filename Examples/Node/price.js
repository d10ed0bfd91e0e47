// Formats the prices of a storefront with a pack.
//
//     node price.js PACK STOREFRONT AMOUNT...
//
// The pack comes from `pricetag pack -o store.pack`.
import { PricePack, PriceTagError } from "pricetag";

const [path, storefront, ...amounts] = process.argv.slice(2);
if (amounts.length === 0) {
  console.error("usage: node price.js PACK STOREFRONT AMOUNT...");
  process.exit(2);
}
try {
  const pack = await PricePack.load(path);
  // The date decides the currency of a storefront that has changed it.
  const formatter = pack.formatter({ storefront, date: "2026-01-31" });
  for (const amount of amounts) {
    console.log(`${"text".padEnd(12)} ${formatter.format(amount)}`);
    console.log(`${"spoken".padEnd(12)} ${formatter.spoken(amount)}`);
  }
} catch (error) {
  if (!(error instanceof PriceTagError)) throw error;
  console.error(`price: ${error.message} (${error.code})`);
  process.exitCode = 1;
}
