// Formats the rows of a vector file with pricetag.js, and compares the results. It runs in Node and in browsers.
//
// Tests/Proof/Sources/Vectors/VectorLines.swift describes the lines.

const widths = ["standard", "narrow", "iso", "name", "hidden", "formal", "variant", "unambiguous"];
const signs = [
  "auto", "accounting", "always", "never", "except-zero", "accounting-always", "accounting-except-zero", "negative",
  "accounting-negative",
];
const roundings = ["exact", "half-even", "half-up", "half-down", "up", "down", "ceiling", "floor"];
const partTypes = ["literal", "symbol", "integer", "group", "decimal", "fraction", "sign", "compact", "qualifier", "unit"];
const maximumPrinted = 20;
const utf8 = new TextEncoder();

// Returns the options of a style; none for the default one.
function style(key) {
  const bytes = Uint8Array.from(key.match(/../g), (digits) => parseInt(digits, 16));
  if (bytes.every((byte) => byte === 0)) return {};
  const [numbering, unit] = [12, 20].map((start) => new TextDecoder().decode(bytes.subarray(start, start + 8)).replace(/\0+$/, ""));
  return {
    width: widths[bytes[0]],
    zeros: ["keep", "trim"][bytes[1]],
    sign: signs[bytes[2]],
    digits: ["standard", "cash", bytes[4], `${bytes[4]}-${bytes[5]}`, "minor-units"][bytes[3]],
    grouping: ["auto", "always", "min2", "never"][bytes[6]],
    notation: ["standard", "compact-short", "compact-long"][bytes[7]],
    qualifier: ["none", "approximately", "at-least"][bytes[8]],
    ...(numbering === "" ? {} : { numbering }),
    ...(unit === "" ? {} : { unit }),
  };
}

const escapes = { t: "\t", n: "\n", r: "\r", 0: "\0", "\\": "\\" };
const unescaped = (field) => (field.includes("\\") ? field.replace(/\\(.)/g, (_, letter) => escapes[letter]) : field);

// Returns minor units as decimal text.
function decimal(units, exponent) {
  const sign = units < 0n ? "-" : "";
  const digits = (units < 0n ? -units : units).toString().padStart(exponent + 1, "0");
  return exponent === 0 ? sign + digits : `${sign}${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`;
}

/**
 * Compares all rows.
 *
 * @param host The name of the host in the report.
 * @param text The contents of the vector file.
 * @param loadPack Returns the PricePack of a file.
 * @param readsBack Whether the module reads prices, and each one is read back.
 * @returns The report, and whether all results are as expected.
 */
