// Matchers for displayed prices, documented in expect.d.ts. CommonJS, so that Jest needs no option to load it.
"use strict";

const maximumBytes = 4096, maximumListed = 8, maximumCompared = 256;
// The names of characters that cannot be seen or look like others. All other characters are shown themselves.
const names = new Map(`9 CHARACTER TABULATION;A LINE FEED;D CARRIAGE RETURN;20 SPACE;27 APOSTROPHE;2C COMMA;2D HYPHEN-MINUS;2E FULL STOP;60 GRAVE ACCENT;\
A0 NO-BREAK SPACE;A5 YEN SIGN;AD SOFT HYPHEN;B4 ACUTE ACCENT;2BC MODIFIER LETTER APOSTROPHE;61C ARABIC LETTER MARK;66B ARABIC DECIMAL SEPARATOR;\
66C ARABIC THOUSANDS SEPARATOR;2007 FIGURE SPACE;2008 PUNCTUATION SPACE;2009 THIN SPACE;200A HAIR SPACE;200B ZERO WIDTH SPACE;200C ZERO WIDTH NON-JOINER;\
200D ZERO WIDTH JOINER;200E LEFT-TO-RIGHT MARK;200F RIGHT-TO-LEFT MARK;2010 HYPHEN;2011 NON-BREAKING HYPHEN;2013 EN DASH;2018 LEFT SINGLE QUOTATION MARK;\
2019 RIGHT SINGLE QUOTATION MARK;202A LEFT-TO-RIGHT EMBEDDING;202B RIGHT-TO-LEFT EMBEDDING;202C POP DIRECTIONAL FORMATTING;202D LEFT-TO-RIGHT OVERRIDE;\
202E RIGHT-TO-LEFT OVERRIDE;202F NARROW NO-BREAK SPACE;2032 PRIME;205F MEDIUM MATHEMATICAL SPACE;2060 WORD JOINER;2066 LEFT-TO-RIGHT ISOLATE;\
2067 RIGHT-TO-LEFT ISOLATE;2068 FIRST STRONG ISOLATE;2069 POP DIRECTIONAL ISOLATE;2212 MINUS SIGN;3000 IDEOGRAPHIC SPACE;FEFF ZERO WIDTH NO-BREAK SPACE;\
FF04 FULLWIDTH DOLLAR SIGN;FF0C FULLWIDTH COMMA;FF0E FULLWIDTH FULL STOP;FFE5 FULLWIDTH YEN SIGN`.split(";").map((line) => line.split(/ (.*)/s).slice(0, 2)));

const meanings = {
  "written-differently": "it is the same amount, in other characters", "not-a-price": "the displayed text has no digits",
  "not-as-written": "the displayed text is not a price of this storefront", "ambiguous-number": "the displayed text may be several amounts",
  "amount-out-of-range": "the displayed number has too many digits", "text-too-long": "the displayed text has more than 4,096 bytes",
};

const hex = (character) => character.codePointAt(0).toString(16).toUpperCase();
const escaped = (text) => text.replace(/[\p{C}\p{Z}]/gu, (character) => character === " " ? " " : `\\u{${hex(character)}}`);
const quoted = (text) => `"${escaped(text.replace(/["\\]/g, "\\$&"))}"`;
const nameOf = (character) => `U+${hex(character).padStart(4, "0")} ${names.get(hex(character)) ?? escaped(character)}`;

// Returns what differs, a line for each character: the longest common subsequence stays.
function differences(expected, actual) {
  let [left, right] = [[...expected], [...actual]], start = 0;
  while (start < left.length && left[start] === right[start]) start++;
  let end = 0;
  while (end < Math.min(left.length, right.length) - start && left.at(-1 - end) === right.at(-1 - end)) end++;
  [left, right] = [left, right].map((characters) => characters.slice(start, characters.length - end).slice(0, maximumCompared));
  const lengths = Array.from({ length: left.length + 1 }, () => Array(right.length + 1).fill(0));
  for (let i = left.length - 1; i >= 0; i--) for (let j = right.length - 1; j >= 0; j--) {
    lengths[i][j] = left[i] === right[j] ? lengths[i + 1][j + 1] + 1 : Math.max(lengths[i + 1][j], lengths[i][j + 1]);
  }
  const lines = [];
  for (let i = 0, j = 0; i < left.length || j < right.length;) {
    if (i < left.length && left[i] === right[j] && i++ >= 0 && j++ >= 0) continue;
    const isMissing = i < left.length && lengths[i + 1][j] === lengths[i][j], isAdded = j < right.length && lengths[isMissing ? i + 1 : i][j + 1] === lengths[i][j];
    lines.push(`at ${start + j + 1}: ` + (isMissing && isAdded ? `${nameOf(right[j])}, expected ${nameOf(left[i])}`
      : isMissing ? `missing ${nameOf(left[i])}` : `unexpected ${nameOf(right[j])}`));
    i += isMissing ? 1 : 0;
    j += isMissing && !isAdded ? 0 : 1;
  }
  return lines.length > maximumListed ? [...lines.slice(0, maximumListed), `… and ${lines.length - maximumListed} more`] : lines;
}

// Returns decimal text without zeros at its end, so that 4.9 is 4.90.
const decimal = (amount) => /^-?\d+(\.\d+)?$/.test(amount) ? String(amount).replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "").replace(/^(-?)0+(?=\d)/, "$1") : String(amount);

