// PriceTag: exact prices, written as ICU writes them, from a pack of compiled patterns. See pricetag.d.ts and docs/pack-format.md.

const errors = {
  1: ["malformed-amount", "the text is not a decimal amount", "write ASCII digits with an optional sign and fraction, such as 1234.50"],
  2: ["amount-out-of-range", "the amount is out of range", "use at most 18 significant digits, of which at most 18 are after the decimal point"],
  3: ["needs-rounding", "the amount has more decimals than are displayed", "pass a rounding mode such as half-even to allow rounding"],
  5: ["invalid-argument", "an argument is out of range", "correct the argument"],
  6: ["not-a-pack", "the bytes are not a pack", "write one with pricetag pack -o FILE"],
  7: ["other-version", "the pack has a layout that this module cannot read", "write the pack again with this version of PriceTag"],
  8: ["truncated-pack", "the number of bytes is not that of the pack", "copy the file again"],
  9: ["damaged-pack", "the bytes of the pack have changed since it was written", "copy the file again"],
  10: ["invalid-pack", "a field of the pack has an invalid value", "write the pack again with pricetag pack"],
  11: ["unknown-storefront", "the pack does not have the storefront", "write the pack with --storefronts and this storefront"],
  12: ["unknown-locale", "the pack does not have the price locale", "write the pack with --locales and this locale"],
  13: ["unknown-currency", "the pack does not have the currency", "write the pack with --currencies and this currency"],
  14: ["missing-style", "the pack has no patterns of the style", "write the pack with the options of this style"],
  15: ["missing-formatter", "the pack has no pattern for the locale, currency and style together", "write the pack with this combination"],
  16: ["missing-date", "the storefront has charged several currencies", "pass the date of the price, such as 2026-01-31"],
  17: ["missing-plural", "the pattern has no form for the plural category of the amount", "format the amount with another style"],
};

const options = {
  width: ["standard", "narrow", "iso", "name", "hidden", "formal", "variant", "unambiguous"],
  zeros: ["keep", "trim"],
  sign: ["auto", "accounting", "always", "never", "except-zero", "accounting-always", "accounting-except-zero", "negative", "accounting-negative"],
  grouping: ["auto", "always", "min2", "never"],
  notation: ["standard", "compact-short", "compact-long"],
  qualifier: ["none", "approximately", "at-least"],
};
const optionPlaces = { width: 0, zeros: 1, sign: 2, grouping: 6, notation: 7, qualifier: 8 };
const roundings = ["exact", "half-even", "half-up", "half-down", "up", "down", "ceiling", "floor"];
const partTypes = ["literal", "symbol", "integer", "group", "decimal", "fraction", "sign", "compact", "qualifier", "unit"];

// The places of arguments and results, after the pack.
const result = 0, length = 8, style = 16, first = 48, second = 304, parts = 560, maximumParts = 120, size = 2048;
const maximumText = 240;
const localeResult = second;

const encoder = new TextEncoder(), decoder = new TextDecoder();

/** An error with a stable code, what was wrong, and how to fix it. */
export class PriceTagError extends Error {
  constructor(code, problem, fix) {
    super(`${problem}; ${fix}`);
    this.name = "PriceTagError";
    this.code = code;
    this.fix = fix;
  }
}

function invalid(problem, fix) {
  return new PriceTagError("invalid-argument", problem, fix);
}

function place(list, value, name) {
  const index = list.indexOf(value);
  if (index < 0) throw invalid(`unknown ${name} ${JSON.stringify(value)}`, `use one of ${list.join(", ")}`);
  return index;
}

async function bytesOf(source) {
  if (source instanceof Uint8Array) return source;
  if (source instanceof ArrayBuffer) return new Uint8Array(source);
  const url = source instanceof URL ? source : new URL(source, globalThis.document?.baseURI ?? import.meta.url);
  if (url.protocol === "file:") return (await import("node:fs/promises")).readFile(url);
  const response = await fetch(url);
  if (!response.ok) throw new PriceTagError("unreadable-file", `${url} answers ${response.status}`, "check the address");
  return new Uint8Array(await response.arrayBuffer());
}

let compiledModule;

/** A pack of compiled patterns. */
export class PricePack {
  #kernel;
  #memory;
  #view;
  #pack;
  #work;

