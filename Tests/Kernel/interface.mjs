// Tests pricetag.js with the pack of make_pack.py, and the files of its package.
//
//     node interface.mjs MODULE PACK FULL-MODULE

import assert from "node:assert/strict";
import { mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import * as exported from "../../Bindings/JavaScript/pricetag.js";

const { PricePack, PriceTagError } = exported;
const [module, file, full] = process.argv.slice(2).map((path) => pathToFileURL(path));
const pack = await PricePack.load(file, { module });
const codeOf = (work) => { try { work(); return "no error"; } catch (error) { return error.code; } };

const usa = pack.formatter({ storefront: "USA" });
assert.equal(usa.currency, "USD");
assert.equal(usa.locale, "en-US");
assert.equal(usa.format("1234.50"), "$1,234.50");
assert.equal(usa.format(123450n), "$1,234.50");
assert.equal(usa.format(1234), "$1,234.00");
assert.equal(usa.spoken("1"), "1.00 US dollars");
assert.equal(usa.direction("1"), "ltr");
assert.equal(usa.formatToParts("1234.5").map((part) => `${part.type}:${part.value}`).join(" "), "symbol:$ integer:1 group:, integer:234 decimal:. fraction:50");
assert.equal(codeOf(() => usa.format(4.99)), "invalid-argument");
assert.equal(codeOf(() => usa.format("4.999")), "needs-rounding");
assert.equal(codeOf(() => usa.format("1e3")), "malformed-amount");
assert.equal(codeOf(() => usa.format("1".repeat(1000))), "amount-out-of-range");
assert.equal(codeOf(() => usa.format(2n ** 63n)), "amount-out-of-range");
assert.equal(pack.formatter({ storefront: "us", rounding: "half-even" }).format("4.999"), "$5.00");
assert.equal(pack.formatter({ storefront: "BGR", date: "2025-12-31" }).format("5"), "$5.00");
assert.equal(pack.formatter({ storefront: "BGR", date: "2026-01-01" }).format("5"), "5,00\u00a0€");
assert.equal(codeOf(() => pack.formatter({ storefront: "BGR" })), "missing-date");
assert.equal(codeOf(() => pack.formatter({ storefront: "XXX" })), "unknown-storefront");
assert.equal(codeOf(() => pack.formatter({ storefront: "USA", width: "formal" })), "missing-style");
assert.equal(codeOf(() => pack.formatter({ storefront: "USA", width: "wide" })), "invalid-argument");
assert.equal(codeOf(() => pack.formatter({ storefront: "USA", digits: "0-2" })), "missing-style");
const egypt = pack.formatter({ locale: "ar-EG", currency: "EGP" });
assert.equal(egypt.direction("1"), "rtl");
assert.equal(codeOf(() => egypt.spoken("1")), "missing-style");
assert.deepEqual(pack.storefronts, ["BGR", "DEU", "JPN", "USA"]);
assert.deepEqual(pack.currencies, ["CHF", "CNY", "EGP", "EUR", "INR", "JPY", "RKT", "USD"]);
assert.equal(pack.version("icu"), "1.2");
assert.equal(pack.version("x"), undefined);
await assert.rejects(PricePack.load(new Uint8Array(100), { module }), { code: "not-a-pack" });
const damaged = readFileSync(file);
damaged[200] ^= 1;
await assert.rejects(PricePack.load(damaged, { module }), { code: "damaged-pack" });

/** Returns the pack with a unit in its second style, that of the width iso. */
function withUnit(unit) {
  const bytes = new Uint8Array(readFileSync(file)), view = new DataView(bytes.buffer), styles = view.getUint32(32 + 8 * 8, true);
  bytes.set(new TextEncoder().encode(unit), styles + 32 + 20);
  let checksum = 0xcbf29ce484222325n;
  for (let start = 0; start <= bytes.length; start += 8) {
    if (start === 16) continue;
    const word = new Uint8Array(8);
    word.set(bytes.subarray(start, start + 8));
    checksum ^= new DataView(word.buffer).getBigUint64(0, true);
    checksum = BigInt.asUintN(64, (checksum << 29n) | (checksum >> 35n));
    checksum = BigInt.asUintN(64, checksum * 0x100000001b3n);
  }
  view.setBigUint64(16, checksum, true);
  return bytes;
}

// Sources: addresses, bytes, parts of buffers, compiled modules.
const bytes = readFileSync(file);
const shifted = new Uint8Array(bytes.length + 3);
shifted.set(bytes, 3);
const compiled = new WebAssembly.Module(readFileSync(module));
for (const source of [file, file.href, bytes, new Uint8Array(bytes).buffer, shifted.subarray(3), new DataView(shifted.buffer, 3)]) {
  for (const code of [module, module.href, readFileSync(module), compiled]) {
    const loaded = await PricePack.load(source, { module: code });
    assert.equal(loaded.formatter({ storefront: "USA" }).format("1"), "$1.00");
  }
}
// Paths: no character is special. Another pack is where a URL would lead.
const place = mkdtempSync(join(tmpdir(), "pricetag #%41?"));
const other = process.cwd();
for (const name of ["a#b", "a", "a?b", "100%", "%41", " a", "a b", "\u00e9", "c:", "a+b:"]) {
  mkdirSync(join(place, name));
  writeFileSync(join(place, name, "store.pack"), name === "a" ? "" : bytes);
}
writeFileSync(join(place, "c:d"), bytes);
process.chdir(place);
for (const path of ["a#b/store.pack", "a?b/store.pack", "100%/store.pack", "%41/store.pack", " a/store.pack", "a b/store.pack", "\u00e9/store.pack",
  "./c:/store.pack", "c:d", "./a+b:/store.pack", "a/../a#b/store.pack", join(place, "a#b/store.pack")]) {
  assert.equal((await PricePack.load(path, { module })).formatter({ storefront: "USA" }).format("1"), "$1.00", path);
  assert.equal((await PricePack.load(pathToFileURL(path), { module })).formatter({ storefront: "USA" }).format("1"), "$1.00", path);
}
for (const path of ["", " ", "a", "a#c/store.pack", " file:///a", "\0", "//", "a\nb"]) {
  await assert.rejects(PricePack.load(path, { module }), { name: "PriceTagError", code: "unreadable-file" }, JSON.stringify(path));
}
process.chdir(other);
rmSync(place, { recursive: true });
const server = createServer((request, response) => {
  // A response that ends before its last byte.
  if (request.url === "/half.pack") {
    response.writeHead(200, { "Content-Length": bytes.length });
    response.write(bytes.subarray(0, 100), () => response.destroy());
    return;
  }
  response.statusCode = request.url === "/small.pack" ? 200 : 404;
  response.end(request.url === "/small.pack" ? bytes : "");
});
await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
const origin = `http://127.0.0.1:${server.address().port}`;
assert.equal((await PricePack.load(`${origin}/small.pack`, { module })).formatter({ storefront: "USA" }).format("1"), "$1.00");
await assert.rejects(PricePack.load(new URL("/other.pack", origin), { module }), { code: "unreadable-file", message: /404/ });
await assert.rejects(PricePack.load(`${origin}/half.pack`, { module }), { code: "unreadable-file" });
// If both fail, one error is reported, and no rejection stays unhandled, which would end this process.
await assert.rejects(PricePack.load(`${origin}/other.pack`, { module: new Uint8Array(8) }), { code: "unusable-module" });
await assert.rejects(PricePack.load(new URL("no-such.pack", file), { module: `${origin}/other.wasm` }), { code: "unreadable-file" });
server.close();
await assert.rejects(PricePack.load(new URL("no-such.pack", file), { module }), { code: "unreadable-file" });
await assert.rejects(PricePack.load(file, { module: new Uint8Array(8) }), { code: "unusable-module", fix: /wasm-unsafe-eval/ });
// Addresses that are none, and schemes that cannot be fetched.
for (const address of ["http://", "http://[", "x-unknown:a", "http://127.0.0.1:1/a", "", 5, null, undefined, {}, Symbol("a"), new URL("ftp://a/b")]) {
  await assert.rejects(PricePack.load(address, { module }), { name: "PriceTagError", code: "unreadable-file", fix: "check the address" });
  if (address == null) continue;
  await assert.rejects(PricePack.load(file, { module: address }), { name: "PriceTagError", fix: /./ });
}
// Modules that are not the kernel: without exports, with an import, and with a memory that cannot grow.
const wasm = (...sections) => Uint8Array.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, ...sections]);
const onePage = wasm(
  5, 4, 1, 1, 1, 1, 6, 6, 1, 0x7f, 0, 0x41, 0, 0x0b,
  7, 24, 2, 6, ...Buffer.from("memory"), 2, 0, 11, ...Buffer.from("__heap_base"), 3, 0,
);
await assert.rejects(PricePack.load(file, { module: wasm() }), { code: "unusable-module", fix: /check the file/ });
await assert.rejects(PricePack.load(file, { module: wasm(2, 8, 1, 1, 0x61, 1, 0x62, 2, 0, 1) }), { code: "unusable-module", fix: /check the file/ });
await assert.rejects(PricePack.load(new Uint8Array(1 << 17), { module: onePage }), { code: "unusable-module", fix: "use a smaller pack" });
// A failed attempt is not cached.
await assert.rejects(PricePack.load(file, { module: new URL("no-such.wasm", module) }), { code: "unreadable-file" });

