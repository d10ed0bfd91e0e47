// Compares the rows of a vector file in Node, and reads each price back.
//
//     node node.mjs FOLDER MODULE      with FOLDER/vectors.tsv and the packs that it names, and pricetag-full.wasm

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PricePack } from "../../Bindings/JavaScript/pricetag.js";
import { compare } from "./vectors.js";

const [folder, file] = process.argv.slice(2);
const module = readFileSync(file);
const { report, isEqual } = await compare(
  `Node ${process.version}`,
  readFileSync(join(folder, "vectors.tsv"), "utf8"),
  (name) => PricePack.load(readFileSync(join(folder, name)), { module }),
  true,
);
console.log(report);
process.exit(isEqual ? 0 : 1);
