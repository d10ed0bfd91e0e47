// Node's Intl.NumberFormat, reused, over the same amounts: the median of nanoseconds a price, a line per store.
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

for (const [locale, currency, digits] of stores) {
  const formatter = new Intl.NumberFormat(locale, { style: 'currency', currency });
  const texts = amounts(digits);
  const runs = [];
  let bytes = 0;
  for (let run = 0; run < 60; run++) {
    const start = process.hrtime.bigint();
    for (const text of texts) bytes += formatter.format(text).length;
    runs.push(Number(process.hrtime.bigint() - start) / texts.length);
  }
  runs.sort((a, b) => a - b);
  console.log(`${locale}_${currency}\t${Math.round(runs[30])}\t${bytes}`);
}