// Errors: what was wrong, where, and how to fix it.
const errorOf = (work) => { try { work(); } catch (error) { return error; } };
const fraction = errorOf(() => usa.format(4.99));
assert.ok(fraction instanceof PriceTagError && fraction instanceof Error);
assert.equal(fraction.name, "PriceTagError");
assert.equal(fraction.message, '4.99 is a number, which may not be exact; write text, such as "4.99", or minor units, such as 499n');
assert.equal(errorOf(() => usa.format("4.999")).message, '"4.999": the amount has more decimals than are displayed; pass a rounding mode such as half-even to allow rounding');
assert.equal(errorOf(() => pack.formatter({ storefront: "XXX" })).message, '"XXX": the pack does not have the storefront; write the pack with --storefronts and this storefront');
assert.equal(errorOf(() => pack.formatter({ storefront: "XXX" })).fix, "write the pack with --storefronts and this storefront");
for (const [amount, problem] of [
  [undefined, "undefined is not an amount"], [null, "null is not an amount"], [true, "true is not an amount"], [Number.NaN, "NaN is not an amount"],
  [-Infinity, "-Infinity is not an amount"], [{}, "the object is not an amount"], [Object.create(null), "the object is not an amount"],
  [() => 1, "the function is not an amount"], [Symbol("1"), "Symbol(1) is not an amount"], [0.5, "0.5 is a number, which may not be exact"],
  [2 ** 53, "9007199254740992 is a number, which may not be exact"],
  [10n ** 1000000n, "the bigint: the amount is out of range"], [2n ** 63n, "the bigint: the amount is out of range"],
]) {
  for (const method of ["format", "formatToParts", "spoken", "direction"]) assert.ok(errorOf(() => usa[method](amount)).message.startsWith(`${problem}; `), problem);
}
assert.ok(errorOf(() => pack.formatter({ storefront: "USA", width: 10n ** 1000000n })).message.length < 200);
for (const amount of [Number.NaN, Infinity, 2 ** 53, 0.5, null, undefined, {}, [], true, Symbol("1"), new Date(0)]) {
  for (const method of ["format", "formatToParts", "spoken", "direction"]) assert.equal(codeOf(() => usa[method](amount)), "invalid-argument");
}
for (const amount of ["", " 1", "1 ", "1,5", "\u0661", "1\0", "\u0131", "0x1", "+", "1.", ".5", "NaN", "\ud83d\ude00", `1${" ".repeat(100)}`]) {
  for (const method of ["format", "formatToParts", "spoken", "direction"]) assert.equal(codeOf(() => usa[method](amount)), "malformed-amount", JSON.stringify(amount));
}
assert.equal(usa.format(-0), "$0.00");
assert.equal(usa.format("-0"), "$0.00");
assert.equal(usa.format(-(2n ** 63n)), "-$92,233,720,368,547,758.08");
assert.equal(usa.format(2n ** 63n - 1n), "$92,233,720,368,547,758.07");

