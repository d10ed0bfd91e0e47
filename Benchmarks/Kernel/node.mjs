// Measures pricetag.js in Node. Prints one figure per line.
//
//     node node.mjs prices MODULE PRICES            prices with reused formatters
//     node node.mjs first MODULE STOREFRONTS        the first price of this process, from files
//     node node.mjs first-intl                      the first price of this process, with Intl

import { pathToFileURL } from "node:url";
import { firstIntlPrice, firstOwnPrice, prices } from "./bench.js";

const [what, module, pack] = process.argv.slice(2);
if (what === "first-intl") {
  console.log(firstIntlPrice().toFixed(0));
} else {
  const { PricePack } = await import("../../Bindings/JavaScript/pricetag.js");
  const load = () => PricePack.load(pathToFileURL(pack), { module: pathToFileURL(module) });
  console.log(what === "first" ? (await firstOwnPrice(load)).map((time) => time.toFixed(0)).join("\t") : prices(await load()).join("\n"));
}