  /** Loads a pack from a URL or from bytes. */
  static async load(source, { module = new URL("pricetag.wasm", import.meta.url) } = {}) {
    compiledModule ??= bytesOf(module).then((bytes) => WebAssembly.compile(bytes));
    compiledModule.catch(() => { compiledModule = undefined; });
    const [bytes, compiled] = await Promise.all([bytesOf(source), compiledModule]);
    return new PricePack(bytes, await WebAssembly.instantiate(compiled));
  }

  constructor(bytes, instance) {
    const kernel = (this.#kernel = instance.exports);
    this.#pack = (kernel.__heap_base.value + 15) & ~15;
    this.#work = (this.#pack + bytes.length + 31) & ~15;
    const missing = this.#work + size - kernel.memory.buffer.byteLength;
    if (missing > 0) kernel.memory.grow(Math.ceil(missing / 65536));
    this.#memory = new Uint8Array(kernel.memory.buffer);
    this.#view = new DataView(kernel.memory.buffer);
    this.#memory.set(bytes, this.#pack);
    this.#check(kernel.pricetag_pack_open(this.#pack, bytes.length, this.#work + result));
  }

  /** Returns a version in the pack, such as that of "icu"; undefined if the pack does not have it. */
  version(name) {
    const status = this.#kernel.pricetag_pack_version(this.#pack, this.#write(first, name), this.#work + result);
    return status === 0 ? this.#text(result) : undefined;
  }

  /** Returns a formatter of a storefront, or of a price locale and a currency. */
  formatter({ storefront, date, locale, currency, style, rounding = "exact" }) {
    const kernel = this.#kernel, output = this.#work + result;
    const mode = place(roundings, rounding, "rounding");
    let status;
    if (storefront !== undefined) {
      const id = this.#write(first, storefront), day = this.#date(date);
      this.#check(kernel.pricetag_storefront(this.#pack, id, day, output, this.#work + localeResult));
      [currency, locale] = [this.#text(result), this.#text(localeResult)];
      status = kernel.pricetag_formatter_for_storefront(this.#pack, id, day, this.#style(style), output);
    } else {
      const [tag, code] = [this.#write(first, locale), this.#write(second, currency)];
      status = kernel.pricetag_formatter_for_locale(this.#pack, tag, code, this.#style(style), output);
    }
    this.#check(status);
    const handle = this.#view.getUint32(output, true);
    this.#check(kernel.pricetag_minor_unit_digits(this.#pack, this.#write(first, currency), output));
    const exponent = this.#view.getInt32(output, true);
    return new PriceFormatter(this.#functions(mode), handle, locale, currency, exponent);
  }

  // The functions of a formatter. They alone have access to the memory.
  #functions(mode) {
    const kernel = this.#kernel, memory = this.#memory, view = this.#view, work = this.#work;
    const output = work + result, check = (status) => { if (status !== 0) this.#check(status); };
    const read = (amount, exponent) => {
      if (typeof amount === "bigint") {
        if (exponent < 0) throw invalid("the currency has no minor unit", "write the amount as decimal text");
        if (BigInt.asIntN(64, amount) !== amount) check(2);
        return [amount, exponent];
      }
      if (typeof amount === "number") {
        if (!Number.isSafeInteger(amount)) throw invalid(`the number ${amount} may not be exact`, 'write the amount as text, such as "4.99"');
        return [BigInt(amount), 0];
      }
      if (typeof amount !== "string") throw invalid("the amount is not text", 'write the amount as text, such as "4.99"');
      check(kernel.pricetag_parse(work + first, writeAmount(amount), output, work + length));
      return [view.getBigInt64(output, true), view.getInt32(work + length, true)];
    };
    // Writes the characters of an amount, and returns their number. One that is not ASCII becomes a byte that no amount has.
    const writeAmount = (amount) => {
      const count = Math.min(amount.length, 65);
      for (let index = 0; index < count; index++) {
        const code = amount.charCodeAt(index);
        memory[work + first + index] = code < 128 ? code : 0;
      }
      return count;
    };
    const format = (handle, amount, exponent) => {
      if (typeof amount === "string") {
        check(kernel.pricetag_format(handle, work + first, writeAmount(amount), mode, work + parts, size - parts, output));
      } else {
        const [units, scale] = read(amount, exponent);
        check(kernel.pricetag_format_units(handle, units, scale, mode, work + parts, size - parts, output));
      }
      return decoder.decode(memory.subarray(work + parts, work + parts + view.getUint32(output, true)));
    };
    return {
      format,
      formatToParts: (handle, amount, exponent) => {
        const text = encoder.encode(format(handle, amount, exponent));
        const [units, scale] = read(amount, exponent);
        check(kernel.pricetag_parts(handle, units, scale, mode, work + parts, maximumParts, output));
        const count = view.getUint32(output, true);
        return Array.from({ length: Math.min(count, maximumParts) }, (_, index) => {
          const [type, start, end] = [0, 4, 8].map((field) => view.getUint32(work + parts + 12 * index + field, true));
          return { type: partTypes[type] ?? "literal", value: decoder.decode(text.subarray(start, end)) };
        });
      },
      direction: (handle, amount, exponent) => {
        const [units, scale] = read(amount, exponent);
        check(kernel.pricetag_direction(handle, units, scale, mode, output));
        return view.getInt32(output, true) === 2 ? "rtl" : "ltr";
      },
      spoken: (handle) => {
        const spoken = kernel.pricetag_formatter_spoken(handle);
        if (spoken === 0) throw new PriceTagError("missing-style", "the pack has no spoken forms", "write the pack without --no-spoken");
        return spoken;
      },
    };
  }

  // Writes text with a zero byte at its end, and returns its place.
  #write(offset, text) {
    const encoded = encoder.encode(String(text ?? ""));
    if (encoded.length > maximumText) throw invalid("the text is too long", "use a shorter text");
    this.#memory.set(encoded, this.#work + offset);
    this.#memory[this.#work + offset + encoded.length] = 0;
    return this.#work + offset;
  }

  // Reads the text that a pricetag_text refers to.
  #text(offset) {
    const [start, count] = [0, 4].map((field) => this.#view.getUint32(this.#work + offset + field, true));
    return decoder.decode(this.#memory.subarray(start, start + count));
  }

  #date(date) {
    if (date === undefined) return 0;
    if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) throw invalid(`${JSON.stringify(date)} is not a date`, "write YYYY-MM-DD, such as 2026-01-01");
    return Number(date.replaceAll("-", ""));
  }

  // Writes a style, and returns its place; 0 for the default one.
  #style(values) {
    if (values === undefined) return 0;
    const start = this.#work + style;
    this.#memory.fill(0, start, start + 28);
    for (const [name, value] of Object.entries(values)) {
      if (name in options) {
        this.#memory[start + optionPlaces[name]] = place(options[name], value, name);
      } else if (name === "digits") {
        const [low, high = low] = String(value).split("-").map(Number);
        const isNumber = low >= 0 && low <= high && high <= 18;
        const kind = value === "standard" ? 0 : value === "cash" ? 1 : !isNumber ? -1 : low === high ? 2 : 3;
        if (kind < 0) throw invalid(`${JSON.stringify(value)} is not a number of digits`, "use standard, cash, a number from 0 to 18 or a range such as 0-2");
        this.#memory.set(kind < 2 ? [kind] : [kind, low, high], start + 3);
      } else if (name === "numbering") {
        this.#memory.set(encoder.encode(value).subarray(0, 8), start + 12);
      } else {
        throw invalid(`unknown style option ${JSON.stringify(name)}`, "remove it");
      }
    }
    return start;
  }

  #check(status) {
    if (status !== 0) throw new PriceTagError(...(errors[status] ?? errors[5]));
  }
}


/** Formats the prices of one price locale, currency and style. */
export class PriceFormatter {
  #functions;
  #handle;
  #exponent;

  constructor(functions, handle, locale, currency, exponent) {
    this.#functions = functions;
    this.#handle = handle;
    this.#exponent = exponent;
    this.locale = locale;
    this.currency = currency;
    Object.freeze(this);
  }

  /** Returns an amount as text: decimal text, minor units as a bigint, or an integer. */
  format(amount) { return this.#functions.format(this.#handle, amount, this.#exponent); }

  /** Returns the parts of an amount's text. */
  formatToParts(amount) { return this.#functions.formatToParts(this.#handle, amount, this.#exponent); }

  /** Returns the spoken form of an amount, with the full name of the currency. */
  spoken(amount) {
    return this.#functions.format(this.#functions.spoken(this.#handle), amount, this.#exponent);
  }

  /** Returns the direction of an amount's text: "ltr" or "rtl". */
  direction(amount) { return this.#functions.direction(this.#handle, amount, this.#exponent); }
}
