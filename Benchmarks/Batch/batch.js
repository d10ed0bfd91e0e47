// The fastest batch job in Node: reads rows of JSON Lines in large chunks, reuses one Intl.NumberFormat per storefront, and
// appends the formatted price to each row without serializing its other fields.
//
//   node batch.js STORES ROWS
const { once } = require('node:events');
const { createReadStream, readFileSync } = require('node:fs');

const [storesPath, rowsPath] = process.argv.slice(2);
const locales = new Map(
  readFileSync(storesPath, 'utf8').trim().split('\n').map((line) => line.split('\t').slice(0, 2)),
);
const formatters = new Map();

function formatter(storefront, currency) {
  let found = formatters.get(storefront);
  if (!found) {
    if (!locales.has(storefront)) throw new Error(`unknown storefront ${storefront}`);
    found = new Intl.NumberFormat(locales.get(storefront), { style: 'currency', currency });
    formatters.set(storefront, found);
  }
  return found;
}

function withDisplay(line) {
  const { storefront, currency, amount } = JSON.parse(line);
  // The amount stays a string, because a Number cannot represent some amounts.
  const display = formatter(storefront, currency).format(amount);
  return `${line.slice(0, -1)},"display":${JSON.stringify(display)}}\n`;
}

async function main() {
  let rest = '';
  for await (const chunk of createReadStream(rowsPath, { encoding: 'utf8', highWaterMark: 1 << 20 })) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop();
    let text = '';
    for (const line of lines) text += withDisplay(line);
    if (!process.stdout.write(text)) await once(process.stdout, 'drain');
  }
  if (rest) process.stdout.write(withDisplay(rest));
}

main();
