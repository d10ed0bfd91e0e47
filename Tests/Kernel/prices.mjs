// Formats the rows of a table with a pack, as prices.c does, with the WebAssembly module; or reads the texts of a table, as readings.c
// does.
//
//     node prices.mjs MODULE PACK <prices.tsv
//     node prices.mjs MODULE PACK --read <readings.tsv

import { readFileSync } from "node:fs";

const codes = {
  1: "malformed-amount", 2: "amount-out-of-range", 3: "needs-rounding", 5: "invalid-argument",
  11: "unknown-storefront", 12: "unknown-locale", 13: "unknown-currency", 14: "missing-style", 15: "missing-formatter",
  17: "missing-plural", 21: "not-a-price", 22: "not-as-written", 23: "ambiguous-number", 24: "text-too-long",
};
const [module, file, option] = process.argv.slice(2);
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
  const size = view.getUint32(result, true), price = new TextDecoder("utf-8", { ignoreBOM: true }).decode(memory.subarray(text, text + size));
  // pricetag.wasm does not read.
  for (let mode = 0; mode < 2 && kernel.pricetag_read; mode++) {
    const read = kernel.pricetag_read(formatter, text, size, mode, result, result + 8, result + 12);
    if (read !== 0) return codes[read];
    if (view.getInt32(result + 12, true) !== -1) return "a difference";
    const formatted = kernel.pricetag_format_units(formatter, view.getBigInt64(result, true), view.getInt32(result + 8, true), 0, text + 512, 512, result);
    if (formatted !== 0) return codes[formatted];
    if (price !== new TextDecoder("utf-8", { ignoreBOM: true }).decode(memory.subarray(text + 512, text + 512 + view.getUint32(result, true)))) return "another price";
  }
  return price;
}

function reading(locale, currency, mode, escaped) {
  write(names[0], locale);
  write(names[1], currency);
  const found = kernel.pricetag_formatter_for_locale(pack, names[0], names[1], 0, result);
  if (found !== 0) throw new Error(codes[found]);
  const formatter = view.getUint32(result, true);
  const bytes = escaped.split(/(\\x..)/).flatMap((part) => part.startsWith("\\x") ? [parseInt(part.slice(2), 16)]
    : [...new TextEncoder().encode(part.replace(/\\u\{(\w+)\}/g, (_, digits) => String.fromCodePoint(parseInt(digits, 16))))]);
  memory.set(bytes, text);
  const status = kernel.pricetag_read(formatter, text, bytes.length, Number(mode), result, result + 8, result + 12);
  return [status === 0 ? `${view.getBigInt64(result, true)} ${view.getInt32(result + 8, true)}` : codes[status], view.getInt32(result + 12, true)];
}

for (const line of readFileSync(0, "utf8").split("\n").slice(0, -1)) {
  const fields = line.split("\t").slice(0, 4);
  console.log(line.startsWith("#") ? line : [...fields, option === "--read" ? reading(...fields) : price(...fields)].flat().join("\t"));
}
