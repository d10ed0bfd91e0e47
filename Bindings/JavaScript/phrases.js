// The words around prices, and arithmetic with prices, documented in phrases.d.ts.

import { PriceFormatter, PricePack, PriceTagError } from "./pricetag.js";

const internals = PricePack[Symbol.for("pricetag")];
const { check, quoted, invalid, full, modeOf, units64, parsed, place, writeName, result, decoded, decimal } = internals;

Object.assign(internals.problems, {
  // Generated from Bindings/tables.json (problems); do not edit.
  25: ["no-phrases", "the pack has no phrases", "write the pack with --phrases"],
  26: ["unknown-language", "the pack has no phrases in the language, or in one that is close to it", "write the pack with --phrases and a language close to it, which pricetag strings list lists"],
  27: ["unknown-phrase", "the pack does not have the phrase in the language", "use a key that `pricetag pack --show` lists; messages with dates or names are not in packs"],
  28: ["missing-argument", "an argument of the phrase is missing", "add it"],
  29: ["extra-argument", "the phrase does not have the argument", "remove it"],
  30: ["wrong-argument", "an argument has the wrong type", "pass a value of the kind that the message has for it: a formatted price, a phrase, a number or a keyword"],
  31: ["phrase-too-long", "the phrase has more than 65,536 bytes, or more than 16 phrases are inside each other", "pass shorter arguments"],
  // End of the generated lines.
});

// The kinds of arguments, and a struct pricetag_argument of pricetag.h.
const kinds = { price: 1, count: 2, percent: 3, phrase: 4, keyword: 5 };
const argumentSize = 40, maximumArguments = 1024, maximumText = 65536, maximumKeyword = 255, maximumKeywords = 16384;

export const loadPack = (source) => PricePack.load(source, { module: new URL("pricetag-full.wasm", import.meta.url) });

// The work area of phrases after all other memory: the text, the arguments, and the keywords.
function areaOf(host) {
  if (host.area) return host.area;
  const { kernel, pack, work } = host;
  check(full(host, "pricetag_phrases_open", "does not write phrases")(pack, work));
  const phrases = host.words[work >> 2], text = kernel.memory.buffer.byteLength;
  kernel.memory.grow(Math.ceil((maximumText + maximumArguments * argumentSize + maximumKeywords) / 65536));
  const { buffer } = kernel.memory;
  Object.assign(host, { memory: new Uint8Array(buffer), words: new Uint32Array(buffer), view: new DataView(buffer) });
  return host.area = { phrases, text, first: text + maximumText, next: 0, keywords: 0, languages: new Map() };
}

function wrong(name, value, expected) {
  const error = new TypeError(`${name}: ${quoted(value)} is not ${expected}`);
  return Object.assign(error, { code: "wrong-argument" });
}

const isInteger = (value) => Number.isSafeInteger(value) || typeof value === "bigint";

// Returns an integer or decimal text as units and their exponent.
function number(host, name, value) {
  if (isInteger(value)) return [units64(BigInt(value)), 0];
  if (typeof value !== "string") throw wrong(name, value, 'an integer or decimal text; pass one such as 3 or "1.5"');
  return parsed(host, value, `${name}: ${quoted(value)}`);
}

export class FormattedPrice {
  #formatter;
  #price;
  #text;
  static #internals = internals.partsOf = (price) => price.#price;

  constructor(formatter, amount) {
    if (!(formatter instanceof PriceFormatter)) throw wrong("formatter", formatter, "a formatter");
    this.#formatter = formatter;
    this.#price = internals.priceOf(formatter, amount);
    this.#text = formatter.format(amount);
  }

