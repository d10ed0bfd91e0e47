import PriceTag
import PriceTagCatalog
import PriceTagCatalogFormats
import PriceTagReceipts
import PriceTagStrings
import PriceTagText
import Testing

@testable import PriceTagPages

/// The forms of receipts, and their comparison with a catalog.
@Suite struct ReceiptOutputTests {
  static let order = ReceiptHarness.order([
    "id": "\"A-1001\"", "seller": "\"Rocket Garage\"", "buyer": "\"Ada <ada@example.com>\"",
    "lines": #"""
    [{"productIdentifier":"level1","name":"<script>alert(1)</script>","quantity":2,"unitPrice":"4.99"},
     {"productIdentifier":"coins","name":"100 coins & more","unitPrice":"0.99","discount":"0.09"}]
    """#,
    "discounts": #"[{"name":"\"><img src=x>","amount":"1.00"}]"#, "tax": "0.78", "taxIncluded": "false",
    "charged": "10.66",
  ])

  @Test func textIsAligned() throws {
    #expect(
      try ReceiptHarness.receipt(Self.order).text == """
        Receipt from Rocket Garage

        Order number    A-1001
        Order date      November 23, 2026
        Store           United States
        Billed to       Ada <ada@example.com>
        Payment status  Paid

        Product                                               Amount
        ------------------------------------------------------------
        <script>alert(1)</script>                              $9.98
          2 × $4.99
        100 coins & more                                       $0.90
          1 × $0.99
          Discount -$0.09
        ------------------------------------------------------------
        Subtotal                                              $10.88
        Discount ("><img src=x>)                              -$1.00
        Tax                                                    $0.78
        Total                                                 $10.66

        """
    )
  }

  /// Names are wrapped by terminal columns, and the amount stays on their first line.
  @Test func longNamesAreWrapped() throws {
    let name = String(repeating: "黄金のロケット", count: 6)
    let text = try ReceiptHarness.receipt(
      ReceiptHarness.order([
        "storefront": "\"JPN\"", "lines": "[{\"name\":\"\(name)\",\"unitPrice\":\"160\"}]", "charged": "160",
      ])
    ).text
    let lines = text.split(separator: "\n").map(String.init)
    #expect(lines.filter { $0.contains("ロケット") }.count == 2)
    for line in lines { #expect(columns(of: line) <= 60, "\(line)") }
    let first = try #require(lines.first { $0.contains("ロケット") })
    #expect(first.hasSuffix("￥160") && columns(of: first) == 60)
  }

  /// Every line of a right-to-left receipt starts with a mark, and everything that could change its order is isolated.
  @Test(arguments: ["ar", "he", "ur"]) func rightToLeftTextIsIsolated(language: String) throws {
    let text = try ReceiptHarness.receipt(Self.order, language: language).text
    for line in text.split(separator: "\n") { #expect(line.unicodeScalars.first == "\u{200F}") }
    #expect(text.contains("\u{2068}$10.66\u{2069}"))
    #expect(text.contains("\u{2068}A-1001\u{2069}"))
    // A name that ends an isolate and overrides the direction cannot affect the rest of the line.
    let hostile = ReceiptHarness.order([
      "lines": "[{\"name\":\"\u{2069}\u{202E}abc\",\"unitPrice\":\"9.98\"}]"
    ])
    #expect(
      try ReceiptHarness.receipt(hostile, language: "en-US").text.contains(
        "\u{2068}\u{202E}abc\u{202C}\u{2069}"
      )
    )
  }

  @Test func htmlEscapesTheOrder() throws {
    let receipt = try ReceiptHarness.receipt(Self.order)
    for html in [receipt.email, receipt.page] {
      #expect(!html.contains("<script"))
      #expect(!html.contains("<img"))
      #expect(html.contains("&lt;script&gt;alert(1)&lt;/script&gt;"))
      #expect(html.contains("&quot;&gt;&lt;img src=x&gt;"))
      #expect(html.contains("100 coins &amp; more"))
      #expect(!html.contains("http://") && !html.contains("https://") && !html.contains("url("))
      #expect(html.contains("<html lang=\"en-US\" dir=\"ltr\">"))
      #expect(html.contains("name=\"color-scheme\" content=\"light dark\""))
    }
    // Mail programs drop style sheets, so that every style is in an attribute.
    #expect(!receipt.email.contains("<style"))
    #expect(!receipt.email.contains("class="))
    // Every text of the order is in an element that breaks long words.
    let elements = receipt.email.matches(
      of: #/<(?:td|th|h1)[^>]*>(?:(?!</td>|</th>|</h1>).)*<bdi dir="auto"/#
    )
    #expect(elements.count == 5)
    for element in elements { #expect(element.0.contains("overflow-wrap:anywhere"), "\(element.0)") }
  }

  /// Elements of tables are closed in the order in which they were opened.
  @Test func elementsAreBalanced() throws {
    let receipt = try ReceiptHarness.receipt(Self.order, language: "ar")
    for html in [receipt.email, receipt.page] {
      var open: [String] = []
      for match in html.matches(of: #/<(/?)([a-z][a-z0-9]*)[^>]*>/#) {
        let name = String(match.2)
        if ["meta", "br"].contains(name) { continue }
        if match.1.isEmpty { open.append(name) } else { #expect(open.popLast() == name, "\(name)") }
      }
      #expect(open.isEmpty, "\(open)")
    }
  }

  /// The page's policy allows its own style sheet, and nothing else.
  @Test func policyAllowsTheStyle() throws {
    let page = try ReceiptHarness.receipt(Self.order).page
    let style = try #require(page.firstMatch(of: #/(?s)<style>(.*)</style>/#)).1
    #expect(page.contains("style-src \(ContentSecurityPolicy.hashSource(of: String(style)));"))
    #expect(page.contains("default-src 'none'"))
  }

  /// The taxes and quantities of an order in each form, in English and in German.
  @Test func writesTaxesAndQuantities() throws {
    let order = ReceiptHarness.order([
      "storefront": "\"DEU\"",
      "lines":
        #"[{"name":"Hours","quantity":2.5,"unitPrice":"4.00","taxes":[{"rate":"7.0","amount":"0.65","included":true}]},{"name":"Seats","quantity":7,"subtotal":"20.00","taxes":[{"name":"<b>","amount":"1.00","included":true},{"amount":"0.50","included":false}]}]"#,
      "charged": "30.50",
    ])
    let english = try ReceiptHarness.receipt(order, language: "en-US")
    for line in [
      "Hours ", "  2.5 × 4,00", "Seats ", "  Quantity 7\n", "VAT included (7%) ", "VAT included (<b>) ",
    ] {
      #expect(english.text.contains("\n\(line)"), "\(line)")
    }
    #expect(english.page.contains(#"<th scope="row">VAT included (7%)</th>"#))
    #expect(english.page.contains(#"VAT included (<bdi dir="auto">&lt;b&gt;</bdi>)"#))
    #expect(english.page.contains(#"<td class="wide">7</td><td class="wide"></td>"#))
    #expect(english.page.contains(#"<small class="narrow">Quantity 7</small>"#))
    let german = try ReceiptHarness.receipt(order, language: "de")
    #expect(german.text.contains("\n  2,5 × 4,00"))
    #expect(german.text.contains("\nEnthaltene MwSt. (7\u{A0}%) "))
    #expect(
      english.json.contains(
        #""quantity":2.5,"unitPrice":{"amount":"4.00","display":"4,00\#u{A0}€"},"subtotal":{"amount":"10.00","display":"10,00\#u{A0}€"},"discount":null,"amount":{"amount":"10.00","display":"10,00\#u{A0}€"},"tax":{"amount":"0.65","display":"0,65\#u{A0}€"},"taxIncluded":true,"total":{"amount":"10.00","display":"10,00\#u{A0}€"},"taxes":[{"name":null,"rate":"7","amount":"0.65","included":true}]}"#
      ),
      "\(english.json)"
    )
    #expect(
      english.json.contains(#""tax":null,"taxIncluded":null,"total":{"amount":"20.50""#),
      "\(english.json)"
    )
    #expect(
      english.json.contains(#"{"kind":"included-tax","label":"VAT included","name":null,"rate":"7","price":"#)
    )
  }

  @Test func jsonHasAllFacts() throws {
    let json = try ReceiptHarness.receipt(ReceiptHarness.order(["id": "\"7\""])).json(including: [.text])
    #expect(
      json.hasPrefix(
        #"{"id":"7","storefront":"USA","currency":"USD","priceLocale":"en-US","language":"en-US","date":"2026-11-23","dateText":"November 23, 2026","state":"paid","stateText":"Paid","title":"Receipt","charged":"9.98","lines":[{"productIdentifier":"level1","name":"level1","nameLanguage":null,"quantity":2,"unitPrice":{"amount":"4.99","display":"$4.99"},"subtotal":{"amount":"9.98","display":"$9.98"},"discount":null,"amount":{"amount":"9.98","display":"$9.98"},"tax":null,"taxIncluded":null,"total":{"amount":"9.98","display":"$9.98"}}],"totals":[{"kind":"total","label":"Total","name":null,"price":{"amount":"9.98","display":"$9.98"}}],"findings":[],"text":"Receipt\n"#
      ),
      "\(json)"
    )
  }

  /// Prices are those of the storefront, and words those of the buyer's language, in every language.
  @Test func everyLanguageHasAllWords() throws {
    let order = ReceiptHarness.order([
      "storefront": "\"DEU\"", "seller": "\"Rocket Garage\"", "id": "\"1\"", "buyer": "\"Ada\"",
      "discount": "1", "shipping": #"{"amount":"1"}"#, "tax": "1", "taxIncluded": "true",
      "state": "\"refunded\"",
    ])
    var texts: Set<String> = []
    for language in StoreStrings.embedded.languages {
      let receipt = try ReceiptHarness.receipt(order, language: language.identifier)
      #expect(receipt.language == language)
      #expect(receipt.totals.map(\.price.text).contains("9,98\u{A0}€"), "\(language)")
      #expect(receipt.title.contains("Rocket Garage"), "\(language)")
      for total in receipt.totals { #expect(total.label.language == language) }
      texts.insert(receipt.text)
    }
    // Some variants of English and Spanish use the same words.
    #expect(texts.count >= 46)
  }

  // MARK: Catalog

  static let shop = #"""
    {"format":"pricetag-catalog","version":1,"products":[
      {"productIdentifier":"level1","localizations":{"en-US":{"name":"Level 1"},"ja":{"name":"レベル1"}},
       "prices":{"USA":[{"amount":"4.99","until":"2026-11-30"},{"amount":"5.99","from":"2026-12-01"}],"JPN":"700"}},
      {"productIdentifier":"club","kind":"auto-renewable-subscription","subscriptionPeriod":"P1M",
       "localizations":{"en-US":{"name":"Club"}},"prices":{"USA":"9.99"},
       "offers":[{"kind":"introductory","paymentMode":"pay-as-you-go","period":"P1M","periodCount":2,"prices":{"USA":"1.99"},
         "laterPhases":[{"paymentMode":"pay-up-front","period":"P3M","prices":{"USA":"4.99"}}]}]}
    ]}
    """#

  static func catalog() throws -> Catalog {
    let catalog = try Catalog()
    try catalog.importFiles([CatalogFile(name: "shop.json", bytes: Array(shop.utf8))])
    return catalog
  }

  static let comparisons: [(lines: String, date: String, findings: [String])] = [
    (#"[{"productIdentifier":"level1","unitPrice":"4.99"}]"#, "2026-11-30", []),
    (
      #"[{"productIdentifier":"level1","unitPrice":"4.99"}]"#, "2026-12-01",
      ["/lines/0, \"level1\": charged 4.99 USD, but the catalog has 5.99 USD on 2026-12-01"]
    ),
    (
      #"[{"name":"Gift","unitPrice":"4.99"},{"productIdentifier":"level9","unitPrice":"0"}]"#, "2026-11-23",
      ["/lines/1, \"level9\": "]
    ),
    (
      #"[{"productIdentifier":"club","unitPrice":"4.99"}]"#, "2026-11-23",
      ["/lines/0, \"club\": charged 4.99 USD"]
    ),
    (
      #"[{"productIdentifier":"club","unitPrice":"1.99","offer":"introductory"},{"name":"x","unitPrice":"3"}]"#,
      "2026-11-23", []
    ),
    (
      #"[{"productIdentifier":"club","unitPrice":"4.99","offer":"introductory"}]"#, "2026-11-23", []
    ),
    (
      #"[{"productIdentifier":"club","unitPrice":"1.99","offer":"promotional"},{"name":"x","unitPrice":"3"}]"#,
      "2026-11-23", ["/lines/0, \"club\": charged 1.99 USD"]
    ),
  ]

  @Test(arguments: comparisons)
  func comparesWithTheCatalog(lines: String, date: String, findings: [String]) throws {
    let order = ReceiptHarness.order(["lines": lines, "date": "\"\(date)\"", "charged": "4.99"])
    let receipt = try ReceiptHarness.receipt(order, catalog: Self.catalog())
    #expect(receipt.findings.count == findings.count)
    for (finding, expected) in zip(receipt.findings, findings) {
      #expect(finding.description.hasPrefix(expected), "\(finding)")
    }
  }

  /// The catalog provides names in the buyer's language.
  @Test func theCatalogProvidesNames() throws {
    let order = ReceiptHarness.order([
      "storefront": "\"JPN\"", "lines": #"[{"productIdentifier":"level1","unitPrice":"700"}]"#,
      "charged": "700",
    ])
    let receipt = try ReceiptHarness.receipt(order, language: "ja", catalog: Self.catalog())
    #expect(receipt.lines.map(\.name) == ["レベル1"])
    #expect(receipt.email.contains("<bdi dir=\"auto\" lang=\"ja\">レベル1</bdi>"))
    #expect(receipt.findings.isEmpty)
  }
}