// Options.
const rejected = [
  [{}, "invalid-argument"], [{ locale: "en-US" }, "invalid-argument"], [{ currency: "USD" }, "invalid-argument"],
  [{ storefront: "USA", locale: "en-US" }, "invalid-argument"], [{ storefront: "USA", width: 0 }, "invalid-argument"],
  [{ storefront: "USA", digits: "19" }, "invalid-argument"], [{ storefront: "USA", digits: "2-1" }, "invalid-argument"],
  [{ storefront: "USA", digits: 1.5 }, "invalid-argument"], [{ storefront: "USA", colour: "red" }, "invalid-argument"],
  [{ storefront: "USA", constructor: "red" }, "invalid-argument"], [{ storefront: "USA", toString: 1 }, "invalid-argument"],
  [{ storefront: "USA", rounding: "nearest" }, "invalid-argument"], [{ storefront: "USA", date: "2026-1-1" }, "malformed-date"],
  [{ storefront: "USA", numbering: "thainumber" }, "missing-style"], [{ storefront: "USA", unit: "kg" }, "missing-style"],
  [{ storefront: "USA\0B" }, "unknown-storefront"], [{ storefront: "A".repeat(300) }, "unknown-storefront"],
  [{ storefront: "USA\u20ac" }, "unknown-storefront"], [{ storefront: "" }, "unknown-storefront"], [{ storefront: 5 }, "unknown-storefront"],
  [{ storefront: "USA", currency: "EUR" }, "currency-mismatch"], [{ locale: "en-US", currency: "XTS" }, "unknown-currency"],
  [{ locale: "xx", currency: "USD" }, "unknown-locale"], [{ locale: "ja-JP", currency: "USD" }, "missing-formatter"],
];
for (const [options, code] of rejected) assert.equal(codeOf(() => pack.formatter(options)), code, JSON.stringify(options));
assert.equal(pack.formatter({ storefront: "usa", width: undefined, currency: "usd" }).currency, "USD");
for (const date of ["2026-99-99", "2026-02-30", "2025-02-29", "2026-04-31", "2026-01-00", "2026-00-01", "0000-01-01", "", "2026", "2026-01",
  "2026-01-01T00:00Z", "+002026-01-01", " 2026-01-01", "Jan 1 2026", 20260101, null, true, new Date(0), Symbol("1"), {}]) {
  assert.equal(codeOf(() => pack.formatter({ storefront: "BGR", date })), "malformed-date", String(date));
}
for (const date of ["0001-01-01", "2024-02-29", "2000-02-29", "2025-12-31"]) assert.equal(pack.formatter({ storefront: "BGR", date }).currency, "USD");
assert.equal(pack.formatter({ storefront: "BGR", date: "9999-12-31" }).currency, "EUR");

