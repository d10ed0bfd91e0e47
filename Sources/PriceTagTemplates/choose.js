// The pages on which shoppers choose a store. They work without this file.

// Returns an element with properties and contents.
function element(name, properties, ...contents) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...contents);
  return made;
}

// MARK: Filter

// Text as it is compared: without case and without marks, so that "reunion" finds "Réunion".
const folded = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

// Adds a field that shows only the rows that contain its text: stores by name, own name, code or currency, or products.
function addFilter(stores) {
  const rows = [...stores.querySelectorAll("[data-storefront], [data-product]")].map((row) => {
    const { storefront = "", territory = "", ownName = "" } = row.dataset;
    return { row, text: folded(`${row.textContent} ${storefront} ${territory} ${ownName}`) };
  });
  const input = element("input", { id: "filter", type: "search", autocomplete: "off", spellcheck: false });
  const output = element("output", { htmlFor: "filter" });
  input.addEventListener("input", () => {
    const wanted = folded(input.value.trim());
    let count = 0;
    for (const { row, text } of rows) {
      row.hidden = !text.includes(wanted);
      if (!row.hidden) count += 1;
    }
    for (const region of stores.querySelectorAll(".region")) region.hidden = !region.querySelector("li:not([hidden])");
    output.textContent = count > 0 ? "" : stores.dataset.noMatches;
  });
  stores.prepend(element("div", { className: "filter" }, element("label", { htmlFor: "filter" }, stores.dataset.filter), input, output));
}

// MARK: The product that the shopper looked at

// Returns the page at an address, or undefined.
async function page(address) {
  const response = await fetch(address);
  return response.ok ? new DOMParser().parseFromString(await response.text(), "text/html") : undefined;
}

// Links the product that the address names (#product=ID) instead of the stores, where a store has it.
async function keepProduct(panel) {
  const product = /^#product=([A-Za-z0-9][A-Za-z0-9._:-]{0,254})$/.exec(location.hash)?.[1];
  if (!product) return;
  const found = await page(`${panel.dataset.keepProduct}${product}/`);
  if (!found) return;
  const sold = new Set([...found.querySelectorAll("[data-storefront]")].map((row) => row.dataset.storefront));
  for (const row of panel.querySelectorAll("[data-storefront]")) {
    if (sold.has(row.dataset.storefront)) row.querySelector("a").setAttribute("href", `${row.querySelector("a").getAttribute("href")}products/${product}/`);
    else row.append(element("p", { className: "note" }, panel.dataset.notSold));
  }
  const name = found.querySelector("h1");
  if (name) panel.querySelector("h2").after(element("p", { lang: name.lang }, element("bdi", {}, name.textContent)));
  // The languages keep the product too.
  for (const link of document.querySelectorAll(".language-list a")) link.hash = `product=${product}`;
}

// MARK: An address that does not exist

// Languages whose other regions read the language of a particular one, as CLDR's parent locales have it.
const parents = { en: "en-GB", es: "es-MX", pt: "pt-PT" };

// Returns the available language that suits a requested one best; undefined if none does.
function match(requested, available) {
  let wanted;
  try { wanted = new Intl.Locale(requested).maximize(); } catch { return undefined; }
  const all = available.map(({ lang }) => new Intl.Locale(lang).maximize());
  const same = available.filter((_, index) => all[index].language === wanted.language && all[index].script === wanted.script);
  return same.find(({ lang }) => new Intl.Locale(lang).maximize().region === wanted.region)
    ?? same.find(({ lang }) => lang === parents[wanted.language]) ?? same[0];
}

// Shows the texts in the language of the address, or else of the browser, and links the store of the address.
async function translate(translations) {
  const [, storefront, named] = /\/store\/([a-z]{3})\/(?:([a-z0-9-]+)\/)?/i.exec(location.pathname) ?? [];
  let language;
  for (const tag of [named, ...navigator.languages]) language ??= tag && match(tag, translations);
  const linkStore = () => {
    const link = storefront && document.querySelector(`[data-storefront="${storefront.toUpperCase()}"] a`);
    if (!link) return;
    const shown = document.querySelector(".requested-store");
    shown.querySelector("a").href = link.href;
    shown.querySelector("a > :last-child").textContent = link.querySelector("span").textContent;
    shown.hidden = false;
  };
  // At once, so that the page does not move when the names in the visitor's language arrive.
  linkStore();
  const root = document.documentElement;
  if (language && language.lang !== root.lang) {
    for (const part of document.querySelectorAll("[data-message]")) part.textContent = language[part.dataset.message];
    document.title = document.title.replace(/(.* – ).*$/s, `$1${language.page_not_found}`);
    root.lang = language.lang;
    root.dir = language.dir;
    const stores = (await page(language.href))?.querySelector("[data-stores]");
    if (stores) {
      // The links are relative to the page that they come from.
      const base = new URL(language.href, location.href);
      for (const link of stores.querySelectorAll("a")) link.setAttribute("href", new URL(link.getAttribute("href"), base).pathname);
      addFilter(document.adoptNode(stores));
      document.querySelector("[data-stores]").replaceWith(stores);
    }
  }
  linkStore();
}

for (const stores of document.querySelectorAll("[data-stores]")) addFilter(stores);
const panel = document.querySelector("[data-keep-product]");
if (panel) keepProduct(panel).catch((error) => console.warn(error));
const translations = document.getElementById("translations");
if (translations) translate(JSON.parse(translations.textContent)).catch((error) => console.warn(error));