export async function compare(host, text, loadPack, readsBack = false) {
  const packs = [], styles = [], lines = [];
  const count = { rows: 0, read: 0, prices: 0, errors: 0, details: 0, converted: 0, unsupported: 0, departures: 0, mismatches: 0 };
  let number = 0, options, formatters, minorDigits;

  const mismatch = (what) => {
    if (++count.mismatches <= maximumPrinted) lines.push(`line ${number}: ${what}`);
  };
  const expect = (actual, expected, what) => {
    if (actual !== expected) mismatch(`${what}: ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`);
  };
  // Compares a result with "=" and the expected text. After "~", a text with another plural form of a name is a departure.
  const expectResult = (actual, expected, what) => {
    if (expected[0] === "~" && actual !== expected.slice(1)) return void count.departures++;
    expect(actual, expected.slice(1), what);
  };
  // Returns the result of a call, or undefined if it fails. Compares an error with "!" and the expected code.
  const expectStatus = (expected, work) => {
    let found;
    try {
      found = work();
    } catch (error) {
      if (expected[0] === "~" && error.code === "missing-plural") return void count.departures++;
      count.errors++;
      expect(`!${error.code ?? error}`, expected, "error");
      if (error.code !== undefined && !error.message.includes(error.fix)) mismatch("the message does not have the fix");
      return undefined;
    }
    if (expected[0] === "!") mismatch(`a result instead of the error ${expected}`);
    return found;
  };

  const expectFormatter = (expected, currency, locale) => {
    formatters = [];
    const found = expectStatus(expected, () => packs[options.pack].formatter(options.request));
    if (found === undefined) return;
    formatters[0] = found;
    minorDigits = Number(expected.split(" ")[1]);
    expect(found.currency, currency, "currency");
    // The spelling of a locale is that of the request.
    expect(found.locale.toLowerCase().replaceAll("_", "-"), locale.toLowerCase(), "price locale");
  };

  const expectPrice = (rounding, amount, expected, parts, direction, spoken) => {
    const mode = Number(rounding);
    formatters[mode] ??= packs[options.pack].formatter({ ...options.request, rounding: roundings[mode] });
    const formatter = formatters[mode];
    const price = expectStatus(expected, () => formatter.format(amount));
    if (price === undefined) return;
    count.prices++;
    expectResult(price, expected, "text");
    // Without a sign or with a rounded number, several amounts have the same text, which is that of the amount that is read.
    if (readsBack && (options.request.notation ?? "standard") === "standard") {
      count.read++;
      for (const lenient of [false, true]) {
        const found = expectStatus("=", () => formatter.read(price, { lenient }));
        if (found) expect(`${formatter.format(found.amount)} ${found.difference}`, `${price} -1`, "the price that was read");
      }
    }
    if (parts === undefined || (expected[0] === "~" && price !== expected.slice(1))) return;
    count.details++;
    const found = formatter.formatToParts(amount);
    expect(found.map((part) => part.value).join(""), price, "text of the parts");
    const kinds = found.map((part) => `${partTypes.indexOf(part.type)}:${utf8.encode(part.value).length}`);
    expect(kinds.join(" "), parts, "parts");
    expect(formatter.direction(amount), direction, "direction");
    if (spoken === "") return;
    const spokenPrice = expectStatus(spoken, () => formatter.spoken(amount));
    if (spokenPrice !== undefined) expectResult(spokenPrice, spoken, "spoken form");
  };

  for (let start = 0; start < text.length; ) {
    const end = text.indexOf("\n", start);
    const fields = text.slice(start, end).split("\t").map(unescaped);
    start = end + 1;
    number++;
    const [kind, first, second] = fields;
    if (kind === "p") {
      packs[Number(first)] = await loadPack(second);
      continue;
    }
    if (kind === "s") {
      styles[Number(first)] = style(second);
      continue;
    }
    count.rows++;
    if (kind === "l") {
      const [locale, currency, expected, code, tag] = fields.slice(3);
      options = { pack: Number(first), request: { locale, currency, ...styles[Number(second)] } };
      expectFormatter(expected, expected[0] === "=" ? currency : code, tag);
    } else if (kind === "f") {
      const [storefront, day, expected, code, tag] = fields.slice(3);
      const date = day === "0" ? undefined : `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`;
      options = { pack: Number(first), request: { storefront, date, ...styles[Number(second)] } };
      expectFormatter(expected, code, tag);
    } else if (kind === "t") {
      expectPrice(first, second, ...fields.slice(3));
    } else if (kind === "u") {
      const units = BigInt(second), exponent = Number(fields[3]);
      if (exponent === minorDigits) {
        expectPrice(first, units, ...fields.slice(4));
      } else if (exponent >= 0 && exponent <= 18) {
        // The module has no exponents but those of ISO 4217.
        count.converted++;
        expectPrice(first, decimal(units, exponent), ...fields.slice(4));
      } else {
        count.unsupported++;
      }
    } else {
      throw new Error(`line ${number}: unknown kind ${kind}`);
    }
  }
  lines.push(
    `${host}: ${count.rows} rows: ${count.prices} prices, ${count.errors} errors; ${count.details} with parts, direction and ` +
      `spoken form; ${count.read} read back; ${count.converted} minor units as text, ${count.unsupported} not expressible; ` +
      `${count.departures} departures, ${count.mismatches} mismatches`,
  );
  return { report: lines.join("\n"), isEqual: count.mismatches === 0 && count.rows > 0 };
}
