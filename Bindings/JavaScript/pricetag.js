// PriceTag, documented in pricetag.d.ts.

// Generated from Bindings/tables.json (tables); do not edit.
const problems = [
  null,
  ["malformed-amount", "the text is not a decimal amount", "write ASCII digits, such as -1234.50"],
  ["amount-out-of-range", "the amount is out of range", "use at most 18 significant digits, and at most 18 decimals"],
  ["needs-rounding", "the amount has more decimals than are displayed", "pass a rounding mode such as half-even to allow rounding"],
  null,
  ["invalid-argument", "an argument is out of range", "correct the argument"],
  ["not-a-pack", "the bytes are not a pack", "write one with pricetag pack -o FILE"],
  ["other-version", "the pack has a layout that this module cannot read", "write the pack again with this PriceTag"],
  ["truncated-pack", "the number of bytes is not that of the pack", "copy the file again"],
  ["damaged-pack", "the bytes of the pack have changed", "copy the file again"],
  ["invalid-pack", "a field of the pack has an invalid value", "write the pack again with pricetag pack"],
  ["unknown-storefront", "the pack does not have the storefront", "write the pack with --storefronts and this storefront"],
  ["unknown-locale", "the pack does not have the price locale", "write the pack with --locales and this locale"],
  ["unknown-currency", "the pack does not have the currency", "write the pack with --currencies and this currency"],
  ["missing-style", "the pack has no patterns of the style", "write the pack with this style"],
  ["missing-formatter", "the pack has no pattern of the locale, currency and style together", "write the pack with this combination"],
  ["missing-date", "the storefront has charged several currencies", "pass the date of the price, such as 2026-01-31"],
  ["missing-plural", "the pattern has no form for the plural category of the amount", "format the amount with another style"],
  null,
  null,
  ["currency-mismatch", "the storefront does not charge the currency on the date", "pass another currency or date"],
  ["not-a-price", "the text has no digits", "pass a price"],
  ["not-as-written", "the text is not what the formatter writes for any amount", "correct the text at the first difference, or read it leniently"],
  ["ambiguous-number", "the formatter writes the text for several amounts", "use a style with separators that differ"],
  ["text-too-long", "the text has more than 4,096 bytes", "pass one price"],
];

// The place of an option in the key of a style, and its values.
const options = {
  __proto__: null,
  width: [0, ["standard", "narrow", "iso", "name", "hidden", "formal", "variant", "unambiguous"]],
  zeros: [1, ["keep", "trim"]],
  sign: [2, ["auto", "accounting", "always", "never", "except-zero", "accounting-always", "accounting-except-zero", "negative", "accounting-negative"]],
  grouping: [6, ["auto", "always", "min2", "never"]],
  notation: [7, ["standard", "compact-short", "compact-long"]],
  qualifier: [8, ["none", "approximately", "at-least"]],
};
// End of the generated lines.
const roundings = ["exact", "half-even", "half-up", "half-down", "up", "down", "ceiling", "floor"];
const partTypes = ["literal", "symbol", "integer", "group", "decimal", "fraction", "sign", "compact", "qualifier", "unit"];
// The units of packs.
const spellings = [[/^(\d+) */, "$1 "], [/(^|[^a])l$/, "$1L"], [/sq */, "sq "], [/(in|ft|yd)2$/, "sq $1"], [/fl\.? *oz\.?$/, "fl oz"]];

// The work area after the pack.
const place = { second: 8, style: 32, first: 64, other: 320, amount: 576, price: 656, parts: 1728, text: 3264, end: 7392 };
const maximumRead = 4096, maximumText = 240, maximumAmount = 65, maximumPrice = 1040, maximumParts = 128;

const decoder = new TextDecoder(), encoder = new TextEncoder();
// The UTF-16 of a price, in arrays by length.
const codes = [];

export class PriceTagError extends Error {
  name = "PriceTagError";

  constructor(code, problem, fix, where = "") {
    super(`${where && where + ": "}${problem}; ${fix}`);
    this.code = code;
    this.fix = fix;
  }
}

