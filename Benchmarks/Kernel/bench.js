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

/** Returns a line for each store: the nanoseconds per price of the pack and of a reused Intl.NumberFormat, in turn. */
export function prices(pack) {
  return stores.map(([locale, currency, digits]) => {
    const texts = amounts(digits);
    const own = pack.formatter({ locale, currency });
    const intl = new Intl.NumberFormat(locale, { style: "currency", currency });
    let length = 0;
    const measure = (formatter) => {
      const start = performance.now();
      for (let again = 0; again < 10; again++) for (const text of texts) length += formatter.format(text).length;
      return ((performance.now() - start) * 1e6) / (10 * texts.length);
    };
    const [ownTimes, intlTimes] = [[], []];
    for (let round = 0; round < 40; round++) {
      ownTimes.push(measure(own));
      intlTimes.push(measure(intl));
    }
    // Packs and browsers may have different versions of CLDR.
    const equal = texts.filter((text) => own.format(text) === intl.format(text)).length;
    return [`${locale}_${currency}`, median(ownTimes).toFixed(0), median(intlTimes).toFixed(0), equal, length > 0].join("\t");
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
