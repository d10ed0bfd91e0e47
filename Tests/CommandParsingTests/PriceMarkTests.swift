import PriceTag
import PriceTagXML
import Testing

@testable import PriceTagVerbs

/// Tests of the prices that are marked in HTML pages.
@Suite struct PriceMarkTests {
  /// Returns the prices of a page as `line storefront product currency amount text`, with `-` for what is missing, and the error.
  private static func marks(_ page: [UInt8]) -> [String] {
    var found: [String] = []
    let marks = PriceMarks { mark in
      let values = [
        mark.origin.storefront, mark.product, mark.origin.currency, mark.amount.isEmpty ? nil : mark.amount,
      ]
      found.append("\(mark.line) " + values.map { $0 ?? "-" }.joined(separator: " ") + " [\(mark.text)]")
    }
    let error = readHTML(page, marks)
    marks.finish()
    return found + (error.map { ["line \($0.line): \($0.problem)"] } ?? [])
  }

  static let pages: [(name: String, page: String, marks: [String])] = [
    (
      "an element", "<b data-storefront=DEU data-amount=4.99>4,99&nbsp;&euro;</b>",
      ["1 DEU - - 4.99 [4,99\u{A0}€]"]
    ),
    ("numeric entities", "<b data-amount=1>&#8206;1&#xA0;&#x20AC;</b>", ["1 - - - 1 [\u{200E}1\u{A0}€]"]),
    ("an entity encoded twice", "<b data-amount=1>1&amp;nbsp;€</b>", ["1 - - - 1 [1&nbsp;€]"]),
    (
      "an ancestor", "<html data-storefront=JPN>\n<p data-product=car><i><b data-amount=700>￥700</b></i>",
      ["2 JPN car - 700 [￥700]"]
    ),
    (
      "a nearer ancestor",
      "<div data-storefront=JPN><p data-storefront=USA data-currency=GEM><b data-amount=1>1</b></p><b data-amount=2>2</b></div>",
      ["1 USA - GEM 1 [1]", "1 JPN - - 2 [2]"]
    ),
    ("a language names no store", "<html lang=de-DE><b lang=de data-amount=1>1 €</b>", ["1 - - - 1 [1 €]"]),
    ("white space", "<b data-amount=1>\n  1 \t\n €<br>x&nbsp; </b>", ["1 - - - 1 [1 € x\u{A0}]"]),
    ("parts", "<b data-amount=1><span dir=ltr>US$</span><i>1</i>.00</b>", ["1 - - - 1 [US$1.00]"]),
    ("nested prices", "<tr data-amount=2>x<td data-amount=1>1</td>y</tr>", ["1 - - - 1 [1]"]),
    (
      "hidden parts", "<b data-amount=1>1<template>2</template><script>3</script><i hidden>4</i>5</b>",
      ["1 - - - 1 [15]"]
    ),
    (
      "hidden prices",
      "<div hidden><b data-amount=1>1</b></div><template><b data-amount=2>2</b></template><noscript><b data-amount=3>3</b></noscript>",
      []
    ),
    (
      "a script with prices", "<script>w('<b data-amount=\"1\">1</b></p>')</script><b data-amount=2>2",
      ["1 - - - 2 [2]"]
    ),
    ("a comment", "<!-- <b data-amount=1>1</b> --><b data-amount=2>2</b>", ["1 - - - 2 [2]"]),
    (
      "unclosed elements", "<p data-amount=1>1<p data-amount=2>2<li data-amount=3>3",
      ["1 - - - 1 [1]", "1 - - - 2 [2]", "1 - - - 3 [3]"]
    ),
    ("an empty element", "<b data-amount=1></b>", ["1 - - - 1 []"]),
    (
      "JSON-LD of the product",
      """
      <p data-product=car><b data-amount>5 €</b><p data-product=track><b data-amount>6 €</b><p data-product=none><b data-amount>7</b>
      <script type="application/ld+json">[{"@type":"Product","sku":"car","offers":[{"@type":"Offer","price":"5.00","priceCurrency":"EUR"}]},
      {"@type":"Product","sku":"track","offers":{"@type":"Offer","price":6.50,"priceCurrency":"EUR","priceSpecification":{"@type":"UnitPriceSpecification","price":"9","priceCurrency":"EUR"}}}]</script>
      """,
      ["1 - car EUR 5.00 [5 €]", "1 - track EUR 6.50 [6 €]", "1 - none - - [7]"]
    ),
    (
      "the only offer of the page",
      "<script type='application/ld+json'>{\"@type\":\"Offer\",\"price\":1,\"priceCurrency\":\"USD\"}</script><b data-amount>$1</b>",
      ["1 - - USD 1 [$1]"]
    ),
    (
      "two offers, and invalid JSON",
      "<script type='application/ld+json'>[{\"@type\":\"Offer\",\"price\":1,\"priceCurrency\":\"USD\"},{\"@type\":\"Offer\",\"price\":2,\"priceCurrency\":\"USD\"}]</script><script type='application/ld+json'>{</script><b data-amount>$1</b>",
      ["1 - - - - [$1]"]
    ),
    ("a NUL character", "<b data-amount=1>1</b>\n\0", ["line 2: the page has a NUL character"]),
    ("no page", "hello", []), ("an empty file", "", []),
  ]

