// The field for the quantity of a product. The kernel computes the total exactly. Without this file, without WebAssembly, and if
// a file cannot be loaded, the field stays hidden.
import { PricePack } from "./pricetag.js";

// Returns an amount of decimal text times a quantity.
function times(amount, quantity) {
  const [integer, fraction = ""] = amount.split(".");
  const digits = String(BigInt(integer + fraction) * BigInt(quantity)).padStart(fraction.length + 1, "0");
  const end = digits.length - fraction.length;
  return fraction === "" ? digits : `${digits.slice(0, end)}.${digits.slice(end)}`;
}

function element(name, properties, ...contents) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...contents);
  return made;
}

function spokenOf(formatter, total) {
  try { return formatter.spoken(total); } catch (error) {
    // A pack may lack the spoken forms.
    if (error.code === "missing-style") return formatter.format(total);
    throw error;
  }
}

async function start(field) {
  const { pack, amount, price, options, checkout } = field.dataset;
  const formatter = (await PricePack.load(pack)).formatter(JSON.parse(options));
  // The page and the pack may be of different versions of the site.
  if (formatter.format(amount) !== price) return;
  const input = field.querySelector("input"), output = field.querySelector("output");
  const button = field.parentElement.querySelector(".buy");
  let shown = 1;

  // The price in the button's label, which becomes the total.
  const single = button?.querySelector("bdi.price");
  let labeled = single;

  // The total as other prices of the page are written.
  const elementOf = (total) => {
    const seen = element("span", {}, formatter.format(total));
    seen.setAttribute("aria-hidden", "true");
    const spoken = element("span", { className: "spoken" }, spokenOf(formatter, total));
    return element("bdi", { className: "price", lang: formatter.locale, dir: formatter.direction(total) }, seen, spoken);
  };
  const update = () => {
    const value = input.value.trim();
    const quantity = /^\d{1,4}$/.test(value) && Number(value) <= Number(input.max) ? Number(value) : 0;
    if (quantity === shown) return;
    shown = quantity;
    output.replaceChildren();
    if (button) {
      // For a script of the shop, and for its checkout.
      button.dataset.quantity = String(Math.max(quantity, 1));
      if (checkout) button.href = checkout.replaceAll("{quantity}", button.dataset.quantity);
    }
    const total = quantity > 1 ? elementOf(times(amount, quantity)) : undefined;
    if (total) output.append(element("span", {}, output.dataset.label), " ", total);
    const label = total?.cloneNode(true) ?? single;
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
