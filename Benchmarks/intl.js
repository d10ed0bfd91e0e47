// Measures Intl.NumberFormat of Node with the amounts of the Swift benchmarks, and messages with Intl.PluralRules and
// Intl.NumberFormat (as intl-messageformat uses them). Prints the median in nanoseconds per price or message, one per line.
const stores = [
  ['en-US', 'USD', 2], ['de-DE', 'EUR', 2], ['fr-FR', 'EUR', 2], ['ja-JP', 'JPY', 0], ['ar-EG', 'EGP', 2],
  ['hi-IN', 'INR', 2],
];

function amounts(digits) {
  let state = 7n;
  return Array.from({ length: 1000 }, () => {
    state = BigInt.asUintN(64, state * 6364136223846793005n + 1442695040888963407n);
    const units = String((state >> 33n) % 1999999n + 1n).padStart(digits + 1, '0');
    return digits === 0 ? units : `${units.slice(0, -digits)}.${units.slice(-digits)}`;
  });
}

function median(texts, format) {
  const runs = [];
  let length = 0;
  for (let run = 0; run < 60; run++) {
    const start = process.hrtime.bigint();
    for (const text of texts) length += format(text).length;
    runs.push(Number(process.hrtime.bigint() - start) / texts.length);
  }
  runs.sort((a, b) => a - b);
  return `${Math.round(runs[30])}\t${length}`;
}

for (const [locale, currency, digits] of stores) {
  const formatter = new Intl.NumberFormat(locale, { style: 'currency', currency });
  console.log(`${locale}_${currency}\t${median(amounts(digits), (text) => formatter.format(text))}`);
}

const messages = {
  'en-US': { one: ' car for ', other: ' cars for ' },
  'ru': { one: ' машина за ', few: ' машины за ', many: ' машин за ', other: ' машины за ' },
  'ar': {
    zero: ' سيارة مقابل ', one: 'سيارة مقابل ', two: 'سيارتان مقابل ', few: ' سيارات مقابل ',
    many: ' سيارة مقابل ', other: ' سيارة مقابل ',
  },
};
const counts = Array.from({ length: 1000 }, (_, index) => index + 1);
for (const [locale, branches] of Object.entries(messages)) {
  const rules = new Intl.PluralRules(locale);
  const numbers = new Intl.NumberFormat(locale);
  const format = (count) => {
    const words = branches[rules.select(count)];
    const text = words.startsWith(' ') ? numbers.format(count) + words : words;
    return `${text}\u2068$4.99\u2069`;
  };
  console.log(`message_${locale}\t${median(counts, format)}`);
}
