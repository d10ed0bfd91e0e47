// Tests of the module in Node with the pack PRICETAG_PACK, which has all storefronts.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import test from "node:test";
import { Worker, isMainThread, parentPort, workerData } from "node:worker_threads";
import { PricePack, PriceTagError } from "pricetag";

const path = isMainThread ? process.env.PRICETAG_PACK : workerData;
const pack = await PricePack.load(path);

if (isMainThread) {
  const code = (run) => {
    try {
      return run();
    } catch (error) {
      assert(error instanceof PriceTagError, error);
      assert(error.message.endsWith(`; ${error.fix}`), error.message);
      return error.code;
    }
  };

  for (const [options, amount, expected] of [
    [{ storefront: "JPN" }, "1200", "￥1,200"],
    [{ storefront: "JPN" }, 1200n, "￥1,200"],
    [{ storefront: "USA" }, 499n, "$4.99"],
    [{ storefront: "USA" }, "-1234.5", "-$1,234.50"],
    [{ storefront: "EGY" }, "1499.99", "\u200f١٬٤٩٩٫٩٩\u00a0ج.م.\u200f"],
    [{ storefront: "BGR", date: "2026-01-31" }, "0.99", "€0.99"],
    [{ storefront: "USA", rounding: "half-even" }, "4.995", "$5.00"],
    [{ locale: "ff-Adlm-GN", currency: "GNF" }, "1234", "FG\u00a0𞥑⹁𞥒𞥓𞥔"],
    [{ storefront: "JPN" }, "4.99", "needs-rounding"],
    [{ storefront: "USA" }, 4.99, "invalid-argument"],
    [{ storefront: "USA" }, "4,99", "malformed-amount"],
    [{ storefront: "USA" }, "1\0", "malformed-amount"],
    [{ storefront: "USA" }, "\ud800", "malformed-amount"],
    [{ storefront: "USA\0" }, "1", "unknown-storefront"],
    [{ storefront: "BGR" }, "1", "missing-date"],
  ]) {
    test(`${JSON.stringify(options)} ${typeof amount} ${JSON.stringify(String(amount))}`, () => {
      assert.equal(code(() => pack.formatter(options).format(amount)), expected);
    });
  }

  test("a pack from bytes has the same prices; a damaged one is rejected", async () => {
    const bytes = await readFile(path);
    const copy = await PricePack.load(bytes);
    assert.equal(copy.formatter({ storefront: "DEU" }).format("49.99"), "49,99\u00a0€");
    bytes[bytes.length >> 1] ^= 1;
    await assert.rejects(PricePack.load(bytes), { code: "damaged-pack" });
    await assert.rejects(PricePack.load(`${path}.none`), { code: "unreadable-file" });
  });

  test("worker threads", async () => {
    const texts = await Promise.all(
      ["USA", "DEU", "JPN"].map(
        (storefront) =>
          new Promise((resolve, reject) => {
            const worker = new Worker(new URL(import.meta.url), { workerData: path });
            worker.on("message", resolve).on("error", reject).postMessage(storefront);
          }),
      ),
    );
    assert.deepEqual(texts, ["$1,234.00", "1.234,00\u00a0€", "￥1,234"]);
  });
} else {
  parentPort.once("message", (storefront) => parentPort.postMessage(pack.formatter({ storefront }).format("1234")));
}
