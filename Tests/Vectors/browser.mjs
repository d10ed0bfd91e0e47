// Compares the rows of a vector file in Chromium: serves a page, opens it, and prints the report that the page sends.
//
//     node browser.mjs FOLDER MODULE [SECONDS [SCRIPT]]      with the program CHROMIUM, or chromium; the script compares the rows

import { spawn } from "node:child_process";
import { createReadStream, mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const [folder, module, seconds = "600", script = here("vectors.js")] = process.argv.slice(2);

const page = `<!DOCTYPE html>
<html lang="en"><meta charset="utf-8"><title>Vectors</title>
<script type="module">
  import { PricePack } from "/Bindings/JavaScript/pricetag.js";
  import { compare } from "/tests/x/vectors.js";
  let result;
  try {
    const version = navigator.userAgent.match(/Chrome\\/([0-9]+)/)?.[1] ?? "";
    const text = await (await fetch("/data/vectors.tsv")).text();
    result = await compare("Chromium " + version, text, (name) => PricePack.load("/data/" + name));
  } catch (error) {
    result = { report: String(error.stack ?? error), isEqual: false };
  }
  await fetch("/report", { method: "POST", body: JSON.stringify(result) });
</script>`;

const types = { js: "text/javascript", wasm: "application/wasm", tsv: "text/plain; charset=utf-8" };
const files = {
  "/Bindings/JavaScript/pricetag.js": here("../../Bindings/JavaScript/pricetag.js"),
  "/Bindings/JavaScript/phrases.js": here("../../Bindings/JavaScript/phrases.js"),
  "/Bindings/JavaScript/pricetag.wasm": module,
  "/tests/x/vectors.js": script,
};

const profile = mkdtempSync(join(tmpdir(), "pricetag-vectors-"));
let browser, isFinished = false;

// Prints a message, ends the browser and exits.
function finish(message, code) {
  if (isFinished) return;
  isFinished = true;
  console.log(message);
  const exit = async () => {
    // The browser's other processes may still write into it.
    await rm(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    process.exit(code);
  };
  browser?.once("exit", exit);
  if (!browser?.kill()) exit();
}

const server = createServer((request, response) => {
  const path = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
  if (request.method === "POST" && path === "/report") {
    let body = "";
    request.setEncoding("utf8").on("data", (part) => (body += part)).on("end", () => {
      response.end();
      const { report, isEqual } = JSON.parse(body);
      finish(report, isEqual ? 0 : 1);
    });
    return;
  }
  if (path === "/") return void response.setHeader("Content-Type", "text/html").end(page);
  const file = path.startsWith("/data/") ? join(folder, basename(path)) : files[path];
  if (file === undefined) return void response.writeHead(404).end();
  response.setHeader("Content-Type", types[file.split(".").pop()] ?? "application/octet-stream");
  createReadStream(file).on("error", () => response.writeHead(404).end()).pipe(response);
});

server.listen(0, "127.0.0.1", () => {
  const options = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", `--user-data-dir=${profile}`,
    `http://127.0.0.1:${server.address().port}/`,
  ];
  browser = spawn(process.env.CHROMIUM ?? "chromium", options, { stdio: "ignore" });
  browser.on("error", (error) => finish(`Chromium does not start: ${error.message}`, 1));
  browser.on("exit", (code) => finish(`Chromium ended with ${code} before it sent a report`, 1));
});
setTimeout(() => finish(`Chromium sent no report in ${seconds} seconds`, 1), Number(seconds) * 1000).unref();
