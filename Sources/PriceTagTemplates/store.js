// A few comforts. Every page works without this file.

// The list of languages closes on Escape and on a press outside of it.
const languages = document.querySelector("details.languages");
if (languages) {
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && languages.open) {
      languages.open = false;
      languages.querySelector("summary").focus();
    }
  });
  document.addEventListener("click", (event) => {
    if (!languages.contains(event.target)) languages.open = false;
  });
}

// On a phone the rows of a comparison are blocks, and some browsers forget then that it is a table: it says so itself.
const roles = { table: "table", "thead, tbody": "rowgroup", tr: "row", td: "cell", "thead th": "columnheader", "tbody th": "rowheader" };
for (const comparison of document.querySelectorAll(".comparison")) {
  for (const [selector, role] of Object.entries(roles)) {
    for (const part of comparison.querySelectorAll(selector)) part.setAttribute("role", role);
  }
}

// Columns that name a data attribute of their rows become sortable. The headings get their buttons here, so that
// without the script there is no button that does nothing. Rows without a value stay at the end either way.
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
