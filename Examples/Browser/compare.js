// Formats the rows that `pricetag batch` wrote, and compares each text with the server's.
import { PricePack } from "./pricetag.js";

const maximumShownRows = 500;
const summary = document.querySelector("#summary");

async function textOf(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: the server answers ${response.status}; run the script "prepare" again`);
  return response.text();
}

function cell(text, price) {
  const cell = document.createElement("td");
  if (price === undefined) {
    cell.textContent = text;
  } else {
    const isolated = document.createElement("bdi");
    Object.assign(isolated, { textContent: text, ...price });
    cell.append(isolated);
  }
  return cell;
}

async function compare() {
  const [rows, settings, pack] = await Promise.all([textOf("rows.jsonl"), textOf("settings.json"), PricePack.load("store.pack")]);
  const { date } = JSON.parse(settings);
  const formatters = new Map();
  const counts = { rows: 0, identical: 0, different: 0, failed: 0 };
  const shown = [], start = performance.now();
  for (const line of rows.split("\n")) {
    if (line === "") continue;
    const { storefront, currency, amount, productIdentifier, display, spoken } = JSON.parse(line);
    counts.rows += 1;
    const key = `${storefront} ${currency}`;
    let text, price, isIdentical = false;
    try {
      let formatter = formatters.get(key);
      if (!formatter) formatters.set(key, formatter = pack.formatter({ storefront, currency, date }));
      text = formatter.format(amount);
      isIdentical = text === display && formatter.spoken(amount) === spoken;
      counts[isIdentical ? "identical" : "different"] += 1;
      price = { lang: formatter.locale, dir: formatter.direction(amount) };
    } catch (error) {
      counts.failed += 1;
      text = `${error.code}: ${error.message}`;
    }
    if (!isIdentical || shown.length < maximumShownRows) {
      const row = document.createElement("tr");
      row.className = isIdentical ? "" : "different";
      row.append(cell(storefront), cell(productIdentifier), cell(`${amount} ${currency}`), cell(display, price ?? {}), cell(text, price));
      if (isIdentical) shown.push(row); else shown.unshift(row);
    }
  }
  const milliseconds = performance.now() - start;
  document.querySelector("tbody").append(...shown.slice(0, maximumShownRows));
  if (counts.rows > maximumShownRows) document.querySelector("#more").textContent = `The table has ${maximumShownRows} rows; rows that differ come first.`;
  summary.textContent = `${counts.rows} rows: ${counts.identical} identical, ${counts.different} different, ${counts.failed} failed; ${milliseconds.toFixed(0)} ms. The pack is of ICU ${pack.version("icu")}.`;
  document.documentElement.dataset.counts = JSON.stringify(counts);
}

compare().catch((error) => {
  summary.textContent = error.message;
  document.documentElement.dataset.counts = "{}";
});
