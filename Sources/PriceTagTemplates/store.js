// Progressive enhancements. Every page works without this file.

// Closes the language list on Escape, on a click outside it, and when the focus leaves it, so that it hides nothing that has the focus.
const languages = document.querySelector("details.languages");
if (languages) {
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && languages.open) {
      languages.open = false;
      languages.querySelector("summary").focus();
    }
  });
  // A click on something that cannot have the focus leaves no trace in focusout, and the Tab key none in click.
  document.addEventListener("click", (event) => {
    if (!languages.contains(event.target)) languages.open = false;
  });
  languages.addEventListener("focusout", (event) => {
    if (event.relatedTarget && !languages.contains(event.relatedTarget)) languages.open = false;
  });
}

// On narrow screens the rows of a comparison are displayed as blocks. Some browsers then drop its table semantics, so
// explicit roles restore them.
const roles = { table: "table", "thead, tbody": "rowgroup", tr: "row", td: "cell", "thead th": "columnheader", "tbody th": "rowheader" };
for (const comparison of document.querySelectorAll(".comparison")) {
  for (const [selector, role] of Object.entries(roles)) {
    for (const part of comparison.querySelectorAll(selector)) part.setAttribute("role", role);
  }
}

// Makes columns sortable whose heading names a data attribute of the rows. The buttons are created here, so that there
// are none without the script. Rows without a value stay last in both directions.
const words = new Intl.Collator(document.documentElement.lang || undefined, { numeric: true });
for (const table of document.querySelectorAll("table[data-sortable]")) {
  const headings = [...table.querySelectorAll("thead th[data-sort]")];
  for (const heading of headings) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...heading.childNodes);
    heading.append(button);
    button.addEventListener("click", () => {
      const direction = heading.getAttribute("aria-sort") === "ascending" ? -1 : 1;
      for (const other of headings) other.removeAttribute("aria-sort");
      heading.setAttribute("aria-sort", direction === 1 ? "ascending" : "descending");
      const key = heading.dataset.sort;
      const rows = [...table.tBodies[0].rows];
      rows.sort((first, second) => {
        const a = first.dataset[key], b = second.dataset[key];
        if (a === undefined || b === undefined) return (a === undefined) - (b === undefined);
        return direction * (key === "amount" ? Number(a) - Number(b) : words.compare(a, b));
      });
      table.tBodies[0].append(...rows);
    });
  }
}

// Offers the store of the region that the browser is set to, if it is not the store of the page. The shopper decides; no page
// redirects. A server may have filled in the offer. A closed offer stays closed, which the browser remembers without a cookie.
const closedOffer = "closed-store-offer";

// Returns the page at an address, or undefined.
async function pageAt(address) {
  const response = await fetch(address);
  return response.ok ? new DOMParser().parseFromString(await response.text(), "text/html") : undefined;
}

function isClosed(storefront) {
  try { return localStorage.getItem(closedOffer) === storefront; } catch { return false; }
}

// Finds the store of the browser's region, and fills in its name and address. Returns its identifier, or undefined.
async function findLikelyStore(offer) {
  const { choose, territory, pageProduct: product, storesOfProduct } = offer.dataset;
  const regions = [];
  for (const tag of navigator.languages) {
    try { regions.push(new Intl.Locale(tag).region); } catch { continue; }
  }
  if (regions.includes(territory) || !regions.some((region) => region)) return undefined;
  const stores = await pageAt(choose);
  const row = regions.map((region) => region && stores?.querySelector(`[data-territory="${region}"]`)).find((found) => found);
  if (!row || isClosed(row.dataset.storefront)) return undefined;
  const found = row.querySelector("a"), link = offer.querySelector("a");
  const isSold = product && (await pageAt(storesOfProduct))?.querySelector(`[data-storefront="${row.dataset.storefront}"]`);
  link.href = new URL(found.getAttribute("href") + (isSold ? `products/${product}/` : ""), new URL(choose, location.href));
  link.hreflang = found.hreflang;
  link.querySelector("bdi").textContent = found.querySelector("span").textContent;
  return row.dataset.storefront;
}

async function offerLikelyStore(offer) {
  const storefront = offer.dataset.offered ?? await findLikelyStore(offer);
  if (!storefront) return;
  if (isClosed(storefront)) {
    offer.hidden = true;
    return;
  }
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = offer.dataset.close;
  button.addEventListener("click", () => {
    offer.hidden = true;
    try { localStorage.setItem(closedOffer, storefront); } catch { return; }
  });
  offer.append(button);
  offer.hidden = false;
}
const offer = document.querySelector(".likely-store");
if (offer) offerLikelyStore(offer).catch((error) => console.warn(error));