  @Test(arguments: pages.indices)
  func findsPrices(index: Int) {
    let (name, page, marks) = Self.pages[index]
    #expect(Self.marks(Array(page.utf8)) == marks, "\(name)")
  }

  static let charsets: [(name: String, page: [UInt8], marks: [String])] = [
    (
      "UTF-8 with a byte order mark", [0xEF, 0xBB, 0xBF] + Array("<b data-amount=1>€".utf8), ["1 - - - 1 [€]"]
    ),
    (
      "UTF-16", [0xFF, 0xFE] + "<b data-amount=1>€".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] },
      ["1 - - - 1 [€]"]
    ),
    (
      "windows-1252", Array("<meta charset=windows-1252><b data-amount=1>".utf8) + [0x80, 0xA0],
      ["1 - - - 1 [€\u{A0}]"]
    ),
    (
      "no charset", Array("<b data-amount=1>".utf8) + [0x80],
      ["1 - - - 1 [\u{80}]", "line 1: the page is not UTF-8, and names no other charset"]
    ),
    (
      "an unknown charset", Array("<meta charset=nonsense><b data-amount=1>".utf8) + [0x80],
      ["line 1: the page is not in its charset, or that is unknown"]
    ),
  ]

  @Test(arguments: charsets.indices)
  func decodesCharsets(index: Int) {
    let (name, page, marks) = Self.charsets[index]
    #expect(Self.marks(page) == marks, "\(name)")
  }

  static let hostile: [(name: String, page: String, count: Int, error: String?)] = [
    (
      "1 MB of nested elements", String(repeating: "<b>", count: 350_000), 0,
      "line 1: elements are nested more than 512 deep"
    ),
    ("1 MB of unclosed prices", String(repeating: "<p data-amount=1>1\n", count: 50_000), 50_000, nil),
    ("1 MB of end tags", String(repeating: "</a>", count: 250_000), 0, nil),
    (
      "a tag with 1 MB of attributes", "<a " + (0..<150_000).map { "a\($0)" }.joined(separator: " ") + ">", 0,
      "line 1: the page has more than 1000 names of elements and attributes"
    ),
    (
      "a value of 1 MB", "<b data-amount=1 src=\"" + String(repeating: "x", count: 1 << 20) + "\">1</b>", 1,
      nil
    ),
    ("a text of 1 MB", "<b data-amount=1>" + String(repeating: "x", count: 1 << 20) + "</b>", 1, nil),
    ("1 MB of ampersands", String(repeating: "&", count: 1 << 20), 0, nil),
    (
      "an unclosed comment",
      "<b data-amount=1>1</b><!--" + String(repeating: "<b data-amount=1>1</b>", count: 10_000), 1, nil
    ),
    ("an unclosed script", "<script>" + String(repeating: "<b data-amount=1>1</b>", count: 10_000), 0, nil),
    (
      "an unclosed quote",
      "<b data-amount=1>1</b><a b=\"" + String(repeating: "<b data-amount=1>1</b>", count: 10_000), 1, nil
    ),
    ("100,000 prices", String(repeating: "<b data-amount=1>1</b>\n", count: 100_000), 100_000, nil),
  ]

  @Test(arguments: hostile.indices)
  func boundsWork(index: Int) {
    let (name, page, count, error) = Self.hostile[index]
    let start = ContinuousClock.now
    let found = Self.marks(Array(page.utf8))
    let errors = found.filter { $0.hasPrefix("line") }
    #expect(errors == [error].compactMap(\.self), "\(name)")
    #expect(found.count - errors.count == count, "\(name)")
    #expect(ContinuousClock.now - start < .seconds(20), "\(name)")
  }
}
