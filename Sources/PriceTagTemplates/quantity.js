// The field for the quantity of a product. The kernel computes the total exactly, and writes it with its words. Without this file,
// without WebAssembly, and if a file cannot be loaded, the field stays hidden.
import { loadPack } from "./phrases.js";

const durations = { D: "days", W: "weeks", M: "months", Y: "years" };

function element(name, properties, ...contents) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...contents);
  return made;
}

function spokenOf(price) {
  try { return price.spoken; } catch (error) {
    // A pack may lack the spoken forms.
    if (error.code === "missing-style") return price.text;
    throw error;
  }
}

// A price as others of the page are written.
function elementOf(price) {
  const seen = element("span", {}, price.text);
  seen.setAttribute("aria-hidden", "true");
  const spoken = element("span", { className: "spoken" }, spokenOf(price));
  return element("bdi", { className: "price", lang: price.locale, dir: price.direction }, seen, spoken);
}

async function start(field) {
  const { lang } = document.documentElement, { pack: address, amount, price, options, saving, period, checkout } = field.dataset;
  const pack = await loadPack(address), formatter = pack.formatter(JSON.parse(options));
  const one = formatter.price(amount);
  // The page and the pack may be of different versions of the site.
  if (one.text !== price) return;
  const input = field.querySelector("input"), output = field.querySelector("output");
  const button = field.parentElement.querySelector(".buy");
  let shown = 1;

  // The price in the button's label, which becomes the total.
  const single = button?.querySelector("bdi.price");
  let labeled = single;

  // A message of the pack as an element; undefined if the pack lacks it in the language of the page, as one of --pack may.
  const words = (className, key, values) => {
    let phrase;
    try {
      const phrases = pack.phrases(lang);
      if (phrases.language === lang) phrase = phrases.phrase(key, values);
    } catch (error) {
      if (!["no-phrases", "unknown-language", "unknown-phrase"].includes(error.code)) throw error;
    }
    if (!phrase) return;
    const contents = phrase.text.split(/\u2068(.*?)\u2069/s).map((text, index) => index % 2 ? elementOf(values.price) : text);
    return element("span", { className, lang: phrase.language, dir: phrase.direction }, ...contents);
  };
  const describe = (count, price) => {
    const [, length, unit] = /^P(\d+)(.)$/.exec(period) ?? [];
    return [
      words("total", "total_for", { price, count }) ?? element("span", { className: "total" }, output.dataset.label, " ", elementOf(price)),
      unit && words("duration", durations[unit], { count: length * count }),
      saving && words("saving", "save_price", { price: formatter.price(saving).total(count) }),
    ].filter(Boolean).flatMap((part) => [part, " "]);
  };
  const update = () => {
    const value = input.value.trim();
    const quantity = /^\d{1,4}$/.test(value) && Number(value) <= Number(input.max) ? Number(value) : 0;
    if (quantity === shown) return;
    const total = quantity > 1 ? one.total(quantity) : undefined;
    const contents = total ? describe(quantity, total) : [];
    shown = quantity;
    if (button) {
      // For a script of the shop, and for its checkout.
      button.dataset.quantity = String(Math.max(quantity, 1));
      if (checkout) button.href = checkout.replaceAll("{quantity}", button.dataset.quantity);
    }
    output.replaceChildren(...contents);
    const label = total ? elementOf(total) : single;
    labeled?.replaceWith(label);
    labeled &&= label;
  };
  input.addEventListener("input", update);
  // A customer who entered an invalid quantity does not buy one item: the browser says what is wrong.
  button?.addEventListener("click", (event) => {
    if (shown > 0) return;
    // Browsers accept 1e2 and 2.0, which may be typing errors. They say that an empty field needs a value.
    if (input.validity.valid) input.value = "";
    input.focus();
    input.reportValidity();
    event.preventDefault();
    event.stopImmediatePropagation();
  });
  // A browser may have restored an earlier quantity.
  update();
  field.hidden = false;
}

for (const field of document.querySelectorAll(".quantity")) start(field).catch((error) => console.warn(error));