// The unit of a style, as the command's options spell it and as packs do.
for (const [unit, ...spellings] of [
  ["kg"], ["m2", "m²"], ["cm3", "cm³"], ["100 mL", "100ml", "100 ml", "100mL"], ["L", "l"], ["dL", "dl"], ["gal"],
  ["fl oz", "floz", "fl. oz."], ["100floz", "100 fl oz", "100 floz"], ["sq ft", "ft²", "ft2"], ["100sqft", "100 sq ft", "100 ft²"],
]) {
  const units = await PricePack.load(withUnit(unit), { module });
  for (const spelling of [unit, ...spellings]) {
    assert.equal(units.formatter({ locale: "en-US", currency: "USD", width: "iso", unit: spelling }).format("1"), "USD\u00a01.00", spelling);
  }
  for (const other of ["oz", `${unit}2`]) {
    assert.equal(codeOf(() => units.formatter({ locale: "en-US", currency: "USD", width: "iso", unit: other })), "missing-style", other);
  }
}
for (const unit of [5, null, Symbol("kg"), "a".repeat(1000), "\u0161"]) assert.equal(codeOf(() => pack.formatter({ storefront: "USA", unit })), "missing-style");
const bulgaria = pack.formatter({ storefront: "BGR", date: "2026-01-01" });
assert.equal(bulgaria.currency, "EUR");
// A custom currency beside the storefront's own. It has no minor unit.
const coins = pack.formatter({ storefront: "USA", currency: "rkt" });
assert.equal(coins.format("5"), "5 coins");
assert.equal(`${coins.currency} ${coins.locale}`, "RKT en-US");
assert.equal(codeOf(() => coins.format(5n)), "invalid-argument");
for (const [date, currency, expected] of [
  ["2025-12-31", "USD", "$5.00"], ["2025-12-31", "EUR", "currency-mismatch"],
  ["2026-01-01", "USD", "currency-mismatch"], ["2026-01-01", "EUR", "5,00\u00a0€"],
]) {
  let text;
  const code = codeOf(() => { text = pack.formatter({ storefront: "BGR", currency, date }).format("5"); });
  assert.equal(text ?? code, expected);
}
assert.equal(egypt.locale, "ar-EG");
assert.equal(errorOf(() => pack.formatter({ locale: new Intl.Locale("xx"), currency: "USD" })).message,
  '"xx", "USD": the pack does not have the price locale; write the pack with --locales and this locale');
