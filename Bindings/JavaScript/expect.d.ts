import type { Amount, PricePack } from "./pricetag.js";

/**
 * What displayed prices are compared with: a pack, loaded with pricetag-full.wasm; or the contents of a file of `pricetag expect`,
 * as `JSON.parse` returns them, for which no pack and no module are needed.
 */
export type PriceSource = { pack: PricePack } | { expectations: object };

export interface ExpectedPrice {
  storefront: string;
  /** The amount, such as "49.99". With expectations: decimal text or an integer. */
  amount: Amount;
  /** The date that decides the currency of the storefront. With expectations: only their own. */
  date?: string;
  /** The currency, if it is not that of the storefront on the date. */
  currency?: string;
  /** Whether to allow the same amount in other characters: the finding "written-differently". */
  lenient?: boolean;
}

/** What displays a price: text, a DOM element, or a locator of Playwright. Spaces around the text of an element are ignored. */
export type Displayed = string | { textContent: string | null } | { textContent(): Promise<string | null> };

/** The result of a matcher. The code is that of the finding, such as "written-differently" or "amount". */
export type MatcherResult = { pass: boolean; message(): string; code?: string; expected?: string; actual?: string };

/** Returns the matcher for `expect.extend` of Jest, Vitest and Playwright. It returns a promise for a locator. */
export function priceMatchers(source: PriceSource): {
  toDisplayPrice(received: Displayed, expected: ExpectedPrice): MatcherResult | Promise<MatcherResult>;
};

/** Returns a function that throws an error with the `code` of the finding. It returns a promise for a locator. */
export function priceAssertion(source: PriceSource): (received: Displayed, expected: ExpectedPrice) => void | Promise<void>;
