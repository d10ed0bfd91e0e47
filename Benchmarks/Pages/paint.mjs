// Measures when Chromium has painted the largest element of pages (Largest Contentful Paint) on a slow phone: a quarter of the
// processor's speed, 1.6 Mbit/s, 150 ms of latency, and no cache. Prints a row for each page: the median of five loads.
//
//     node paint.mjs SITE PAGE...      with the program chromedriver

import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { gzipSync } from "node:zlib";

const [site, ...pages] = process.argv.slice(2);
const types = {
  ".html": "text/html; charset=utf-8", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml", ".png": "image/png",
  ".jpg": "image/jpeg",
};

const server = createServer(async (request, response) => {
  const path = new URL(request.url, "http://localhost").pathname;
  const file = path.endsWith("/") ? `${path}index.html` : path;
  try {
    const bytes = await readFile(join(site, file));
    const isText = ![".png", ".jpg"].includes(extname(file));
    response.setHeader("Content-Type", types[extname(file)] ?? "application/octet-stream");
    if (isText) response.setHeader("Content-Encoding", "gzip");
    response.end(isText ? gzipSync(bytes) : bytes);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));

// An own port, which is free a moment before.
const probe = createServer();
const port = await new Promise((resolve) => probe.listen(0, "127.0.0.1", () => resolve(probe.address().port)));
await new Promise((resolve) => probe.close(resolve));
const driver = spawn(process.env.CHROMEDRIVER ?? "chromedriver", [`--port=${port}`], { stdio: "ignore" });

async function send(method, path, body) {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, body: body && JSON.stringify(body) });
  const { value } = await response.json();
  if (value?.error) throw new Error(`${value.error}: ${value.message}`);
  return value;
}

async function isReady() {
  try {
    return (await send("GET", "/status")).ready;
  } catch {
    return false;
  }
}

const largestPaint = `
  const done = arguments[0];
  let last;
  new PerformanceObserver((list) => { last = list.getEntries().at(-1) ?? last; })
    .observe({ type: "largest-contentful-paint", buffered: true });
  setTimeout(() => done(last && [last.startTime, last.element?.tagName.toLowerCase(), last.element?.className || ""]), 500);`;

let session;
try {
  for (let attempt = 0; attempt < 100 && !(await isReady()); attempt++) await new Promise((resolve) => setTimeout(resolve, 100));
  const options = {
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
    mobileEmulation: { deviceMetrics: { width: 360, height: 800, pixelRatio: 2 } },
  };
  const capabilities = { alwaysMatch: { browserName: "chrome", "goog:chromeOptions": options } };
  session = `/session/${(await send("POST", "/session", { capabilities })).sessionId}`;
  const command = (cmd, params) => send("POST", `${session}/goog/cdp/execute`, { cmd, params });
  await command("Network.enable", {});
  await command("Network.setCacheDisabled", { cacheDisabled: true });
  await command("Network.emulateNetworkConditions", {
    offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8,
  });
  await command("Emulation.setCPUThrottlingRate", { rate: 4 });
  console.log("| Page | Largest element | Painted after |\n|---|---|--:|");
  for (const page of pages) {
    const paints = [];
    for (let load = 0; load < 5; load++) {
      await send("POST", `${session}/url`, { url: `http://127.0.0.1:${server.address().port}/${page}` });
      const paint = await send("POST", `${session}/execute/async`, { script: largestPaint, args: [] });
      if (!paint) throw new Error(`${page}: no paint`);
      paints.push(paint);
    }
    const [time, element, name] = paints.sort((first, second) => first[0] - second[0])[2];
    console.log(`| \`/${page}\` | \`${element}${name ? `.${name.split(" ")[0]}` : ""}\` | ${(time / 1000).toFixed(2)} s |`);
  }
} finally {
  if (session) await send("DELETE", session).catch(() => {});
  driver.kill();
  server.close();
}