const typed = pack.formatter({ locale: new Intl.Locale("ar-EG"), currency: { toString: () => "egp" } });
assert.equal(`${typed.format(100n)} ${typed.currency} ${typed.locale}`, `${egypt.format("1")} EGP ar-EG`);
assert.equal(pack.formatter({ locale: "AR_eg", currency: "egp" }).currency, "EGP");

// Text that needs two, three and four bytes per character, and long text.
assert.equal(egypt.format("1234.5"), "\u200f\u0661\u066c\u0662\u0663\u0664\u066b\u0665\u0660\u00a0\u062c.\u0645.\u200f");
assert.equal(pack.formatter({ locale: "ja-JP", currency: "JPY" }).format(1200), "\uffe51,200");
assert.equal(pack.formatter({ locale: "en-US sans", currency: "USD" }).format("10"), "$\u{1D7E3},\u{1D7E2}.\u{1D7E2}\u{1D7E2}");
const long = pack.formatter({ locale: "en-US long", currency: "USD" });
assert.equal(long.format("1"), `<1.${"0".repeat(18)}${"x".repeat(600)}>`);
assert.equal(long.formatToParts("1").map((part) => part.value).join(""), long.format("1"));
assert.equal(egypt.formatToParts("1234.5").map((part) => part.value).join(""), egypt.format("1234.5"));
assert.equal(usa.formatToParts(123450n).length, 6);

// Reading. The places count units of UTF-16.
const readable = await PricePack.load(file, { module: full });
const readers = Object.fromEntries([["USA", "en-US", "USD"], ["JPN", "ja-JP", "JPY"], ["DEU", "de-DE", "EUR"], ["EGY", "ar-EG", "EGP"], ["sans", "en-US sans", "USD"],
  ["coins", "en-US", "RKT"], ["long", "en-US long", "USD"]].map(([name, locale, currency]) => [name, readable.formatter({ locale, currency })]));
