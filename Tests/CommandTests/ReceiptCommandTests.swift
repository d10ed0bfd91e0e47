import CommandLineTools
import Foundation
import Testing

/// Runs `pricetag receipt`.
@Suite struct ReceiptCommandTests {
  private static let order = #"""
    {"id":"7","storefront":"USA","date":"2026-11-23","charged":"4.99","lines":[{"productIdentifier":"car","unitPrice":"4.99"}]}
    """#

  private static let orders = """
    \(order)
    \(order.replacing("\"charged\":\"4.99\"", with: "\"charged\":\"5.00\""))

    {"storefront":
    \(order.replacing("4.99", with: "3.99"))

    """

  private static let shop = """
    {"productIdentifier":"car","localizations":{"en-US":{"name":"Car"},"ja":{"name":"車"}},"prices":{"USA":"4.99","JPN":"700"}}

    """

  /// Runs a shell script in a temporary folder that has an order, orders and a shop.
  private func shell(_ line: String) throws -> CommandLineTool.Outcome {
    try CommandLineTool.shell(
      line,
      with: ["order.json": Self.order, "orders.jsonl": Self.orders, "shop.jsonl": Self.shop]
    )
  }

  static let runs: [(line: String, status: Int32, output: String, errors: String)] = [
    ("pricetag receipt order.json --catalog shop.jsonl | grep -c '^Car  .*\\$4.99$'", 0, "1\n", ""),
    ("pricetag receipt - < order.json | head -n 1", 0, "Receipt\n", ""),
    (
      "pricetag receipt order.json --language de -o r.html; grep -c '<title>Beleg</title>' r.html", 0, "1\n",
      ""
    ),
    ("pricetag receipt order.json -o r.json; grep -c '\"totals\"' r.json", 0, "1\n", ""),
    ("pricetag receipt order.json --to email | grep -c 'color-scheme'", 0, "2\n", ""),
    // A difference from the catalog is a finding, and the receipt is written.
    (
      "sed s/4.99/3.99/g order.json | pricetag receipt - --catalog shop.jsonl | grep -c 'Total  .*3.99'; echo ${PIPESTATUS[1]}",
      0, "1\n3\n",
      "pricetag: finding: /lines/0, \"car\": charged 3.99 USD, but the catalog has 4.99 USD on 2026-11-23"
    ),
    (
      "sed 's/\"charged\":\"4.99\"/\"charged\":\"5\"/' order.json | pricetag receipt -", 1, "",
      "pricetag: standard input, /charged: the lines add up to 4.99 USD, but 5.00 USD was charged; correct the amounts of the order\n"
    ),
    ("pricetag receipt nothing.json", 1, "", "pricetag: nothing.json: cannot read the file: "),
    // The option is for orders that name no storefront.
    ("pricetag receipt order.json --storefront JPN | grep -c 'United States'", 0, "1\n", ""),
    (
      "sed 's/\"USA\"/null/' order.json | pricetag receipt - --storefront DEU --language en | grep -c Germany",
      0,
      "1\n", ""
    ),
    // A language without strings gives the store's default language, which a note names.
    (
      "pricetag receipt order.json --language bg | grep -c '^Receipt$'", 0, "1\n",
      "pricetag: note: bg: en-US (the default language of USA, because there are no strings in bg)\n"
    ),
    ("pricetag receipt order.json --language bg --quiet | grep -c '^Receipt$'", 0, "1\n", ""),
    (
      "pricetag receipt order.json --language bg --to json | grep -o '\"language\".*Language\":\"bg\"'", 0,
      "\"language\":\"en-US\",\"requestedLanguage\":\"bg\"\n", ""
    ),
    (
      "pricetag receipt order.json --language bg --strict-language", 1, "",
      "no strings are available in \"bg\""
    ),
    ("pricetag receipt order.json --language xx", 1, "", "xx"),
    ("pricetag receipt order.json -o order.json", 2, "", "the output is the input \"order.json\""),
    ("pricetag receipt", 2, "", "Missing expected argument '<order>'"),
    // A batch.
    (
      "pricetag receipt orders.jsonl --catalog shop.jsonl -o out.jsonl; echo $?; grep -c '\"title\":\"Receipt\"' out.jsonl; grep -c '\"text\"' out.jsonl",
      1, "3\n2\n0\n", "rows: 4 read, 2 formatted, 2 rejected"
    ),
    (
      "pricetag receipt --batch --to text - < orders.jsonl | grep -c '\"text\":\"Receipt'", 0, "2\n",
      "pricetag: rejected: line 2, /charged: the lines add up to 4.99 USD, but 5.00 USD was charged"
    ),
    (
      "pricetag receipt orders.jsonl --quiet --rejects r.jsonl > /dev/null; echo $?; grep -o '^{.*\"code\":\"[a-z-]*\"' r.jsonl; grep -c '\"row\":\"{' r.jsonl",
      0,
      """
      3
      {"line":2,"byte":124,"field":"/charged","code":"sum-mismatch"
      {"line":4,"byte":249,"field":null,"code":"malformed-json"
      2

      """,
      ""
    ),
    (
      "pricetag receipt orders.jsonl --catalog shop.jsonl > /dev/null", 3, "",
      "pricetag: finding: line 5, /lines/0, \"car\": charged 3.99 USD"
    ),
    // A line that is larger than an order may be is rejected, and the next one is read.
    (
      "(head -c 3000000 /dev/zero | tr '\\0' a; echo; cat order.json) | pricetag receipt --batch - | grep -c '\"id\":\"7\"'",
      0, "1\n", "pricetag: rejected: line 1, the order is larger than 1 MB; split it"
    ),
  ]

  @Test(arguments: runs)
  func writesReceipts(line: String, status: Int32, output: String, errors: String) throws {
    let outcome = try shell(line)
    #expect(outcome.status == status, "\(outcome.report)")
    #expect(outcome.output == output, "\(outcome.report)")
    #expect(errors.isEmpty ? outcome.errors.isEmpty : outcome.errors.contains(errors), "\(outcome.report)")
  }
}
