// Formats the rows of rows.py with the module, in Node and in browsers.
import "../../Bindings/JavaScript/phrases.js";

// Returns a report of the differences between the texts of rows and those of the pack.
export async function compare(host, text, load) {
  const pack = await load("phrases.pack"), formatters = new Map(), differences = [];
  const formatter = (storefront) => {
    if (!formatters.has(storefront)) formatters.set(storefront, pack.formatter({ storefront, date: "2026-06-30" }));
    return formatters.get(storefront);
  };
  const rows = text.split("\n").slice(0, -1);
  for (const row of rows) {
    const fields = row.split("\t"), [tag, isolation, expected] = fields, phrases = pack.phrases(tag);
    let at = 3;
    const phrase = () => {
      const key = fields[at], count = Number(fields[at + 1]), values = {};
      at += 2;
      for (let index = 0; index < count; index++) {
        const name = fields[at++], kind = fields[at++];
        if (kind === "M") values[name] = phrase();
        else if (kind === "P") values[name] = formatter(fields[at++]).price(fields[at++]);
        else values[name] = fields[at++];
      }
      return phrases.phrase(key, values);
    };
    let found;
    try {
      const result = phrase();
      found = isolation === "1" ? result.plain : result.text;
    } catch (error) {
      found = error.stack;
    }
    if (found !== expected) differences.push(`${row}\n  ${JSON.stringify(found)}`);
  }
  const report = `${host}: ${rows.length} phrases, ${differences.length} differences\n${differences.slice(0, 5).join("\n")}`;
  return { report: report.trim(), isEqual: differences.length === 0 };
}
