import type { Amount, PriceFormatter, PricePack, Rounding, Source } from "./pricetag.js";

declare module "./pricetag.js" {
  interface PricePack {
    /**
     * Returns the phrases in the language that the pack has for a BCP 47 tag, such as "de-AT": `language` says which one it is.
     * Needs pricetag-full.wasm.
     */
    phrases(tag: string): PricePhrases;
    /** The languages of the phrases in the pack, sorted. */
    readonly languages: string[];
  }
  interface PriceFormatter {
    /** Returns a formatted price, which phrases accept. */
    price(amount: Amount): FormattedPrice;
  }
}

/** Loads a pack with `pricetag-full.wasm`, which must be beside `phrases.js`: `await loadPack("/shop.pack")`. */
export function loadPack(source: Source): Promise<PricePack>;

declare const brand: unique symbol;

/** A price that a formatter wrote. There is no other way to put a price into a phrase. */
export class FormattedPrice {
  private constructor();
  private readonly [brand]: true;
  readonly text: string;
  /** The amount as decimal text. */
  readonly amount: string;
  readonly spoken: string;
  readonly locale: string;
  readonly currency: string;
  readonly direction: "ltr" | "rtl";
  toString(): string;
  /** Returns the price of a quantity, exactly. Needs pricetag-full.wasm, as the other arithmetic. */
  total(quantity: number | bigint): FormattedPrice;
  /**
   * Returns the price for one period, computed from this price for another: `price.per("P1M", { of: "P1Y", rounding: "half-up" })`.
   * With the rounding "exact", the default, a result with more decimals than are displayed is an error.
   */
  per(period: string, options: { of: string; rounding?: Rounding }): FormattedPrice;
  /** Returns the percentage that this price for a period saves compared with another one for its own period, rounded down. */
  saving(period: string, other: FormattedPrice, otherPeriod: string): number;
}

/**
 * The value of an argument: a formatted price, a phrase, a count or percentage (an integer or decimal text), or the keyword of a
 * select. A number or a text for a price throws a TypeError with the code "wrong-argument".
 */
export type PhraseValue = FormattedPrice | Phrase | number | bigint | string;

/** A message with its arguments, which can be the argument of another message. */
export class Phrase {
  private constructor();
  private readonly [brand]: true;
  /** The text, with U+2068 and U+2069 around prices, so that it displays correctly in both directions. */
  readonly text: string;
  /** The text without isolates. */
  readonly plain: string;
  /** The text with the spoken forms of prices. */
  readonly spoken: string;
  /** The language of the message. It is another one than the requested one if that lacks the message. */
  readonly language: string;
  readonly direction: "ltr" | "rtl";
  toString(): string;
}

/** The messages of a language in a pack. */
export class PricePhrases {
  private constructor();
  /** The language that is used. */
  readonly language: string;
  readonly direction: "ltr" | "rtl";
  /** The keys of the messages, sorted. */
  readonly keys: string[];
  /** Returns the text of a message: `phrases.format("price_per_month", { price })`. */
  format(key: string, values?: Record<string, PhraseValue | undefined>): string;
  /** Returns a message with its arguments. */
  phrase(key: string, values?: Record<string, PhraseValue | undefined>): Phrase;
  /** Returns the price of a period, such as "P1M" or "P3M": $9.99 per month. */
  perPeriod(price: FormattedPrice, period: string): Phrase;
  /** Returns a duration, such as "P7D": 7 days. */
  duration(period: string): Phrase;
}
