// Formats prices of every storefront from a pack with phrases, with a module that was built before packs had phrases. The present module
// must write the same prices from the same pack without phrases.
//
//     node earlier.mjs FOLDER EARLIER_MODULE MODULE    with FOLDER/phrases.pack and FOLDER/prices.pack

import { readFileSync } from "node:fs";
import { PricePack } from "../../Bindings/JavaScript/pricetag.js";

const [folder, earlier, present] = process.argv.slice(2);
const amounts = ["0", "1", "-1", "4.99", "-1234.50", "1200", "99999999.99", "123456789012345.67"];

async function prices(name, module) {
  const pack = await PricePack.load(readFileSync(`${folder}/${name}.pack`), { module: readFileSync(module) });
  return pack.storefronts.flatMap((storefront) => {
    const formatter = pack.formatter({ storefront, date: "2026-06-30", rounding: "half-even" });
    return amounts.map((amount) => `${storefront} ${amount}: ${formatter.format(amount)}, ${formatter.spoken(amount)}`);
  });
}

const [found, expected] = [await prices("phrases", earlier), await prices("prices", present)];
const differences = expected.filter((price, index) => price !== found[index]);
console.log(`Node, a module before phrases: ${found.length} prices, ${differences.length} differences`);
for (const price of differences.slice(0, 5)) console.log(`  ${price}\n  ${found[expected.indexOf(price)]}`);
process.exit(differences.length === 0 && found.length === expected.length && found.length > 0 ? 0 : 1);