for (const [name, text, amount, units, difference = 0] of [
  ["USA", "$1,234.50", "1234.50", 123450n, -1], ["USA", "-$0.05", "-0.05", -5n, -1], ["USA", " $4.99", "4.99", 499n], ["USA", "$4.99\u200e", "4.99", 499n, 5],
  ["USA", "-$92,233,720,368,547,758.08", "-92233720368547758.08", -(2n ** 63n), -1], ["JPN", "\uffe51,200", "1200", 1200n, -1], ["JPN", "\u00a51,200", "1200", 1200n],
  ["DEU", "1.234,50 \u20ac", "1234.50", 123450n, 8], ["DEU", "1.234,50\u00a0EUR", "1234.50", 123450n, 9], ["EGY", "\u0661\u066c\u0662\u0663\u0664\u066b\u0665\u0660 EGP", "1234.50", 123450n],
  ["sans", "$\u{1D7E3},\u{1D7E4}.\u{1D7E2}\u{1D7E2} ", "12.00", 1200n, 11], ["coins", "1,200 coins", "1200", undefined, -1],
  ["long", readers.long.format("1.000000000000000001"), "1.000000000000000001", undefined, -1], ["long", readers.long.format("1.50"), "1.500000000000000000", 150n, -1],
]) {
  assert.deepEqual(readers[name].read(text, { lenient: true }), { amount, units, difference }, text);
  if (difference === -1) assert.deepEqual(readers[name].read(text), { amount, units, difference }, text);
  else assert.equal(errorOf(() => readers[name].read(text)).code, "not-as-written", text);
  assert.equal(readers[name].format(amount), units === undefined ? readers[name].format(amount) : readers[name].format(units));
}
for (const [name, text, code, position] of [
  ["USA", "", "not-a-price", 0], ["USA", "Free", "not-a-price", 0], ["USA", "$4", "not-as-written", 2], ["USA", "$4.999", "not-as-written", 5],
  ["USA", "\u20ac4.99", "not-as-written", 0], ["USA", "\ufeff$4.9x", "not-as-written", 5], ["USA", "\ud83d\ude00$4.99", "not-as-written", 0],
  ["USA", "$4.99\ud83d\ude00", "not-as-written", 5], ["USA", "$4.99\ud83d", "not-as-written", 5], ["USA", "$\u202e4.99", "not-as-written", 1],
  ["DEU", "1.234,50\u00a0\u20ae", "not-as-written", 9], ["DEU", "1.234,50 \u20ac \ud83d\ude00", "not-as-written", 11],
  ["USA", `$${"9".repeat(40)}.00`, "amount-out-of-range", 1], ["USA", "x".repeat(4097), "text-too-long", 4096], ["USA", "\u20ac".repeat(2000), "text-too-long", 1365],
  ["sans", "$\u{1D7E3}x", "not-as-written", 3],
]) {
  const error = errorOf(() => readers[name].read(text, { lenient: true }));
  assert.ok(error instanceof PriceTagError && error.message.includes(`, position ${position}: `), error.message);
  assert.deepEqual([error.code, error.position], [code, position], text);
}
assert.equal(errorOf(() => readers.USA.read("$4.9")).message,
  '"$4.9", position 4: the text is not what the formatter writes for any amount; correct the text at the first difference, or read it leniently');
for (const text of [4.99, 499n, null, undefined, {}, new String("$4.99")]) assert.equal(codeOf(() => readers.USA.read(text)), "invalid-argument");
assert.equal(errorOf(() => usa.read("$4.99")).code, "unusable-module");
assert.ok(errorOf(() => usa.read("$4.99")).message.includes("load pricetag-full.wasm"));

// ---- Phrases and arithmetic

