// The matcher in Jest with CommonJS, and with the expectations of prices.json, without a pack.

const { priceMatchers } = require("../../Bindings/JavaScript/expect.cjs");
const cases = require("./cases.json");
const expectations = require("./prices.json");

const matchers = priceMatchers({ expectations });
expect.extend(matchers);

describe.each(Object.entries(cases))("%s", (key, rows) => {
  const [storefront, amount] = key.split(" ");
  test.each(rows)("%j: %s", (text, code) => {
    const result = matchers.toDisplayPrice(text, { storefront, amount });
    expect([result.pass, result.code ?? null]).toEqual([code === null, code]);
    if (code === null) expect(text).toDisplayPrice({ storefront, amount });
    else expect(text).not.toDisplayPrice({ storefront, amount });
    expect(matchers.toDisplayPrice(text, { storefront, amount, lenient: true }).pass).toBe(code === null || code === "written-differently");
  });
});

test("digits of two scripts are the same number", () => {
  const code = (text) => matchers.toDisplayPrice(text, { storefront: "EGY", amount: "4.50" }).code;
  expect(code("4\u066b50 EGP")).toBe("written-differently");
  expect(code("4\u066b51 EGP")).toBe("amount");
  expect(code("\u0664\u066b\u0665\u0661 EGP")).toBe("amount");
});

test("amounts, currencies and dates", () => {
  expect("49,99\u00a0\u20ac").toDisplayPrice({ storefront: "deu", amount: "49.990", date: "2026-11-28" });
  expect("\uffe51,200").toDisplayPrice({ storefront: "JPN", amount: 1200 });
  expect("1,200 coins").toDisplayPrice({ storefront: "USA", amount: "1200", currency: "RKT" });
  expect(matchers.toDisplayPrice("1,201 coins", { storefront: "USA", amount: "1200", currency: "RKT" }).code).toBe("not-as-written");
  for (const [options, message] of [
    [{ storefront: "DEU", amount: "5" }, 'the expectations have no price "5" of DEU; add it, then run pricetag expect again'],
    [{ storefront: "FRA", amount: "4.99" }, 'the expectations have no price "4.99" of FRA; add it, then run pricetag expect again'],
    [{ storefront: "USA", amount: "4.99", currency: "EUR" }, 'the expectations have no price "4.99" of USA in EUR; add it, then run pricetag expect again'],
    [{ storefront: "USA", amount: "4.99", date: "2025-01-01" }, "the expectations are of 2026-11-28, not 2025-01-01; write them with pricetag expect --at 2025-01-01"],
  ]) expect(() => matchers.toDisplayPrice("$4.99", options)).toThrow(message);
  expect(() => priceMatchers({ expectations: { format: "other" } })).toThrow("pricetag expect");
  expect(matchers.toDisplayPrice("\u20ac".repeat(1366), { storefront: "DEU", amount: "49.99" }).code).toBe("text-too-long");
});

test("the message of a failure", () => {
  const message = (text, options) => { try { expect(text).toDisplayPrice(options); } catch (error) { return error.message; } };
  expect(message("49,99 \u20ac", { storefront: "DEU", amount: "49.99" })).toBe([
    "DEU displays 49.99 EUR differently: written-differently",
    '  - expected   "49,99\\u{A0}\u20ac"',
    '  + displayed  "49,99 \u20ac"',
    "    at 6: U+0020 SPACE, expected U+00A0 NO-BREAK SPACE",
    "  it is the same amount, in other characters",
  ].join("\n"));
  expect(message("\u200f$4.98 \"", { storefront: "USA", amount: "4.99" })).toBe([
    "USA displays 4.99 USD differently: not-as-written",
    '  - expected   "$4.99"',
    '  + displayed  "\\u{200F}$4.98 \\""',
    "    at 1: unexpected U+200F RIGHT-TO-LEFT MARK",
    "    at 6: U+0038 8, expected U+0039 9",
    "    at 7: unexpected U+0020 SPACE",
    '    at 8: unexpected U+0022 "',
    "  the displayed text is not a price of this storefront",
  ].join("\n"));
  expect(message("1,200", { storefront: "JPN", amount: "1200" })).toContain("at 1: missing U+FFE5 FULLWIDTH YEN SIGN");
  expect(message("x".repeat(300), { storefront: "USA", amount: "4.99" }).split("\n").length).toBe(13);
  expect(() => expect("$4.99").not.toDisplayPrice({ storefront: "USA", amount: "4.99" })).toThrow('USA displays 4.99 USD as "$4.99", which was not expected');
});

test("elements and locators", async () => {
  const price = { storefront: "USA", amount: "4.99" };
  expect({ textContent: "\n    $4.99\n  " }).toDisplayPrice(price);
  expect({ textContent: "\u00a0$4.99" }).not.toDisplayPrice(price);
  expect(" $4.99").not.toDisplayPrice(price);
  await expect({ textContent: async () => "\t$4.99 " }).toDisplayPrice(price);
  await expect({ textContent: () => Promise.resolve("$4.98") }).not.toDisplayPrice(price);
  await expect(expect({ textContent: async () => null }).toDisplayPrice(price)).rejects.toThrow("there is no text");
  for (const received of [undefined, null, 4.99, {}, { textContent: null }]) expect(() => expect(received).toDisplayPrice(price)).toThrow("there is no text");
});
