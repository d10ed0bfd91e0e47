// Measures pricetag.js in Chromium, in a new browser for each first price. Prints one figure per line.
//
//     node browser.mjs MODULE PRICES STOREFRONTS RUNS      with the program CHROMIUM, or chromium

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const [module, pricePack, storefrontPack, runs] = process.argv.slice(2);
const read = (path) => readFileSync(fileURLToPath(new URL(path, import.meta.url)));

const scripts = {
  // The first prices of this browser. The files come from the server of this machine.
  first: 'const [total, loaded] = await firstOwnPrice(() => PricePack.load("/storefronts.pack")); report = [total, loaded];',
  // The same, from a pack and a module whose bytes the page already has.
  bytes: `const [pack, module] = await Promise.all(["/storefronts.pack", "/pricetag.wasm"].map(async (url) => (await fetch(url)).arrayBuffer()));
    report = await firstOwnPrice(() => PricePack.load(pack, { module }));`,
  intl: "report = [firstIntlPrice()];",
  prices: 'report = prices(await PricePack.load("/prices.pack"));',
};
const page = (script) => `<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>Benchmark</title><script type="module">
  import { PricePack } from "/pricetag.js";
  import { firstIntlPrice, firstOwnPrice, prices } from "/bench.js";
  let report;
  try { ${script} } catch (error) { report = "error: " + error.stack; }
  await fetch("/report", { method: "POST", body: JSON.stringify(report) });
</script>`;

const files = {
  "/pricetag.js": ["text/javascript", read("../../Bindings/JavaScript/pricetag.js")],
  "/bench.js": ["text/javascript", read("bench.js")],
  "/pricetag.wasm": ["application/wasm", readFileSync(module)],
  "/prices.pack": ["application/octet-stream", readFileSync(pricePack)],
  "/storefronts.pack": ["application/octet-stream", readFileSync(storefrontPack)],
};

let receive;
const server = createServer((request, response) => {
  if (request.method === "POST") {
    let body = "";
    request.setEncoding("utf8").on("data", (part) => (body += part)).on("end", () => {
      response.end();
      receive?.(JSON.parse(body));
    });
    return;
  }
  const script = scripts[request.url.slice(1)];
  const [type, contents] = script ? ["text/html", page(script)] : (files[request.url] ?? []);
  if (contents === undefined) return void response.writeHead(404).end();
  // With these headers, performance.now has a resolution of 5 µs, otherwise one of 100 µs.
  response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
  response.setHeader("Cross-Origin-Embedder-Policy", "require-corp");
  response.setHeader("Content-Type", type);
  response.end(contents);
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));

// Opens a page in a new browser, and returns its report.
async function report(name) {
  const profile = mkdtempSync(join(tmpdir(), "pricetag-bench-"));
  const options = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", `--user-data-dir=${profile}`,
    `http://127.0.0.1:${server.address().port}/${name}`,
  ];
  const browser = spawn(process.env.CHROMIUM ?? "chromium", options, { stdio: "ignore" });
  const ended = new Promise((resolve) => browser.once("exit", resolve).once("error", resolve));
  const received = await Promise.race([
    new Promise((resolve) => (receive = resolve)),
    ended.then(() => "error: Chromium ended without a report"),
    new Promise((resolve) => setTimeout(resolve, 120_000, "error: no report in two minutes").unref()),
  ]);
  receive = undefined;
  browser.kill();
  await ended;
  // The browser's other processes may still write into it.
  await rm(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  if (typeof received === "string") throw new Error(received);
  return received;
}

const median = (values) => values.sort((first, second) => first - second)[values.length >> 1];
const times = { first: [], bytes: [], intl: [] };
// In turn, so that ratios are valid even if the speed of the machine changes.
for (let run = 0; run < Number(runs); run++) for (const name of Object.keys(times)) times[name].push(await report(name));
for (const [name, values] of Object.entries(times)) {
  console.log(`${name}\t${values[0].map((_, index) => median(values.map((value) => value[index])).toFixed(0)).join("\t")}`);
}
console.log((await report("prices")).join("\n"));
server.close();