const { FormattedPrice, Phrase } = await import("../../Bindings/JavaScript/phrases.js");
const shop = await PricePack.load(file, { module: full });
const stored = await PricePack.load(readFileSync(new URL("../Formats/shop-1.2.pack", import.meta.url)), { module: full });
for (const [language, text] of [["en-US", "\u2068$9.99\u2069 per month"], ["de", "\u2068$9.99\u2069 pro Monat"], ["ar", "\u2068$9.99\u2069 \u0634\u0647\u0631\u064a\u064b\u0627"]]) {
  assert.equal(stored.phrases(language).format("price_per_month", { price: stored.formatter({ storefront: "USA", date: "2026-11-28" }).price("9.99") }), text);
}
const dollars = shop.formatter({ storefront: "USA" }), nine = dollars.price("9.99"), english = shop.phrases("en-GB");
assert.deepEqual(shop.languages, ["ar", "en-US"]);
assert.deepEqual([english.language, english.direction, shop.phrases("AR_eg").language, shop.phrases("ar").direction], ["en-US", "ltr", "ar", "rtl"]);
assert.ok(english.keys.includes("per_month"));
assert.equal(english.format("per_month", { price: nine }), "\u2068$9.99\u2069 per month");
assert.equal(english.phrase("per_month", { price: nine }).plain, "$9.99 per month");
assert.equal(english.phrase("per_month", { price: dollars.price("1") }).spoken, "\u20681.00 US dollars\u2069 per month");
assert.equal(english.format("days", { count: 3n }), "3 days");
assert.equal(english.duration("P7D").text, "7 days");
assert.equal(english.format("numbers", { count: "1234.5678", rate: "12.5" }), "1,234.568/1,234.568/1,235/12.5%/12%");
assert.equal(shop.phrases("ar").format("numbers", { count: "1234.5", rate: 16 }), "\u0661\u066c\u0662\u0663\u0664\u066b\u0665/\u0661\u066c\u0662\u0663\u0664\u066b\u0665/\u0661\u066c\u0662\u0663\u0664/\u0661\u0666\u066a/\u0661\u0666\u066a");
const perMonth = english.phrase("per_month", { price: nine });
assert.equal(english.format("then", { trial: english.duration("P7D"), then: perMonth }), "7 days free, then \u2068$9.99\u2069 per month");
// A phrase in another language is isolated. A phrase that the language lacks names the language that it is from.
assert.equal(shop.phrases("ar").phrase("per_month", { price: perMonth }).text, "\u2068\u2068$9.99\u2069 per month\u2069 per month");
assert.deepEqual([shop.phrases("ar").phrase("tax").language, shop.phrases("ar").phrase("tax").direction], ["en-US", "ltr"]);
assert.equal(english.format("plan", { plan: "\u00e9t\u00e9", price: nine }), "\u00e9t\u00e9 \u2068$9.99\u2069");
assert.equal(english.format("deep", { count: 1, plan: "b" }), "!");
assert.deepEqual([nine.total(12).text, nine.total(0).text, String(nine), nine.amount, nine.currency], ["$119.88", "$0.00", "$9.99", "9.99", "USD"]);
assert.equal(dollars.price("59.99").per("P1M", { of: "P1Y", rounding: "half-up" }).text, "$5.00");
for (const [own, period, other, otherPeriod, percent] of [
  ["49.99", "P1Y", "4.99", "P1M", 16], ["59.88", "P1Y", "4.99", "P1M", 0], ["59.89", "P1Y", "4.99", "P1M", -1], ["0", "P1Y", "1", "P1D", 100],
  ["-1", "P1M", "1", "P1M", 200], ["7.1", "P1W", "1", "P1D", -2], ["9.99", "P3M", "4.99", "P30D", 34],
]) assert.equal(dollars.price(own).saving(period, dollars.price(other), otherPeriod), percent, own);
assert.equal(codeOf(() => nine.saving("P1Y", dollars.price("0"), "P1M")), "invalid-argument");
const wrongPrice = (price) => { try { english.format("per_month", { price }); return "no error"; } catch (error) { return error instanceof TypeError && error.code; } };
for (const price of [9.99, 999n, "$9.99", null, {}, Object.create(FormattedPrice.prototype), new String("$9.99")].slice(0, 5)) assert.equal(wrongPrice(price), "wrong-argument");
assert.throws(() => english.format("per_month", { price: Object.create(FormattedPrice.prototype) }), TypeError);
assert.throws(() => english.format("then", { trial: nine, then: perMonth }), TypeError);
assert.throws(() => english.format("days", { count: nine }), TypeError);
assert.throws(() => english.format("days", { count: 1.5 }), TypeError);
assert.throws(() => new Phrase(), TypeError);
// The deepest phrases fit the stack of the module: prices stay the same.
let nested = nine;
const rounded = shop.formatter({ storefront: "USA", rounding: "half-even" });
for (let depth = 1; depth <= 16; depth++) nested = english.phrase("nest", { inner: nested, plan: "x" });
assert.equal(nested.plain, "$9.99" + ".".repeat(32 * 16));
assert.equal(codeOf(() => english.phrase("nest", { inner: nested, plan: "x" })), "phrase-too-long");
assert.deepEqual(["12.345", "1234567.895"].map((amount) => rounded.format(amount)), ["$12.34", "$1,234,567.90"]);
// Counts: the same numbers as in the command, without a limit at which they become other numbers.
for (const [count, text] of [
  ["+3", "3 days"], [-0, "no days"], [10n ** 18n, "1,000,000,000,000,000,000 days"], ["1.50", "1.5 days"], ["9223372036854775807", "9,223,372,036,854,775,807 days"],
  ["100.00000000000000000", "100 days"],
]) assert.equal(english.format("days", { count }), text, String(count));
for (const [count, code] of [
  ["9223372036854775808", "amount-out-of-range"], ["33.333333333333333333", "amount-out-of-range"],
  [10n ** 19n, "amount-out-of-range"], ["1e3", "malformed-amount"], ["", "malformed-amount"], ["\u0663", "malformed-amount"],
  [NaN, "wrong-argument"], [Infinity, "wrong-argument"], [1e21, "wrong-argument"], [true, "wrong-argument"], [[], "wrong-argument"],
]) assert.equal(codeOf(() => english.format("days", { count })), code, String(count));
assert.equal(nine.total(3n).text, "$29.97");
assert.equal(codeOf(() => english.format("per_month", null)), "missing-argument");
for (const [code, work] of [
  ["missing-argument", () => english.format("per_month", {})], ["missing-argument", () => english.format("per_month")],
  ["extra-argument", () => english.format("days", { count: 1, price: nine })], ["unknown-phrase", () => english.format("price_until", {})],
  ["unknown-phrase", () => shop.phrases("ar").format("save", { percent: 1 })],
  ["unknown-language", () => shop.phrases("fr")], ["unknown-language", () => shop.phrases("en-001")], ["unknown-language", () => shop.phrases("")],
  ["invalid-argument", () => english.format("per_month", { price: usa.price("1") })], ["malformed-period", () => english.duration("P0D")],
  ["needs-rounding", () => dollars.price("59.99").per("P1M", { of: "P1Y" })], ["malformed-period", () => nine.per("1M", { of: "P1Y" })], ["malformed-period", () => nine.per("P1M")],
  ["invalid-argument", () => nine.per("P1M", { of: "P1Y", rounding: "nearest" })],
  ["invalid-argument", () => nine.total(-1)], ["amount-out-of-range", () => nine.total(10n ** 20n)], ["amount-out-of-range", () => dollars.price("922337203685477.58").total(1e15)],
  ["currency-mismatch", () => nine.saving("P1Y", shop.formatter({ storefront: "DEU" }).price("1"), "P1M")],
  ["unusable-module", () => pack.phrases("en")], ["unusable-module", () => usa.price("1").total(2)],
]) assert.equal(codeOf(work), code, String(work));

