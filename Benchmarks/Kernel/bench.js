// Measures pricetag.js beside Intl.NumberFormat. It runs in Node and in browsers.

// Those of PriceBenchmarks.
const stores = [
  ["en-US", "USD", 2], ["de-DE", "EUR", 2], ["fr-FR", "EUR", 2], ["ja-JP", "JPY", 0], ["ar-EG", "EGP", 2], ["hi-IN", "INR", 2],
];

function amounts(digits) {
  let state = 7n;
  return Array.from({ length: 1000 }, () => {
    state = BigInt.asUintN(64, state * 6364136223846793005n + 1442695040888963407n);
    const units = String((state >> 33n) % 1999999n + 1n).padStart(digits + 1, "0");
    return digits === 0 ? units : `${units.slice(0, -digits)}.${units.slice(-digits)}`;
  });
}

const median = (values) => values.sort((first, second) => first - second)[values.length >> 1];

// Returns the nanoseconds of two functions for each of their values, in turn.
function times(first, firstValues, second, secondValues) {
  let length = 0;
  const measure = (format, values) => {
    const start = performance.now();
    for (let again = 0; again < 10; again++) for (const value of values) length += format(value).length;
    return ((performance.now() - start) * 1e6) / (10 * values.length);
  };
  const found = [[], []];
  for (let round = 0; round < 40; round++) {
    found[0].push(measure(first, firstValues));
    found[1].push(measure(second, secondValues));
  }
  // The engine must not leave out what has no result.
  return length > 0 && found.map((times) => median(times).toFixed(0));
}

const intlOf = (locale, currency) => new Intl.NumberFormat(locale, { style: "currency", currency });

/** Returns a line for each store: the nanoseconds per price of the pack and of a reused Intl.NumberFormat. */
export function prices(pack) {
  return stores.map(([locale, currency, digits]) => {
    const texts = amounts(digits), own = pack.formatter({ locale, currency }), intl = intlOf(locale, currency);
    // Packs and browsers may have different versions of CLDR.
    const equal = texts.filter((text) => own.format(text) === intl.format(text)).length;
    const [ownTime, intlTime] = times((text) => own.format(text), texts, (text) => intl.format(text), texts);
    return [`${locale}_${currency}`, ownTime, intlTime, equal].join("\t");
  });
}

/** The same for phrases, such as "$9.99 per month", of prices that exist, beside the price alone of Intl.NumberFormat. */
export function phrases(pack) {
  return stores.map(([locale, currency, digits]) => {
    const texts = amounts(digits), formatter = pack.formatter({ locale, currency }), intl = intlOf(locale, currency);
    const words = pack.phrases(locale), values = texts.map((text) => ({ price: formatter.price(text) }));
    const [ownTime, intlTime] = times((value) => words.format("price_per_month", value), values, (text) => intl.format(text), texts);
    return [`phrase_${locale}_${currency}`, ownTime, intlTime].join("\t");
  });
}

/** Returns the microseconds to the first price of Intl.NumberFormat. */
export function firstIntlPrice() {
  const start = performance.now();
  const text = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" }).format("1234.50");
  const end = performance.now();
  if (text !== "$1,234.50") throw new Error(text);
  return (end - start) * 1000;
}

/** Returns the microseconds to the first price of a pack, from the request to load it, and from the loaded pack. */
export async function firstOwnPrice(load) {
  const start = performance.now();
  const pack = await load();
  const loaded = performance.now();
  const text = pack.formatter({ storefront: "USA" }).format("1234.50");
  const end = performance.now();
  if (text !== "$1,234.50") throw new Error(text);
  return [(end - start) * 1000, (end - loaded) * 1000];
}
