// Formats the rows of a table with a pack, as prices.c does, with the WebAssembly module.
//
//     node prices.mjs MODULE PACK <prices.tsv

import { readFileSync } from "node:fs";

const codes = {
  1: "malformed-amount", 2: "amount-out-of-range", 3: "needs-rounding", 5: "invalid-argument",
  11: "unknown-storefront", 12: "unknown-locale", 13: "unknown-currency", 14: "missing-style", 15: "missing-formatter",
  17: "missing-plural",
};
const [module, file] = process.argv.slice(2);
const { instance: { exports: kernel } } = await WebAssembly.instantiate(readFileSync(module));
const bytes = readFileSync(file);

// The pack and the arguments are after the module's own data.
const pack = (kernel.__heap_base.value + 7) & ~7;
const [result, amount, text] = [0, 64, 512].map((offset) => pack + bytes.length + 16 + offset);
const names = [128, 256].map((offset) => result + offset);
const missing = text + 1024 - kernel.memory.buffer.byteLength;
if (missing > 0) kernel.memory.grow(Math.ceil(missing / 65536));
const memory = new Uint8Array(kernel.memory.buffer);
const view = new DataView(kernel.memory.buffer);
memory.set(bytes, pack);
const status = kernel.pricetag_pack_open(pack, bytes.length, result);
if (status !== 0) throw new Error(`pricetag_pack_open: ${status}`);

function write(place, string) {
  const encoded = new TextEncoder().encode(string + "\0");
  memory.set(encoded, place);
  return encoded.length - 1;
}

function price(locale, currency, decimal, rounding) {
  write(names[0], locale);
  write(names[1], currency);
  const found = kernel.pricetag_formatter_for_locale(pack, names[0], names[1], 0, result);
  if (found !== 0) return codes[found];
  const formatter = view.getUint32(result, true);
  const length = write(amount, decimal);
  const status = kernel.pricetag_format(formatter, amount, length, Number(rounding), text, 512, result);
  if (status !== 0) return codes[status];
  return new TextDecoder().decode(memory.subarray(text, text + view.getUint32(result, true)));
}

for (const line of readFileSync(0, "utf8").split("\n").slice(0, -1)) {
  const fields = line.split("\t").slice(0, 4);
  console.log(line.startsWith("#") ? line : [...fields, price(...fields)].join("\t"));
}