// The element can be imported without a document, and is then not defined.
const { PriceTagElement } = await import("../../Bindings/JavaScript/price-tag.js");
assert.equal(typeof PriceTagElement, "function");
assert.ok(PriceTagElement.observedAttributes.includes("storefront"));
assert.equal(globalThis.customElements, undefined);

// The files of the package.
const folder = new URL("../../Bindings/JavaScript/", import.meta.url);
const read = (name) => readFileSync(new URL(name, folder), "utf8");
const loaded = ["pricetag.js", "price-tag.js", "pricetag.wasm"].reduce((sum, name) => sum + gzipSync(readFileSync(new URL(name, module)), { level: 9 }).length, 0);
assert.ok(loaded <= 20000, `a page with prices alone loads ${loaded} bytes compressed, more than 20,000`);
const description = JSON.parse(read("package.json"));
for (const name of description.files) {
  if (name.endsWith(".pack")) assert.ok(readFileSync(new URL(`../../LocaleData/packs/${name}`, import.meta.url)).length > 10000, name);
  else if (!name.endsWith(".wasm")) assert.ok(read(name).length > 100, name);
}
for (const target of Object.values(description.exports).flatMap((entry) => typeof entry === "string" ? [entry] : Object.values(entry))) {
  assert.ok(["./package.json", ...description.files.map((name) => `./${name}`)].includes(target), target);
}
assert.equal(description.dependencies, undefined);
const declared = [...read("pricetag.d.ts").matchAll(/^export (?:declare )?class (\w+)/gm)].map((match) => match[1]).sort();
assert.deepEqual(declared, Object.keys(exported).sort());
for (const name of ["formatToParts", "format", "spoken", "direction", "locale", "currency"]) assert.ok(name in exported.PriceFormatter.prototype, name);
const repository = new URL("../../", folder);
assert.equal(read("LICENSE"), readFileSync(new URL("LICENSE", repository), "utf8"));
assert.ok(readFileSync(new URL("NOTICE", repository), "utf8").includes(read("LICENSE-UNICODE").trim()));
