// The search of a store with many products. The index is loaded when the search is used. Without this file the search stays hidden,
// and the lists have every product.

// The number of results that are shown at a time.
const step = 24;

function element(name, properties, ...contents) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...contents);
  return made;
}

function start(form) {
  const { store, index, parts, counts, none } = form.dataset;
  const { query, category, minimum, maximum } = form.elements;
  const output = form.querySelector("output"), results = form.querySelector(".results"), more = form.querySelector(".more");
  const language = document.documentElement.lang || undefined;
  const plurals = new Intl.PluralRules(language), numbers = new Intl.NumberFormat(language);
  const forms = JSON.parse(counts);

  // The number of products in words. The page has the words for a number of each plural category.
  function countText(count) {
    const samples = Object.keys(forms);
    const sample = samples.find((sample) => Number(sample) === count)
      ?? samples.findLast((sample) => plurals.select(Number(sample)) === plurals.select(count)) ?? samples.at(-1);
    return forms[sample].replace("#", numbers.format(count));
  }

  // Text as it is compared: without case, accents, and the vowel points of Hebrew and Arabic.
  function folded(text) {
    return text.toLocaleLowerCase(language).normalize("NFKD").replace(/[\u0300-\u036f\u0591-\u05c7\u064b-\u065f]/g, "");
  }

  // Each part has categories and prices of its own, to which its products refer.
  function products({ categories, prices, products }) {
    return products.map(([id, name, category, price, lang]) => {
      const [html, amount] = prices[price];
      return { id, name, lang, html, category: categories[category], text: folded(name), amount: amount === "" ? NaN : Number(amount) };
    });
  }

  async function part(number) {
    const response = await fetch(`${index}${number}.json`);
    if (!response.ok) throw new Error(`${response.url}: ${response.status}`);
    return products(await response.json());
  }

  let loading;
  function load() {
    loading ??= Promise.all(Array.from({ length: Number(parts) }, (_, number) => part(number + 1))).then((parts) => {
      const all = parts.flat();
      for (const name of new Set(all.map((product) => product.category))) {
        if (name !== undefined) category.append(element("option", { value: name }, name));
      }
      return all;
    });
    // The next use tries again.
    loading.catch(() => { loading = undefined; });
    return loading;
  }

  function item({ id, name, lang, html }) {
    const text = element("bdi", { dir: "auto" }, name);
    if (lang) text.lang = lang;
    const price = document.createElement("template");
    // The site wrote it, as the prices of its pages.
    price.innerHTML = html;
    return element("li", {},
      element("a", { href: `${store}products/${encodeURIComponent(id).replaceAll("%3A", ":")}/` }, text), " ",
      element("span", { className: "result-price" }, price.content));
  }

  let found = [], shown = 0, latest = 0;
  function showMore() {
    results.append(...found.slice(shown, shown + step).map(item));
    shown = results.childElementCount;
    more.hidden = shown >= found.length;
  }

  async function update() {
    const run = ++latest;
    const words = folded(query.value).split(/\s+/u).filter((word) => word !== "");
    const isUsed = words.length > 0 || category.value !== "" || minimum.value !== "" || maximum.value !== "";
    const all = isUsed ? await load() : [];
    // The shopper may have typed more in the meantime.
    if (run !== latest) return;
    found = all.filter(({ text, category: name, amount }) =>
      words.every((word) => text.includes(word)) && (category.value === "" || name === category.value)
      && (minimum.value === "" || amount >= Number(minimum.value)) && (maximum.value === "" || amount <= Number(maximum.value)));
    shown = 0;
    results.replaceChildren();
    output.textContent = !isUsed ? "" : found.length === 0 ? none : countText(found.length);
    showMore();
  }

  const warn = (error) => console.warn(error);
  form.addEventListener("focusin", () => load().catch(warn));
  form.addEventListener("input", () => update().catch(warn));
  form.addEventListener("submit", (event) => event.preventDefault());
  more.addEventListener("click", () => {
    const first = shown;
    showMore();
    results.children[first]?.querySelector("a").focus();
  });
  form.hidden = false;
}

for (const form of document.querySelectorAll("form.search")) start(form);
