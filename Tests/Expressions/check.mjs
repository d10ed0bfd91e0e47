// Matches the texts of FOLDER/texts.tsv with the regular expressions of FOLDER/prices.json, without and with the flag u.
//
//     node check.mjs FOLDER

import { createReadStream, readFileSync } from "node:fs";

const folder = process.argv[2];
const read = (name) => JSON.parse(readFileSync(`${folder}/${name}`, "utf8"));
const entries = read("prices.json").storefronts;
const expressions = Object.fromEntries(
  Object.entries(entries).map(([id, entry]) => [id, ["strict", "lenient"].map((mode) => ["", "u"].map((flags) => new RegExp(entry[mode], flags)))]),
);
const unescape = { "\\n": "\n", "\\r": "\r", "\\t": "\t", "\\\\": "\\" };
let [texts, failures, slowest] = [0, 0, 0];
// The lines end with a line feed only: U+2028 is a part of some texts.
let rest = "";
function check(line) {
  const [id, strict, lenient, escaped] = line.split("\t");
  const text = escaped.replace(/\\./g, (escape) => unescape[escape]);
  texts++;
  [strict, lenient].forEach((expected, mode) => {
    for (const pattern of expressions[id][mode]) {
      if (pattern.test(text) === (expected === "1")) continue;
      if (++failures <= 20) console.log(`${id} ${["strict", "lenient"][mode]} expected ${expected}: ${JSON.stringify(text)}`);
    }
  });
}
for await (const chunk of createReadStream(`${folder}/texts.tsv`, "utf8")) {
  const lines = (rest + chunk).split("\n");
  rest = lines.pop();
  lines.forEach(check);
}
for (const [id, pair] of Object.entries(expressions)) {
  for (const pattern of pair.flat()) {
    // One more alternative that matches nothing gives the number of groups.
    if (new RegExp(`${pattern.source}|`, pattern.flags).exec("").length !== entries[id].groups.length + 1) failures++;
    for (const text of read("hostile.json")) {
      // The best of three, because other programs run too.
      const times = [1, 2, 3].map(() => {
        const start = performance.now();
        if (pattern.test(text)) failures++;
        return performance.now() - start;
      });
      slowest = Math.max(slowest, Math.min(...times));
    }
  }
}
console.log(`Node ${process.version}: ${texts} texts, ${failures} failures; slowest hostile text ${slowest.toFixed(2)} ms`);
process.exit(failures > 0 || slowest > 10 ? 1 : 0);
