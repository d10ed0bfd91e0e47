// Measures pricetag.js in Node. Prints one figure per line.
//
//     node node.mjs prices MODULE PRICES            prices with reused formatters
//     node node.mjs phrases MODULE PRICES           phrases with prices
//     node node.mjs first MODULE STOREFRONTS        the first price of this process, from files
//     node node.mjs first-intl                      the first price of this process, with Intl

import { pathToFileURL } from "node:url";
import { firstIntlPrice, firstOwnPrice, phrases, prices } from "./bench.js";

const [what, module, pack] = process.argv.slice(2);
if (what === "first-intl") {
  console.log(firstIntlPrice().toFixed(0));
} else {
  const { PricePack } = await import("../../Bindings/JavaScript/pricetag.js");
  if (what === "phrases") await import("../../Bindings/JavaScript/phrases.js");
  const load = () => PricePack.load(pathToFileURL(pack), { module: pathToFileURL(module) });
  if (what === "first") console.log((await firstOwnPrice(load)).map((time) => time.toFixed(0)).join("\t"));
  else console.log((what === "phrases" ? phrases : prices)(await load()).join("\n"));
}
