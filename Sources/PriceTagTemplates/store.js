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
