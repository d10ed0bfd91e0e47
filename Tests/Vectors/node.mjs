// Compares the rows of a vector file in Node, and reads each price back.
//
//     node node.mjs FOLDER MODULE [SCRIPT]    with FOLDER/vectors.tsv and the packs that it names, and pricetag-full.wasm; the script
//                                             compares the rows (vectors.js)

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { PricePack } from "../../Bindings/JavaScript/pricetag.js";

const [folder, file, script = new URL("vectors.js", import.meta.url).pathname] = process.argv.slice(2);
const { compare } = await import(pathToFileURL(script));
const module = readFileSync(file);
const { report, isEqual } = await compare(
  `Node ${process.version}`,
  readFileSync(join(folder, "vectors.tsv"), "utf8"),
  (name) => PricePack.load(readFileSync(join(folder, name)), { module }),
  true,
);
console.log(report);
process.exit(isEqual ? 0 : 1);