const has64Bits = (value) => BigInt.asIntN(64, value) === value;
// The digits of an integer can be many, and an object can have no text.
const quoted = (value) => typeof value === "string" ? JSON.stringify(value.slice(0, 65))
  : value === Object(value) || typeof value === "bigint" && !has64Bits(value) ? `the ${typeof value}` : String(value);
const invalid = (problem, fix) => new PriceTagError("invalid-argument", problem, fix);

const failure = (status, where) => new PriceTagError(...(problems[status] ?? problems[5]), where);

function check(status, where) {
  if (status !== 0) throw failure(status, where);
}

// Returns a function of the kernel that only pricetag-full.wasm has.
function full({ kernel }, name, problem) {
  if (kernel[name]) return kernel[name];
  throw new PriceTagError("unusable-module", `pricetag.wasm ${problem}`, "load pricetag-full.wasm: PricePack.load(pack, { module })");
}

function indexOf(list, value, name) {
  const index = list.indexOf(value);
  if (index < 0) throw invalid(`unknown ${name} ${quoted(value)}`, `use one of ${list.join(", ")}`);
  return index;
}

const modeOf = (rounding) => indexOf(roundings, rounding, "rounding");

// A name is that of a pack beside this module.
function packSource(source) {
  if (typeof source !== "string" || !/^cldr-\d+$/.test(source)) return source;
  if (!/42$|48$/.test(source)) throw new PriceTagError("invalid-pack", `unknown pack ${quoted(source)}`, `use cldr-42 or cldr-48, or write ./${source} for a file`);
  return new URL(source + ".pack", import.meta.url);
}

async function bytesOf(source) {
  try {
    if (ArrayBuffer.isView(source)) return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
    if (source instanceof ArrayBuffer) return new Uint8Array(source);
    const base = globalThis.document?.baseURI ?? globalThis.location;
    // In Node, text without a scheme is a path. The letter of a drive is no scheme.
    const url = base || typeof source !== "string" || /^[a-z][\w+.-]+:/i.test(source) ? new URL(source, base) : source;
    if (url === source || url.protocol === "file:") {
      return (globalThis.process?.getBuiltinModule?.("fs") ?? await import(/* webpackIgnore: true */ "node:fs")).readFileSync(url);
    }
    const response = await fetch(url);
    if (!response.ok) throw Error(`the server answers ${response.status}`);
    return new Uint8Array(await response.arrayBuffer());
  } catch (error) {
    throw new PriceTagError("unreadable-file", error.message, "check the address", String(source));
  }
}

const modules = new Map();

function moduleOf(source) {
  if (source instanceof WebAssembly.Module) return source;
  const key = source.href ?? source;
  let found = modules.get(key);
  if (!found) {
    // In pages, Chrome before version 115 compiles only asynchronously, which takes longer.
    found = bytesOf(source).then((bytes) => globalThis.document ? WebAssembly.compile(bytes) : new WebAssembly.Module(bytes));
    if (typeof key === "string") modules.set(key, found);
    found.catch(() => modules.delete(key));
  }
  return found;
}

// What phrases.js and price-tag.js use. It is no part of the interface.
const internals = { problems, check, quoted, invalid, full, modeOf, place, writeName, result, decoded, decimal, units64, parsed };

