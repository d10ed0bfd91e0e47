import type { PricePack, PriceTagError, Source } from "./pricetag.js";

/**
 * A price that the kernel writes:
 *
 *     <price-tag storefront="JPN" amount="1200" lang="ja-JP" dir="ltr">￥1,200</price-tag>
 *
 * The attributes are `amount` (decimal text) or `units` (minor units), those of a formatter (`storefront`, `locale`,
 * `currency`, `date`), its style (`width`, `zeros`, `sign`, `digits`, `grouping`, `numbering`, `notation`, `qualifier`,
 * `unit`), `rounding`, and `pack`, the address of the pack.
 *
 * With `period` (`P1M`), `quantity` (`12`, the price is that of all) or `phrase` (a key whose argument is `price`), it is a phrase in
 * the language of the enclosing `lang`, or of `language`: `9,99 € pro Monat`.
 *
 * The element replaces its contents with the price and its spoken form, and sets `lang` and `dir`. Until then, and if the
 * first attempt fails, it shows the text of the server. With the same `lang` and `dir`, this text has the same width. A
 * change of attributes that cannot be shown removes the price. After an error, `data-error` is its code, and the event
 * `price-tag-error` has the error in `detail`.
 */
export class PriceTagElement extends HTMLElement {
  /** The pack of elements without the attribute `pack`. The default is the address of `<link rel="pricetag-pack">`. */
  static pack: Source | PricePack | Promise<PricePack> | undefined;
  /** The displayed price, without its spoken form; empty until it is written, and after an error. */
  readonly text: string;
  /** Resolves when the price of the present attributes has been written, or an error reported. */
  readonly ready: Promise<void>;
}

export interface PriceTagErrorEvent extends CustomEvent<PriceTagError> {}

declare global {
  interface HTMLElementTagNameMap {
    "price-tag": PriceTagElement;
  }
  interface HTMLElementEventMap {
    "price-tag-error": PriceTagErrorEvent;
  }
}