  get amount() { return decimal(this.#price.units, this.#price.exponent); }
  get text() { return this.#text; }
  get spoken() { return this.#formatter.spoken(this.amount); }
  get locale() { return this.#formatter.locale; }
  get currency() { return this.#formatter.currency; }
  get direction() { return this.#formatter.direction(this.amount); }

  toString() { return this.#text; }

  total(quantity) {
    if (!isInteger(quantity) || quantity < 0) throw invalid(`the quantity ${quoted(quantity)} is not an integer from 0`, "pass 0 or more");
    const { host, units, exponent } = this.#price;
    return this.#derived(full(host, "pricetag_total", "has no arithmetic")(units, exponent, units64(BigInt(quantity)), host.work, host.work + place.second));
  }

  per(period, { of, rounding = "exact" } = {}) {
    partsOf(period);
    partsOf(of);
    const { host, handle, units, exponent } = this.#price, mode = modeOf(rounding);
    const status = full(host, "pricetag_per_period", "has no arithmetic")(handle, units, exponent, writeName(host, place.first, period),
      writeName(host, place.other, of), mode, host.work, host.work + place.second);
    return this.#derived(status, `${this.amount}, ${period} of ${of}`);
  }

  saving(period, other, otherPeriod) {
    if (!(other instanceof FormattedPrice)) throw wrong("other", other, "a formatted price");
    if (other.currency !== this.currency) {
      throw new PriceTagError("currency-mismatch", `cannot combine prices in ${this.currency} and ${other.currency}`, "use prices in one currency (prices are never converted)");
    }
    const { units, exponent } = this.#price, than = other.#price, lengthOf = (period) => {
      const [count, unit] = partsOf(period);
      return BigInt(count * lengths[unit]);
    };
    if (than.units <= 0n) throw invalid(`cannot compute savings compared with a price of ${other.amount}`, "compare with a price above zero");
    // Both cross products, over the same denominator.
    const own = units * 10n ** BigInt(than.exponent) * lengthOf(otherPeriod), others = than.units * 10n ** BigInt(exponent) * lengthOf(period);
    const percent = (others - own) * 100n / others;
    return Number(percent * others > (others - own) * 100n ? percent - 1n : percent);
  }

  #derived(status, where) {
    const { host } = this.#price;
    check(status, where ?? this.amount);
    return new FormattedPrice(this.#formatter, decimal(host.view.getBigInt64(host.work, true), host.view.getInt32(host.work + place.second, true)));
  }
}

// A phrase: a message with its arguments.
export class Phrase {
  #message;
  #values;
  static #internals = internals.phraseOf = (phrase) => [phrase.#message, phrase.#values];

  constructor(message, values) {
    this.#message = message;
    this.#values = { ...values };
    // Errors are those of this call, and not of a later one.
    this.text = written(message, this.#values, 0, false);
  }

  get language() { return this.#message.language; }
  get direction() { return this.#message.direction; }
  get plain() { return written(this.#message, this.#values, 1, false); }
  get spoken() { return written(this.#message, this.#values, 0, true); }

  toString() { return this.text; }
}

function written(message, values, isolation, isSpoken) {
  const { host } = message, { area, kernel, work } = host;
  area.next = area.first;
  area.keywords = area.first + maximumArguments * argumentSize;
  const start = writeArguments(host, message, values, isSpoken);
  const status = kernel.pricetag_phrase(message.handle, start, message.count, isolation, area.text, maximumText, work);
  if (status !== 0) check(status, message.key);
  return decoded(host.memory, area.text, area.text + host.words[work >> 2]);
}

function writeArguments(host, message, values, isSpoken) {
  const { area, words, view, kernel } = host, start = area.next;
  area.next += message.count * argumentSize;
  if (area.next > area.first + maximumArguments * argumentSize) check(31, message.key);
  let at = start, given = 0;
  for (let index = 0; index < message.count; index++) {
    const { name, pointer, kind } = message.arguments[index], value = values[name], slot = at >> 2;
    if (value === undefined) throw new PriceTagError("missing-argument", `the argument ${quoted(name)} is missing`, "add it", message.key);
    words[slot] = pointer;
    words[slot + 1] = words[slot + 2] = words[slot + 3] = words[slot + 4] = words[slot + 5] = 0;
    if (kind === kinds.price && value instanceof FormattedPrice) {
      const price = internals.partsOf(value);
      if (price.host !== host) throw invalid(`${name}: the price is from another pack`, "format it with a formatter of this pack");
      words[slot + 1] = isSpoken ? kernel.pricetag_formatter_spoken(price.handle) || price.handle : price.handle;
      view.setBigInt64(at + 24, price.units, true);
      words[slot + 8] = price.exponent;
      words[slot + 9] = price.mode;
    } else if (kind === kinds.price || kind === kinds.phrase) {
      if (!(value instanceof Phrase)) throw wrong(name, value, kind === kinds.phrase ? "a phrase; pass one of phrases.phrase(…)" : "a formatted price; pass formatter.price(…)");
      const [inner, innerValues] = internals.phraseOf(value);
      if (inner.host !== host) throw invalid(`${name}: the phrase is from another pack`, "use a phrase of this pack");
      words[slot + 2] = inner.handle;
      words[slot + 3] = writeArguments(host, inner, innerValues, isSpoken);
      words[slot + 4] = inner.count;
    } else if (kind === kinds.keyword) {
      if (typeof value !== "string") throw wrong(name, value, "the keyword of a branch");
      words[slot + 5] = area.keywords;
      area.keywords += writeKeyword(host, name, value);
    } else {
      const [units, exponent] = number(host, name, value);
      view.setBigInt64(at + 24, units, true);
      words[slot + 8] = exponent;
    }
    at += argumentSize;
  }
  // Counting them is faster than listing them.
  for (const name in values) given++;
  if (given === message.count) return start;
  const extra = Object.keys(values).find((name) => values[name] !== undefined && !message.arguments.some((argument) => argument.name === name));
  if (extra !== undefined) throw new PriceTagError("extra-argument", `the message has no argument ${quoted(extra)}`, "remove it", message.key);
  return start;
}

// In units of 1/4,800 day, as in Swift.
const lengths = { day: 4800, week: 33600, month: 146097, year: 1753164 };
const encoder = new TextEncoder();

function writeKeyword({ area, memory }, name, text) {
  const bytes = encoder.encode(text), end = area.first + maximumArguments * argumentSize + maximumKeywords;
  // No branch has a longer keyword or one with a zero byte.
  if (bytes.length > maximumKeyword || bytes.includes(0) || area.keywords + bytes.length >= end) {
    throw invalid(`${name}: ${quoted(text)} is no keyword`, "pass a shorter text");
  }
  memory.set(bytes, area.keywords);
  memory[area.keywords + bytes.length] = 0;
  return bytes.length + 1;
}

export class PricePhrases {
  #host;
  #handle;
  #messages = new Map();

  constructor(host, handle) {
    this.#host = host;
    this.#handle = handle;
    Object.assign(this, languageOf(host, handle));
  }

  get keys() {
    const { kernel, work } = this.#host, keys = [];
    while (kernel.pricetag_language_key(this.#handle, keys.length, work) === 0) keys.push(result(this.#host, 0));
    return keys;
  }

  format(key, values) { return written(this.#message(key), values ?? {}, 0, false); }

  phrase(key, values) { return new Phrase(this.#message(key), values); }

  perPeriod(price, period) {
    const [count, unit] = partsOf(period);
    return count === 1 ? this.phrase("price_per_" + unit, { price }) : this.phrase(`price_per_${unit}s`, { price, count });
  }

  duration(period) {
    const [count, unit] = partsOf(period);
    return this.phrase(unit + "s", { count });
  }

  #message(key) {
    const known = this.#messages.get(key);
    if (known) return known;
    const host = this.#host, { kernel, words, work } = host;
    check(kernel.pricetag_message_find(this.#handle, writeName(host, place.first, key), work), quoted(String(key)));
    const handle = words[work >> 2], found = [];
    while (kernel.pricetag_message_argument(handle, found.length, work, work + place.second) === 0) {
      found.push({ name: result(host, 0), pointer: words[work >> 2], kind: words[(work + place.second) >> 2] });
    }
    kernel.pricetag_message_language(handle, work);
    const message = { host, key, handle, arguments: found, count: found.length, ...languageOf(host, words[work >> 2]) };
    this.#messages.set(key, message);
    return message;
  }
}

function languageOf(host, handle) {
  const { kernel, words, work } = host;
  kernel.pricetag_language_tag(handle, work);
  const language = result(host, 0);
  kernel.pricetag_language_direction(handle, work);
  return { language, direction: words[work >> 2] === 2 ? "rtl" : "ltr" };
}

function partsOf(period) {
  const [, count, unit] = /^P(\d{1,4})([DWMY])$/.exec(period) ?? [];
  if (!(count > 0)) throw new PriceTagError("malformed-period", `${quoted(period)} is not an ISO 8601 duration in days, weeks, months or years`, "write one such as P7D, P2W, P1M or P1Y");
  return [Number(count), { D: "day", W: "week", M: "month", Y: "year" }[unit]];
}

// The messages of a language are found once.
PricePack.prototype.phrases = function (tag) {
  const host = internals.hostOf(this), { languages, phrases } = areaOf(host), { kernel, words, work } = host;
  const status = kernel.pricetag_phrases_match(phrases, writeName(host, place.first, tag), work), handle = words[work >> 2];
  if (status !== 0) check(status, quoted(String(tag)));
  if (!languages.has(handle)) languages.set(handle, new PricePhrases(host, handle));
  return languages.get(handle);
};

Object.defineProperty(PricePack.prototype, "languages", {
  configurable: true,
  get() {
    const host = internals.hostOf(this), { phrases } = areaOf(host), { kernel, words, work } = host, found = [];
    while (kernel.pricetag_phrases_language(phrases, found.length, work) === 0) found.push(languageOf(host, words[work >> 2]).language);
    return found;
  },
});

// Returns the language of the closest element around an element that has one, also outside of shadow roots.
function languageAround(element) {
  for (let at = element.parentNode; at; at = at.parentNode ?? at.host) if (at.lang) return at.lang;
}

// Returns the contents, the language, the direction and the text of an element <price-tag> with words.
internals.contentsOf = (element, pack, formatter, amount, partsOf) => {
  const attribute = (name) => element.getAttribute(name), period = attribute("period"), key = attribute("phrase"), quantity = attribute("quantity");
  const phrases = pack.phrases(attribute("language") ?? languageAround(element) ?? "en");
  let price = formatter.price(amount);
  if (quantity !== null) price = price.total(/^\d{1,15}$/.test(quantity) ? Number(quantity) : quantity);
  let value = period === null ? price : phrases.perPeriod(price, period);
  if (key !== null) value = phrases.phrase(key, quantity === null ? { price: value } : { price: value, count: quantity });
  if (value === price) return [partsOf(price.text, () => price.spoken), price.locale, price.direction, price.text];
  // The price in the phrase has its own language and direction.
  const contents = value.text.split(/\u2068(.*?)\u2069/s).map((text, index) => {
    if (index % 2 === 0) return text;
    const isolated = document.createElement("bdi");
    Object.assign(isolated, { lang: price.locale, dir: price.direction });
    isolated.append(...partsOf(text, () => price.spoken));
    return isolated;
  });
  return [contents, value.language, value.direction, value.plain];
};

PriceFormatter.prototype.price = function (amount) { return new FormattedPrice(this, amount); };