export class PricePack {
  #host;
  static [Symbol.for("pricetag")] = (internals.hostOf = (pack) => pack.#host, internals);

  static async load(source, { module } = {}) {
    try {
      const [kernel, bytes] = await Promise.all([moduleOf(module ?? new URL("pricetag.wasm", import.meta.url)), bytesOf(packSource(source))]);
      return new PricePack(bytes, await WebAssembly.instantiate(kernel));
    } catch (error) {
      if (error instanceof PriceTagError) throw error;
      throw new PriceTagError("unusable-module", error.message, error instanceof RangeError
        ? "use a smaller pack" : "check the file, and allow 'wasm-unsafe-eval' in script-src");
    }
  }

  constructor(bytes, { exports: kernel }) {
    const pack = (kernel.__heap_base.value + 15) & ~15, work = (pack + bytes.length + 31) & ~15;
    const missing = work + place.end - kernel.memory.buffer.byteLength;
    if (missing > 0) kernel.memory.grow(Math.ceil(missing / 65536));
    const { buffer } = kernel.memory;
    this.#host = { kernel, pack, work, memory: new Uint8Array(buffer), words: new Uint32Array(buffer), view: new DataView(buffer) };
    this.#host.memory.set(bytes, pack);
    check(kernel.pricetag_pack_open(pack, bytes.length, work));
  }

  version(name) {
    const host = this.#host;
    return host.kernel.pricetag_pack_version(host.pack, writeName(host, place.first, name), host.work) ? undefined : result(host, 0);
  }

  get storefronts() { return namesIn(this.#host, "storefront"); }

  get currencies() { return namesIn(this.#host, "currency"); }

  formatter({ storefront, locale, currency, date, rounding = "exact", ...style } = {}) {
    const host = this.#host, { kernel, pack, work } = host;
    const mode = modeOf(rounding), key = writeStyle(host, style), day = dayOf(date);
    let status;
    if (storefront === undefined) {
      if (locale === undefined || currency === undefined) throw invalid("there is no storefront, and no locale with a currency", "pass one of them");
      status = kernel.pricetag_formatter_for_locale(pack, writeName(host, place.first, locale), writeName(host, place.other, currency), key, work);
    } else {
      if (locale !== undefined) throw invalid("a storefront has its own price locale", "remove one of them");
      const id = writeName(host, place.first, storefront);
      status = currency === undefined
        ? kernel.pricetag_formatter_for_storefront(pack, id, day, key, work)
        : kernel.pricetag_formatter_for_storefront_in(pack, id, writeName(host, place.other, currency), day, key, work);
    }
    if (status !== 0) check(status, [storefront, locale, currency, date].filter((name) => name !== undefined).map((name) => quoted(String(name))).join(", "));
    return new PriceFormatter(host, host.words[work >> 2], mode, { storefront, locale, currency, day });
  }
}

function namesIn(host, kind) {
  const { kernel, pack, work } = host, names = [];
  while (kernel["pricetag_pack_" + kind](pack, names.length, work) === 0) names.push(result(host, 0));
  return names;
}

// Returns the price locale or the currency of a formatter.
function nameOf(host, kind, { storefront, locale, currency, day }) {
  if (kind === "locale" && locale) return String(locale).replaceAll("_", "-");
  if (kind === "currency" && currency) return String(currency).toUpperCase();
  const { kernel, pack, work } = host;
  // The price locale does not depend on the date.
  check(kernel.pricetag_storefront(pack, writeName(host, place.first, storefront), day || 99991231, work, work + place.second));
  return result(host, kind === "currency" ? 0 : place.second);
}

// Writes text and a zero byte. A character that is not ASCII becomes a byte that no name has.
function write(memory, start, text, maximum) {
  const count = Math.min(text.length, maximum);
  for (let index = 0; index < count; index++) {
    const code = text.charCodeAt(index);
    memory[start + index] = code > 0 && code < 128 ? code : 127;
  }
  memory[start + count] = 0;
  return count;
}

function writeName({ memory, work }, offset, text) {
  write(memory, work + offset, String(text), maximumText);
  return work + offset;
}

// Reads the text that a pricetag_text refers to.
function result({ memory, words, work }, offset) {
  const at = (work + offset) >> 2, start = words[at];
  return decoder.decode(memory.subarray(start, start + words[at + 1]));
}

// Returns the text of bytes.
function decoded(memory, start, end) {
  if (end - start > 64) return decoder.decode(memory.subarray(start, end));
  // Faster than TextDecoder for short text.
  let count = 0;
  for (let at = start; at < end; at++) if ((memory[at] & 192) !== 128) count++;
  const text = codes[count] ??= Array(count).fill(0);
  for (let at = start, index = 0; at < end; index++) {
    let code = memory[at++];
    if (code > 127) {
      if (code < 224) code = (code & 31) << 6;
      else if (code < 240) code = (code & 15) << 12 | (memory[at++] & 63) << 6;
      else return decoder.decode(memory.subarray(start, end));
      code |= memory[at++] & 63;
    }
    text[index] = code;
  }
  return String.fromCharCode(...text);
}

function writeStyle({ memory, work }, values) {
  const start = work + place.style, key = memory.subarray(start, start + 28).fill(0);
  for (const name in values) {
    const value = values[name];
    if (value === undefined) continue;
    if (name in options) {
      const [index, list] = options[name];
      key[index] = indexOf(list, value, name);
    } else if (name === "digits") {
      const match = /^(\d\d?)(?:-(\d\d?))?$/.exec(value), low = Number(match?.[1]), high = Number(match?.[2] ?? low);
      const kind = ["standard", "cash", 0, 0, "minor-units"].indexOf(value);
      if (kind < 0 && !(low <= high && high <= 18)) throw invalid(`${quoted(value)} is not a number of digits`, "use standard, cash, minor-units, 0 to 18, or a range such as 0-2");
      key.set(kind < 0 ? [low === high ? 2 : 3, low, high] : [kind], 3);
    } else if (name === "numbering" || name === "unit") {
      let text = String(value).normalize("NFKC");
      for (const [spelling, known] of spellings) text = text.replace(spelling, known);
      if (text.length > 8) text = text.replaceAll(" ", "");
      const bytes = encoder.encode(text);
      if (bytes.length > 8) check(14, quoted(value));
      key.set(bytes, name === "unit" ? 20 : 12);
    } else {
      throw invalid(`unknown option ${quoted(name)}`, "remove it");
    }
  }
  return start;
}

// Returns an amount as decimal text.
function decimal(units, exponent) {
  const digits = String(units < 0n ? -units : units).padStart(exponent + 1, "0"), point = digits.length - exponent;
  return (units < 0n ? "-" : "") + digits.slice(0, point) + (exponent > 0 ? "." : "") + digits.slice(point);
}

function units64(amount) {
  if (!has64Bits(amount)) check(2, quoted(amount));
  return amount;
}

function writeAmount({ memory, work }, text) { return write(memory, work + place.amount, text, maximumAmount); }

// Returns decimal text as units and their exponent.
function parsed(host, text, where = quoted(text)) {
  const { kernel, view, work } = host;
  check(kernel.pricetag_parse(work + place.amount, writeAmount(host, text), work, work + place.second), where);
  return [view.getBigInt64(work, true), view.getInt32(work + place.second, true)];
}

function textOf(amount) {
  if (typeof amount === "string") return amount;
  if (Number.isSafeInteger(amount)) return String(amount);
  throw invalid(`${quoted(amount)} is ${Number.isFinite(amount) ? "a number, which may not be exact" : "not an amount"}`, 'write text, such as "4.99", or minor units, such as 499n');
}

function dayOf(date) {
  if (date === undefined) return 0;
  const text = String(date);
  // The JSON text of a date that does not exist differs.
  if (!new Date(text).toJSON()?.startsWith(text + "T") || text < "0001") {
    throw new PriceTagError("malformed-date", `${quoted(date)} is not a date`, "write YYYY-MM-DD, such as 2026-01-31");
  }
  return Number(text.replaceAll("-", ""));
}

export class PriceFormatter {
  static #internals = internals.priceOf = (formatter, amount) => {
    const [units, exponent] = formatter.#amount(amount);
    return { host: formatter.#host, handle: formatter.#handle, mode: formatter.#mode, units, exponent };
  };
  #host;
  #handle;
  #mode;
  #names;

  constructor(host, handle, mode, names) {
    this.#host = host;
    this.#handle = handle;
    this.#mode = mode;
    this.#names = names;
  }

  get locale() { return nameOf(this.#host, "locale", this.#names); }

  get currency() { return nameOf(this.#host, "currency", this.#names); }

  format(amount) { return this.#format(this.#handle, amount); }

  spoken(amount) {
    const handle = this.#names.spoken ??= this.#host.kernel.pricetag_formatter_spoken(this.#handle);
    if (handle === 0) throw new PriceTagError("missing-style", "the pack has no spoken forms", "write the pack without --no-spoken");
    return this.#format(handle, amount);
  }

  formatToParts(amount) {
    this.#format(this.#handle, amount);
    const { kernel, memory, words, work } = this.#host, list = work + place.parts, text = work + place.price;
    const [value, exponent] = this.#amount(amount);
    check(kernel.pricetag_parts(this.#handle, value, exponent, this.#mode, list, maximumParts, work));
    return Array.from({ length: Math.min(words[work >> 2], maximumParts) }, (_, index) => {
      const at = (list >> 2) + 3 * index;
      return { type: partTypes[words[at]] ?? "literal", value: decoder.decode(memory.subarray(text + words[at + 1], text + words[at + 2])) };
    });
  }

  read(text, { lenient = false } = {}) {
    const { memory, view, work } = this.#host, start = work + place.text, second = work + place.second;
    const read = full(this.#host, "pricetag_read", "does not read prices");
    if (typeof text !== "string") throw invalid(`${quoted(text)} is not text`, "pass the text of a price");
    const { read: count, written } = encoder.encodeInto(text, memory.subarray(start, start + maximumRead + 4));
    memory[start + written] = 0;
    const length = count < text.length ? maximumRead + 1 : written;
    const status = read(this.#handle, start, length, lenient ? 1 : 0, work, second, second + 4);
    let end = start + view.getInt32(second + 4, true), difference = end < start ? -1 : 0;
    // The place is that of a character, in units of UTF-16.
    while ((memory[end] & 192) === 128) end--;
    for (let at = start; at < end; at++) difference += (memory[at] & 192) === 128 ? 0 : memory[at] > 239 ? 2 : 1;
    if (status !== 0) throw Object.assign(failure(status, `${quoted(text)}, position ${difference}`), { position: difference });
    const units = view.getBigInt64(work, true), exponent = view.getInt32(second, true);
    return { amount: decimal(units, exponent), units: this.#minorUnits(units, exponent), difference };
  }

  // Returns the minor units of an amount; undefined if it has a fraction of them, or the currency has none.
  #minorUnits(units, exponent) {
    const shift = this.#minorUnitDigits - exponent, factor = 10n ** BigInt(Math.abs(shift));
    if (this.#minorUnitDigits < 0 || shift < 0 && units % factor) return undefined;
    return shift < 0 ? units / factor : units * factor;
  }

  direction(amount) {
    const { kernel, words, work } = this.#host;
    const [value, exponent] = this.#amount(amount);
    check(kernel.pricetag_direction(this.#handle, value, exponent, this.#mode, work), quoted(amount));
    return words[work >> 2] === 2 ? "rtl" : "ltr";
  }

  #format(handle, amount) {
    const host = this.#host, { kernel, memory, words, work } = host, price = work + place.price;
    const status = typeof amount === "bigint"
      ? kernel.pricetag_format_units(handle, units64(amount), this.#minorUnit, this.#mode, price, maximumPrice, work)
      : kernel.pricetag_format(handle, work + place.amount, writeAmount(host, textOf(amount)), this.#mode, price, maximumPrice, work);
    if (status !== 0) check(status, quoted(amount));
    return decoded(memory, price, price + words[work >> 2]);
  }

  get #minorUnitDigits() {
    const host = this.#host, names = this.#names;
    if (names.digits === undefined) {
      check(host.kernel.pricetag_minor_unit_digits(host.pack, writeName(host, place.first, this.currency), host.work));
      names.digits = host.view.getInt32(host.work, true);
    }
    return names.digits;
  }

  get #minorUnit() {
    if (this.#minorUnitDigits < 0) throw invalid("the currency has no minor unit", "write the amount as decimal text");
    return this.#minorUnitDigits;
  }

  #amount(amount) {
    if (typeof amount === "bigint") return [units64(amount), this.#minorUnit];
    return parsed(this.#host, textOf(amount));
  }
}