// Reads and writes with a pack.
function ofPack(pack) {
  return ({ storefront, amount, date, currency }) => {
    const formatter = pack.formatter({ storefront, date, currency }), expected = formatter.format(amount);
    const find = (text) => {
      try {
        const found = formatter.read(text, { lenient: true });
        return formatter.format(found.amount) === expected ? { code: "written-differently" } : { code: "amount", amount: found.amount };
      } catch (error) {
        if (error.code in meanings) return { code: error.code };
        throw error;
      }
    };
    return { expected, currency: formatter.currency, find };
  };
}

// Returns the value of a digit of any script: ten digits are consecutive.
const digitValue = (digit) => {
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(digit.codePointAt(0) - value - 1))) value++;
  return value;
};

// Compares with the texts and the regular expressions of `pricetag expect`.
function ofExpectations(file) {
  if (file?.format !== "pricetag-expectations" || file.version !== 1) throw new TypeError("the expectations are not a file of pricetag expect; pass its contents");
  const prices = new Map();
  for (const price of file.prices) {
    const key = `${price.storefront} ${decimal(price.amount)}`;
    prices.set(key, [...prices.get(key) ?? [], price]);
  }
  return ({ storefront, amount, date, currency }) => {
    const id = String(storefront).toUpperCase(), standard = file.storefronts[id];
    if (date !== undefined && date !== file.day) throw new Error(`the expectations are of ${file.day}, not ${date}; write them with pricetag expect --at ${date}`);
    const code = currency?.toUpperCase() ?? standard?.currency;
    // A price may be written in several locales.
    const own = prices.get(`${id} ${decimal(amount)}`)?.filter((price) => !code || price.currency === code) ?? [];
    if (own.length === 0) throw new Error(`the expectations have no price ${quoted(String(amount))} of ${id}${currency ? ` in ${code}` : ""}; add it, then run pricetag expect again`);
    // Returns the digits of the number, and the form of the price, which decides its sign and its decimals.
    const numberIn = (text, { lenient, groups }) => {
      const match = new RegExp(lenient).exec(text)?.slice(1), form = match?.findIndex((part, index) => groups[index] === "digits" && part);
      return match && `${form} ${match[form].replace(/\P{Nd}/gu, "").replace(/./gu, digitValue)}`;
    };
    const codeOf = (text, price) => {
      const forms = file.storefronts[price.expressions ?? id], number = forms && numberIn(text, forms);
      return !number ? "not-as-written" : number === numberIn(price.text, forms) ? "written-differently" : "amount";
    };
    const find = (text) => {
      if (new TextEncoder().encode(text).length > maximumBytes) return { code: "text-too-long" };
      if (!/\p{Nd}/u.test(text)) return { code: "not-a-price" };
      const codes = own.map((price) => codeOf(text, price));
      return { code: ["written-differently", "amount"].find((code) => codes.includes(code)) ?? "not-as-written" };
    };
    return { expected: own[0].text, texts: own.map((price) => price.text), currency: own[0].currency, find };
  };
}

// Returns the displayed text, or a promise of it. A page does not show spaces around the text of an element.
function textOf(received) {
  if (typeof received === "string") return received;
  const content = typeof received?.textContent === "function" ? received.textContent() : received?.textContent;
  if (typeof content?.then === "function") return content.then((textContent) => textOf({ textContent }));
  if (typeof content !== "string") throw new TypeError("there is no text; pass a string, an element or a locator");
  return content.replace(/^[ \t\n\f\r]+|[ \t\n\f\r]+$/g, "");
}

// Returns the result of a comparison, as `expect.extend` expects it.
function compare(priceOf, text, options) {
  const { expected, texts = [expected], currency, find } = priceOf(options), what = `${String(options.storefront).toUpperCase()} displays ${options.amount} ${currency}`;
  const { code, amount } = texts.includes(text) ? {} : find(text);
  if (!code || options.lenient && code === "written-differently") return { pass: true, message: () => `${what} as ${quoted(text)}, which was not expected` };
  const meaning = code === "amount" ? `the displayed text is another amount${amount ? `, ${amount}` : ""}` : meanings[code];
  const lines = [`${what} differently: ${code}`, `  - expected   ${quoted(expected)}`, `  + displayed  ${quoted(text)}`,
    ...differences(expected, text).map((line) => `    ${line}`), `  ${meaning}`];
  return { pass: false, code, expected, actual: text, message: () => lines.join("\n") };
}

exports.priceMatchers = ({ pack, expectations }) => {
  const priceOf = pack ? ofPack(pack) : ofExpectations(expectations);
  return {
    toDisplayPrice(received, options) {
      const text = textOf(received), result = (text) => compare(priceOf, text, options);
      return typeof text === "string" ? result(text) : text.then(result);
    },
  };
};

exports.priceAssertion = (source) => {
  const { toDisplayPrice } = exports.priceMatchers(source);
  const check = ({ pass, message, ...details }) => {
    if (!pass) throw Object.assign(new Error(message()), { name: "AssertionError", operator: "assertPrice" }, details);
  };
  return (received, options) => {
    const result = toDisplayPrice(received, options);
    return typeof result.then === "function" ? result.then(check) : check(result);
  };
};
