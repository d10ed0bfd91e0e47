// Reads changed prices with the WebAssembly module, as fuzz_reads.c does with the C library: no call may trap, and an amount that was
// read is written as a text with the same digits, which is read as this amount.
//
//     node fuzz_reads.mjs MODULE PACK COUNT [SEED]

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

const [module, file, count, seed = "1"] = process.argv.slice(2);
const { instance: { exports: kernel } } = await WebAssembly.instantiate(readFileSync(module));
const bytes = readFileSync(file);
const pack = (kernel.__heap_base.value + 15) & ~15, text = (pack + bytes.length + 31) & ~15, price = text + 8192, result = price + 2048;
kernel.memory.grow(Math.ceil((result + 64 - kernel.memory.buffer.byteLength) / 65536) + 1);
const memory = new Uint8Array(kernel.memory.buffer), view = new DataView(kernel.memory.buffer);
memory.set(bytes, pack);
assert.equal(kernel.pricetag_pack_open(pack, bytes.length, result), 0);
const section = (index) => [view.getUint32(pack + 32 + 8 * index, true), view.getUint32(pack + 36 + 8 * index, true)];
const [formatters, formatterCount] = section(10);

let state = BigInt(seed) * 0x9e3779b97f4a7c15n | 1n;
function random(limit) {
  state = BigInt.asUintN(64, state ^ (state << 13n));
  state ^= state >> 7n;
  state = BigInt.asUintN(64, state ^ (state << 17n));
  return Number(state % BigInt(limit));
}
const pieces = [" ", "\u00a0", "\u202f", "'", "\u2019", "`", ",", ".", "\uff0c", "\uff0e", "-", "\u2212", "(", ")", "\u200f", "\u202e", "\u200b", "\ufeff", "0", "1", "9",
  "\u0660", "\u066b", "\u066c", "\u0967", "\u4e00", "\u{1d7e3}", "$", "\uff04", "\u00a5", "\uffe5", "\u00a3", "\u20ac", "US", "USD", "EUR", "JPY", "CHF", "A"]
  .map((piece) => [...new TextEncoder().encode(piece)]).concat([[1], [2], [3], [0x80], [0xc2], [0xf0, 0x9d], [0xff]]);

function read(formatter, place, length, mode) {
  view.setInt32(result + 12, -77, true);
  const status = kernel.pricetag_read(formatter, place, length, mode, result, result + 8, result + 12);
  const units = view.getBigInt64(result, true), exponent = view.getInt32(result + 8, true), difference = view.getInt32(result + 12, true);
  assert.ok([0, 2, 21, 22, 23, 24].includes(status) && difference >= -1 && difference <= length, `status ${status}, difference ${difference}`);
  return { status, units, exponent, difference };
}
const format = (formatter, units, exponent, rounding, place) => kernel.pricetag_format_units(formatter, units, exponent, rounding, place, 1024, result) === 0 ? view.getUint32(result, true) : -1;
const bytesAt = (place, length) => Buffer.from(memory.slice(place, place + length));
const isSame = (first, second) => first.units * 10n ** BigInt(second.exponent) === second.units * 10n ** BigInt(first.exponent);

let lenientReads = 0;
for (let round = 0; round < Number(count); round++) {
  const formatter = pack + formatters + 16 * random(formatterCount);
  const units = BigInt.asIntN(64, random(3) ? BigInt(random(1e8)) * (random(4) ? 1n : -1n) : state);
  let length = Math.max(0, format(formatter, units, random(3) ? kernel.pricetag_formatter_digits(formatter) : random(19), 1, text));
  for (let left = random(4); left > 0; left--) {
    // Often only a space.
    const piece = random(4) ? pieces[random(random(2) ? 3 : pieces.length)] : [], at = random(length + 1);
    const removed = Math.min(random(2) ? 0 : random(3), length - at);
    memory.copyWithin(text + at + piece.length, text + at + removed, text + length);
    memory.set(piece, text + at);
    length += piece.length - removed;
  }
  if (random(1000) === 0) length = memory.fill(pieces[random(pieces.length)][0], text, text + 4096) && 4096 + random(2);
  const strict = read(formatter, text, length, 0), lenient = read(formatter, text, length, 1);
  if (strict.status === 0) assert.ok(lenient.status === 0 && strict.difference === -1 && isSame(strict, lenient));
  if (lenient.status !== 0) continue;
  lenientReads += strict.status === 0 ? 0 : 1;
  const written = format(formatter, lenient.units, lenient.exponent, 0, price);
  assert.ok(written > 0 && (lenient.difference === -1) === bytesAt(text, length).equals(bytesAt(price, written)));
  const again = read(formatter, price, written, 0);
  assert.ok(again.status === 0 && isSame(again, lenient));
}
console.log(`${count} changed prices in WebAssembly: ${lenientReads} read leniently only, no trap`);
