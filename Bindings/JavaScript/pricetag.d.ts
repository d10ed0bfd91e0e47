/** A rounding mode. With "exact", the default, an amount with more decimals than are displayed is an error. */
export type Rounding = "exact" | "half-even" | "half-up" | "half-down" | "up" | "down" | "ceiling" | "floor";

/** How a price is written. A pack has the styles that it was written with. */
export interface PriceStyle {
  width?: "standard" | "narrow" | "iso" | "name" | "hidden" | "formal" | "variant" | "unambiguous";
  zeros?: "keep" | "trim";
  sign?:
    | "auto" | "accounting" | "always" | "never" | "except-zero" | "accounting-always" | "accounting-except-zero"
    | "negative" | "accounting-negative";
  /** "standard", "cash", "minor-units", a number from 0 to 18, or a range such as "0-2". */
  digits?: string | number;
  grouping?: "auto" | "always" | "min2" | "never";
  /** A numbering system of CLDR, such as "latn". */
  numbering?: string;
  notation?: "standard" | "compact-short" | "compact-long";
  qualifier?: "none" | "approximately" | "at-least";
  /** The reference of unit prices, such as "kg" or "100 mL". */
  unit?: string;
}

/**
 * Decimal text such as "1234.50", minor units such as 123450n, or an integer such as 1200. A number with a fraction is an
 * error, because a number may not have the exact value.
 */
export type Amount = string | bigint | number;

export interface FormatterOptions extends PriceStyle {
  /** A storefront, such as "JPN" or "jp". */
  storefront?: string;
  /** The date that decides the currency of a storefront, such as "2026-01-31". */
  date?: string;
  /** A price locale, such as "de-CH", with a currency, instead of a storefront. */
  locale?: string | Intl.Locale;
  /** A currency, such as "CHF". With a storefront: its own currency on the date, or a custom currency that it charges. */
  currency?: string;
  rounding?: Rounding;
}

export interface PricePart {
  type:
    | "literal" | "symbol" | "integer" | "group" | "decimal" | "fraction" | "sign" | "compact" | "qualifier" | "unit";
  value: string;
}

/** An error with a stable code, such as "needs-rounding". The message is what was wrong, and how to fix it. */
export class PriceTagError extends Error {
  constructor(code: string, problem: string, fix: string, where?: string);
  /** The code. */
  readonly code: string;
  /** How to fix it. */
  readonly fix: string;
  /** The place of the first wrong character in a text that cannot be read, in units of UTF-16, as in `setSelectionRange`. */
  readonly position?: number;
}

/** The amount of a price that was read: decimal text and ISO 4217's minor units, which `format` takes, or undefined without such units. */
export interface ReadPrice {
  amount: string;
  units: bigint | undefined;
  /** The place of the first difference from what the formatter writes, in units of UTF-16; -1 for the same text. */
  difference: number;
}

/** An address or bytes; in Node, also a path. */
export type Source = string | URL | ArrayBuffer | ArrayBufferView;

/** A pack of compiled patterns. */
export class PricePack {
  private constructor();
  /**
   * Loads a pack from a URL or from bytes, and checks it. In Node, text without a scheme is the path of a file. "cldr-42" and
   * "cldr-48" are the packs of all storefronts beside this module.
   *
   * @param options.module The URL, the bytes or the compiled module of pricetag.wasm, or of pricetag-full.wasm, which also reads
   * prices. The default is the file pricetag.wasm beside this module.
   */
  static load(source: Source, options?: { module?: Source | WebAssembly.Module }): Promise<PricePack>;
  /** Returns a formatter of a storefront, or of a price locale and a currency, in a style. */
  formatter(options: FormatterOptions): PriceFormatter;
  /** The identifiers of the storefronts in the pack, sorted. */
  readonly storefronts: string[];
  /** The codes of the currencies in the pack, sorted. */
  readonly currencies: string[];
  /** Returns a version in the pack, such as that of "icu"; undefined if the pack does not have it. */
  version(name: string): string | undefined;
}

/** Formats the prices of one price locale, currency and style. */
export class PriceFormatter {
  private constructor();
  /** The price locale, such as "ja-JP". */
  readonly locale: string;
  /** The currency, such as "JPY". */
  readonly currency: string;
  /** Returns an amount as text. */
  format(amount: Amount): string;
  /** Returns the parts of an amount's text. Together, they are the complete text. */
  formatToParts(amount: Amount): PricePart[];
  /** Returns the spoken form of an amount, with the full name of the currency. */
  spoken(amount: Amount): string;
  /** Returns the amount of a price: the inverse of `format`, with pricetag-full.wasm. An error has a `position`. */
  read(text: string, options?: { lenient?: boolean }): ReadPrice;
  /** Returns the direction of an amount's text. */
  direction(amount: Amount): "ltr" | "rtl";
}
