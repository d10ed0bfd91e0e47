// Opens the store pages of a site in Chromium, writes each price with its words again as <price-tag>, and compares the text with that of the
// server. Prints one line for each language, with a sample.
//
//     node hydration.mjs SITE PACK CATALOG KERNEL STOREFRONT LANGUAGE…     SITE is that of `pricetag pages`, KERNEL that of `make kernel`

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [site, pack, catalog, kernel, storefront, ...languages] = process.argv.slice(2);
const periods = Object.fromEntries(
  JSON.parse(readFileSync(catalog, "utf8")).products.flatMap((product) => {
    // Pages show the period of a subscription that renews.
    const period = product.kind === "auto-renewable-subscription" ? product.subscriptionPeriod : "";
    return [[product.productIdentifier, period]];
  }),
);

// Runs in the page. The visible text of a price has no spoken form.
async function compare({ periods, storefront }) {
  await import("/kernel/price-tag.js");
  const visible = (element) => {
    const copy = element.cloneNode(true);
    for (const spoken of copy.querySelectorAll(".spoken, [style*='clip-path']")) spoken.remove();
    return copy.textContent.trim();
  };
  const found = [];
  for (const amount of document.querySelectorAll(".amount.by-period")) {
    const product = amount.closest("[data-product]")?.dataset.product ?? amount.parentElement.querySelector("[data-product]")?.dataset.product;
    const price = amount.querySelector("[data-amount]"), tag = document.createElement("price-tag");
    if (!(product in periods) || !price) continue;
    const attributes = { storefront, amount: price.dataset.amount, period: periods[product], pack: "/kernel/phrases.pack", language: document.documentElement.lang };
    for (const name in attributes) if (attributes[name]) tag.setAttribute(name, attributes[name]);
    const server = visible(amount);
    document.body.append(tag);
    await tag.ready;
    found.push([server, visible(tag), tag.dataset.error ?? ""]);
  }
  return found;
}

const page = (language) => `/store/${storefront.toLowerCase()}/${language.toLowerCase()}/index.html`;
const script = `<script type="module">
const compare = ${compare};
let result;
try { result = await compare(${JSON.stringify({ periods, storefront })}); } catch (error) { result = [["", String(error.stack), "failed"]]; }
await fetch("/report?" + location.pathname, { method: "POST", body: JSON.stringify(result) });
</script>`;
const types = { js: "text/javascript", wasm: "application/wasm", html: "text/html; charset=utf-8", css: "text/css", svg: "image/svg+xml" };
const profile = mkdtempSync(join(tmpdir(), "pricetag-hydration-"));
const reports = new Map();
const server = createServer((request, response) => {
  const path = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
  if (path === "/report") {
    let body = "";
    request.setEncoding("utf8").on("data", (part) => (body += part)).on("end", () => {
      response.end();
      reports.get(request.url.split("?")[1])(JSON.parse(body));
    });
    return;
  }
  try {
    let bytes = readFileSync(path === "/kernel/phrases.pack" ? pack : path.startsWith("/kernel/") ? join(kernel, path.slice(8)) : join(site, path));
    // The script is that of this test, and not of the page.
    if (path.endsWith(".html")) bytes = String(bytes).replace(/<meta[^>]*Content-Security-Policy[^>]*>/i, "") + script;
    response.setHeader("Content-Type", types[path.split(".").pop()] ?? "application/octet-stream").end(bytes);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
let failed = false, count = 0;
for (const language of languages) {
  const path = page(language);
  const report = new Promise((resolve) => reports.set(path, resolve));
  const browser = spawn(process.env.CHROMIUM ?? "chromium", [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", `--user-data-dir=${profile}`,
    `http://127.0.0.1:${server.address().port}${path}`,
  ], { stdio: "ignore" });
  const found = await Promise.race([report, new Promise((resolve) => setTimeout(resolve, 60000, [["", "no report in 60 s", "timeout"]]))]);
  browser.kill();
  await new Promise((resolve) => browser.once("exit", resolve));
  const different = found.filter(([server, browser, error]) => server !== browser || error);
  failed ||= different.length > 0 || found.length === 0;
  count += found.length;
  console.log(`${language}: ${found.length} cards, ${different.length} differences: ${found.map(([server]) => server).sort((a, b) => b.length - a.length)[0]}`);
  for (const [server, browser, error] of different.slice(0, 3)) console.log(`  ${JSON.stringify(server)} is ${JSON.stringify(browser)} ${error}`);
}
console.log(`${count} cards in ${languages.length} languages`);
await rm(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
process.exit(failed ? 1 : 0);
