// <price-tag storefront="JPN" amount="1200">￥1,200</price-tag>, documented in price-tag.d.ts.

import { PricePack, PriceTagError } from "./pricetag.js";

const internals = PricePack[Symbol.for("pricetag")];
const styles = ["width", "zeros", "sign", "digits", "grouping", "numbering", "notation", "qualifier", "unit", "rounding"];
const origins = ["storefront", "locale", "currency", "date"];
// What makes the price a phrase. Other pages do not load phrases.js and pricetag-full.wasm.
const words = ["period", "phrase", "quantity"];
const packs = new Map();
const formatters = new WeakMap();
const maximumFormatterCount = 500;

// Returns a pack, or a promise of it. The packs of addresses are cached.
function packOf(source, hasWords) {
  if (source instanceof PricePack || source instanceof Promise) {
    return hasWords && !internals.contentsOf ? Promise.all([source, import("./phrases.js")]).then(([pack]) => pack) : source;
  }
  const key = hasWords + (source.href ?? source);
  if (!packs.has(key)) {
    const loading = (hasWords ? import("./phrases.js").then(({ loadPack }) => loadPack(source)) : PricePack.load(source)).then((pack) => {
      packs.set(key, pack);
      return pack;
    });
    packs.set(key, loading);
    // A later attempt loads it again.
    loading.catch(() => packs.delete(key));
  }
  return packs.get(key);
}

function formatterOf(pack, options) {
  let known = formatters.get(pack);
  if (!known) formatters.set(pack, known = new Map());
  const key = JSON.stringify(options);
  let formatter = known.get(key);
  if (!formatter) {
    if (known.size >= maximumFormatterCount) known.clear();
    known.set(key, formatter = pack.formatter(options));
  }
  return formatter;
}

// Hides text from the eye but not from screen readers. A Content-Security-Policy allows styles that are set one by one.
function hideVisually({ style }) {
  Object.assign(style, {
    position: "absolute", inlineSize: "1px", blockSize: "1px", overflow: "hidden", clipPath: "inset(50%)",
    whiteSpace: "nowrap", userSelect: "none",
  });
}

// Returns elements of the price for the eye and for screen readers.
function partsOf(text, speak) {
  let spoken = text;
  // A pack may lack the spoken forms.
  try { spoken = speak(); } catch (error) { if (error.code !== "missing-style") throw error; }
  const shown = document.createElement("span");
  shown.textContent = text;
  if (spoken === text) return [shown];
  const heard = document.createElement("span");
  heard.textContent = spoken;
  hideVisually(heard);
  shown.setAttribute("aria-hidden", "true");
  return [shown, heard];
}

// Without a document, as in server-side rendering, the class exists, and no element is defined.
export class PriceTagElement extends (globalThis.HTMLElement ?? Object) {
  static pack = undefined;
  static observedAttributes = ["amount", "units", "pack", "language", ...words, ...origins, ...styles];

  // Counts the changes of attributes, so that a slow pack does not overwrite a later price.
  #change = 0;
  #isScheduled = false;
  // Whether the contents may belong to other attributes than the present ones.
  #isOutdated = false;
  #wasConnected = false;
  #text = "";
  #ready = Promise.resolve();

  get text() { return this.#text; }
  get ready() { return this.#ready; }
  get #hasWords() { return words.some((name) => this.hasAttribute(name)); }

  connectedCallback() {
    this.#wasConnected = true;
    this.#schedule();
  }

  attributeChangedCallback(name, before, now) {
    if (before === now) return;
    // The attributes of the server come before the element is connected.
    if (this.#wasConnected) this.#isOutdated = true;
    this.#schedule();
  }

  // Several attributes that change together cause one update, before the browser paints.
  #schedule() {
    if (this.#isScheduled || !this.isConnected) return;
    this.#isScheduled = true;
    this.#ready = Promise.resolve().then(() => {
      this.#isScheduled = false;
      if (this.isConnected) return this.#update();
    });
  }

  #update() {
    const change = ++this.#change;
    try {
      const pack = packOf(this.#source(), this.#hasWords);
      if (pack instanceof PricePack) return this.#write(pack);
      return pack.then((pack) => { if (change === this.#change) this.#write(pack); })
        .catch((error) => { if (change === this.#change) this.#fail(error); });
    } catch (error) {
      this.#fail(error);
    }
  }

  #source() {
    const source = this.getAttribute("pack") ?? PriceTagElement.pack
      ?? document.querySelector('link[rel~="pricetag-pack"]')?.href;
    if (source) return source;
    throw new PriceTagError("invalid-argument", "the element has no pack", 'add the attribute pack, or <link rel="pricetag-pack" href="…">');
  }

  #write(pack) {
    const options = {};
    for (const name of [...origins, ...styles]) {
      const value = this.getAttribute(name);
      if (value !== null) options[name] = value;
    }
    const formatter = formatterOf(pack, options), amount = this.#amount();
    if (this.#hasWords) return this.#show(...internals.contentsOf(this, pack, formatter, amount, partsOf));
    const text = formatter.format(amount);
    this.#show(partsOf(text, () => formatter.spoken(amount)), formatter.locale, formatter.direction(amount), text);
  }

  #show(contents, lang, dir, text) {
    this.lang = lang;
    // Browsers isolate elements with a direction, so that the price and the text around it do not reorder each other.
    this.dir = dir;
    if (!this.style.position) this.style.position = "relative";
    this.removeAttribute("data-error");
    this.replaceChildren(...contents);
    this.#text = text;
    this.#isOutdated = false;
  }

  #amount() {
    const amount = this.getAttribute("amount"), units = this.getAttribute("units");
    if ((amount === null) === (units === null)) {
      throw new PriceTagError("invalid-argument", "the element needs one of the attributes amount and units", 'write amount="4.99", or units="499"');
    }
    if (units === null) return amount;
    if (!/^-?\d{1,19}$/.test(units)) {
      throw new PriceTagError("malformed-amount", `${JSON.stringify(units.slice(0, 65))} is not an integer of minor units`, 'write digits, such as units="499"');
    }
    return BigInt(units);
  }

  // The text of the server stays. A price of other attributes does not.
  #fail(error) {
    if (this.#isOutdated) this.replaceChildren();
    this.#text = "";
    this.dataset.error = error.code ?? "failed";
    this.dispatchEvent(new CustomEvent("price-tag-error", { bubbles: true, detail: error }));
  }
}

if (!globalThis.customElements?.get("price-tag")) globalThis.customElements?.define("price-tag", PriceTagElement);
