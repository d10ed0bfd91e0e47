import PriceTag
import PriceTagBatch
import PriceTagCatalog
import PriceTagCatalogBatch
import PriceTagCatalogFormats
import PriceTagStrings
import Testing

/// The rows of a catalog, one for each product, storefront and language.
@Suite struct CatalogBatchTests {
  /// A product with a name that CSV quotes, a subscription without a price in Germany, and one that is not approved.
  private static let shop = #"""
    {"productIdentifier":"car","localizations":{"en-US":{"name":"Car, \"red\"","description":"Fast."},"ja":{"name":"車"}},"prices":{"USA":"1234.50","DEU":"1234.50","JPN":"1200"}}
    {"productIdentifier":"club","kind":"auto-renewable-subscription","subscriptionGroup":"club","subscriptionPeriod":"P1M","localizations":{"en-US":{"name":"Club"}},"prices":{"USA":"9.99","JPN":"1000"},"offers":[{"kind":"introductory","paymentMode":"free-trial","period":"P7D"}]}
    {"productIdentifier":"draft","approved":false,"prices":{"USA":"1","JPN":"100","DEU":"1"}}
    """#

  private static func catalog(_ text: String = shop) throws -> Catalog {
    let catalog = try Catalog()
    try catalog.importFiles([CatalogFile(name: "shop.jsonl", bytes: Array(text.utf8))]) {
      (error) throws(CatalogError) in throw error
    }
    return catalog
  }

  private static func request(_ storefronts: [String], languages: [String] = ["en-US"]) throws
    -> ListingRequest
  {
    ListingRequest(
      storefronts: try storefronts.map { try Storefront($0) },
      languages: .list(try languages.map { try UILanguage($0) }),
      at: try .date(CalendarDate("2026-11-21"))
    )
  }

  /// An output in memory.
  ///
  /// Sendable notes: a batch calls from one thread at a time, and the properties are read after it.
  private final class Collected: CatalogBatchOutput, @unchecked Sendable {
    var bytes: [UInt8] = []
    var rejects: [ProductReject] = []
    var text: String { String(decoding: bytes, as: UTF8.self) }
    var lines: [Substring] { text.split(separator: "\n") }

    func write(_ more: UnsafeRawBufferPointer) { bytes += more }
    func reject(_ reject: BatchReject) { Issue.record("a catalog has no rows: \(reject)") }
    func reject(_ reject: ProductReject) { rejects.append(reject) }
    func reached(_ progress: BatchProgress) {}
  }

  private static func run(
    _ request: ListingRequest,
    shop: String = shop,
    outputs: Int = 1,
    _ change: (inout BatchOptions) -> Void = { _ in }
  ) throws -> (outputs: [Collected], summary: BatchSummary) {
    var options = BatchOptions()
    change(&options)
    let collected = (0..<outputs).map { _ in Collected() }
    let summary = try CatalogBatch(try catalog(shop), request, options).run(to: collected)
    return (collected, summary)
  }

  @Test func writesProductsAsRows() throws {
    let (outputs, summary) = try Self.run(try Self.request(["USA", "JPN", "DEU"]))
    #expect(
      outputs[0].lines.last
        == #"{"productIdentifier":"club","storefront":"JPN","language":"en-US","name":"Club","description":null,"amount":"1000","currency":"JPY","display":"￥1,000","spoken":"1,000円","subscription":"￥1,000 per month","offers":["7 days free, then ￥1,000 per month"]}"#
    )
    #expect(outputs[0].lines.count == 5)
    #expect(summary.read == 6 && summary.formatted == 5 && summary.notForSale == 3)
    #expect(summary.rejectedByCode == ["no-price": 1])
    let reject = try #require(outputs[0].rejects.first)
    #expect(reject.productIdentifier == "club" && reject.storefront == "DEU" && reject.code == "no-price")
  }

  /// Products of which a row shows only the price, where neighbors differ in texts, price locales, dates and digits.
  private static let prices = #"""
    {"productIdentifier":"a","localizations":{"en-US":{"name":"A","description":"First"},"ja":{"name":"い"}},"prices":{"USA":"1234.50","DEU":"0.5","JPN":"1200","EGY":"4.99"}}
    {"productIdentifier":"b","priceLocales":{"DEU":"en-DE","EGY":"en-EG"},"prices":{"USA":"123456789012.25","DEU":"1","JPN":"1","EGY":"1000"}}
    {"productIdentifier":"c","localizations":{"ja":{"name":"は","description":"次"}},"prices":{"USA":[{"amount":"2","until":"2026-11-30"},{"amount":"3","from":"2026-12-01"}],"DEU":"12","JPN":"0","EGY":"1"}}
    {"productIdentifier":"d","clearedForSale":["DEU"],"localizations":{"de":{"name":"D"}},"prices":{"USA":"2","DEU":"1.05"}}
    """#

  /// A row that is written without a `Product` has the values of one.
  @Test(arguments: [
    PriceStyle(), PriceStyle(width: .name), PriceStyle(rounding: .halfUp, notation: .compactShort),
  ])
  func writesValuesOfProducts(style: PriceStyle) throws {
    let request = ListingRequest(
      storefronts: try ["USA", "DEU", "JPN", "EGY"].map { try Storefront($0) },
      languages: .list(try ["en-US", "ja", "de"].map { try UILanguage($0) }),
      at: try .date(CalendarDate("2026-11-21")),
      style: style
    )
    var expected: [String] = []
    let (reader, builder) = (
      try Self.catalog(Self.prices).listings(for: request), try ListingBuilder(request)
    )
    for record in try reader.next(10) {
      try builder.forEach(record) { listing in
        guard case .product(let product, let spoken) = listing.answer else { return }
        let (text, price) = (product.text, product.price)
        let values: [String?] = [
          product.identifier, listing.storefront.id, listing.language.identifier, text?.name,
          text?.description,
          price.amount.description, price.currency.code, price.text, spoken, nil, nil, price.isolated,
        ]
        expected.append(values.map { $0 ?? "" }.joined(separator: ";"))
      }
    }
    let (outputs, _) = try Self.run(request, shop: Self.prices) {
      ($0.output, $0.outputDelimiter, $0.fields) = (.csv, UInt8(ascii: ";"), [.isolated])
    }
    #expect(outputs[0].lines.dropFirst().map(String.init) == expected && expected.count == 39)
  }

  @Test func writesCSVHeader() throws {
    let (outputs, _) = try Self.run(try Self.request(["USA"])) {
      $0.output = .csv
      $0.outputDelimiter = UInt8(ascii: ";")
      $0.fields = [.spoken, .html]
    }
    #expect(
      outputs[0].text == """
        productIdentifier;storefront;language;name;description;amount;currency;display;spoken;subscription;offers;html
        car;USA;en-US;"Car, ""red""\";Fast.;1234.50;USD;$1,234.50;1,234.50 US dollars;;;"<bdi lang=""en-US"" dir=""ltr"">$1,234.50</bdi>"
        club;USA;en-US;Club;;9.99;USD;$9.99;9.99 US dollars;$9.99 per month;7 days free, then $9.99 per month;"<bdi lang=""en-US"" dir=""ltr"">$9.99</bdi>"

        """
    )
  }

  /// A delimiter that an amount contains puts the amount in quotes.
  @Test func quotesAmountsWithDelimiter() throws {
    let (outputs, _) = try Self.run(try Self.request(["USA"])) {
      ($0.output, $0.outputDelimiter) = (.csv, UInt8(ascii: "."))
    }
    #expect(
      outputs[0].lines.dropFirst().map { $0.contains("\"1234.50\".USD.") || $0.contains("\"9.99\".USD.") }
        == [true, true]
    )
  }

  private static let drinks = #"""
    {"productIdentifier":"cola","content":"6 x 330 ml","localizations":{"en-US":{"name":"Cola"}},"prices":{"DEU":"3.49"}}
    {"productIdentifier":"eggs","content":"12 pieces","localizations":{"en-US":{"name":"Eggs"}},"prices":{"DEU":"3.00"}}
    {"productIdentifier":"hat","localizations":{"en-US":{"name":"Hat"}},"prices":{"DEU":"5"}}
    """#

  private static func unitPriceRequest(_ rounding: RoundingMode?) throws -> ListingRequest {
    ListingRequest(
      storefronts: [try Storefront("DEU")],
      languages: .list([try UILanguage("en-US")]),
      at: try .date(CalendarDate("2026-11-21")),
      unitPriceRounding: rounding
    )
  }

  /// The unit price of a piece has a text in the row's language; a product without a content has no unit price.
  @Test func writesUnitPrices() throws {
    let unitPrices = ["1,76\u{A0}€/l", "0,25\u{A0}€ per piece"]
    let request = try Self.unitPriceRequest(.halfUp)
    let (json, _) = try Self.run(request, shop: Self.drinks) { $0.fields = [.unitPrice] }
    let ends =
      unitPrices.map { #","offers":[],"unitPrice":"\#($0)"}"# } + [#","offers":[],"unitPrice":null}"#]
    #expect(json[0].lines.count == 3)
    for (line, end) in zip(json[0].lines, ends) { #expect(line.hasSuffix(end), "\(line)") }
    let (csv, _) = try Self.run(request, shop: Self.drinks) {
      $0.output = .csv
      $0.fields = [.unitPrice, .isolated]
    }
    let records = csv[0].lines.dropFirst()
    let values = unitPrices.map { "\"\($0)\"" } + [""]
    for (record, value) in zip(records, values) { #expect(record.contains(",,\(value),\""), "\(record)") }
    #expect(records.count == 3 && csv[0].lines[0].hasSuffix(",offers,unitPrice,isolated"))
  }

  /// What the price states comes before what the product states, and both before the request and the storefront's fact.
  @Test(arguments: [
    (nil as TaxInclusion?, ["true", "false", "true", "\"unknown\""]),
    (.excluded, ["false", "false", "true", "\"unknown\""]),
    (.unknown, ["\"unknown\"", "false", "true", "\"unknown\""]),
  ])
  func writesTax(requested: TaxInclusion?, expected: [String]) throws {
    let shop = #"""
      {"productIdentifier":"nothing","prices":{"DEU":"1"}}
      {"productIdentifier":"product","prices":{"DEU":"1"},"taxIncluded":false}
      {"productIdentifier":"price","prices":{"DEU":{"amount":"1","taxIncluded":true}},"taxIncluded":false,"sortOrder":3}
      {"productIdentifier":"unknown","prices":{"DEU":{"amount":"1","taxIncluded":"unknown"}}}
      """#
    let request = ListingRequest(
      storefronts: [try Storefront("DEU")],
      languages: .list([try UILanguage("en-US")]),
      at: try .date(CalendarDate("2026-11-21")),
      taxInclusion: requested
    )
    let (json, _) = try Self.run(request, shop: shop) { $0.fields = [.taxIncluded] }
    let (csv, _) = try Self.run(request, shop: shop) { ($0.output, $0.fields) = (.csv, [.taxIncluded]) }
    let names = ["nothing", "product", "price", "unknown"]
    for (name, value) in zip(names, expected) {
      let line = try #require(json[0].lines.first { $0.contains(#""productIdentifier":"\#(name)""#) })
      #expect(line.hasSuffix(#","taxIncluded":\#(value)}"#), "\(line)")
      let record = try #require(csv[0].lines.first { $0.hasPrefix("\(name),") })
      #expect(record.hasSuffix(",\(value.filter { $0 != "\"" })"), "\(record)")
    }
    #expect(csv[0].lines[0].hasSuffix(",taxIncluded"))
  }

  /// Without a rounding mode, a product whose unit price needs rounding is rejected.
  @Test func rejectsInexactUnitPrices() throws {
    let (outputs, summary) = try Self.run(try Self.unitPriceRequest(.exact), shop: Self.drinks) {
      $0.fields = [.unitPrice]
    }
    #expect(outputs[0].lines.count == 2 && summary.rejected == 1)
    #expect(outputs[0].rejects.first?.productIdentifier == "cola")
  }

  @Test(arguments: [BatchField.unitPrice, .installment, .lastInstallment])
  func rejectsFieldsWithoutSource(field: BatchField) throws {
    let error = #expect(throws: BatchError.self) {
      try Self.run(try Self.unitPriceRequest(nil), shop: Self.drinks) { $0.fields = [field] }
    }
    #expect(error?.code == .invalidOption)
    #expect(error?.description.contains("\"\(field.rawValue)\" requires ") == true)
  }

  /// With one output per storefront, each has the storefront's rows in the order of the products.
  @Test func writesOneOutputPerStorefront() throws {
    let storefronts = ["USA", "JPN", "DEU"]
    let (separate, _) = try Self.run(try Self.request(storefronts), outputs: 3)
    for (storefront, output) in zip(storefronts, separate) {
      let (alone, _) = try Self.run(try Self.request([storefront]))
      #expect(output.bytes == alone[0].bytes && !output.bytes.isEmpty, "\(storefront)")
    }
    #expect(separate[0].rejects.count == 1 && separate[1].rejects.isEmpty && separate[2].rejects.isEmpty)
  }

  /// Enough products for several pieces, so that threads wait for each other.
  @Test(arguments: [1, 3])
  func writesSameRowsWithAnyNumberOfThreads(outputs: Int) throws {
    let shop = (1...5000).map {
      #"{"productIdentifier":"p\#($0)","localizations":{"en-US":{"name":"P\#($0)"}},"prices":{"USA":"\#($0).99","JPN":"\#($0)","DEU":"\#($0).49"}}"#
    }.joined(separator: "\n")
    let request = try Self.request(["USA", "JPN", "DEU"])
    let one = try Self.run(request, shop: shop, outputs: outputs)
    #expect(one.summary.formatted == 15_000)
    for jobs in [2, 4] {
      let several = try Self.run(request, shop: shop, outputs: outputs) { $0.jobs = jobs }
      #expect(several.outputs.map(\.bytes) == one.outputs.map(\.bytes), "\(jobs) jobs")
      #expect(several.summary == one.summary, "\(jobs) jobs")
    }
  }

  /// The compressed output of a storefront without rows is a valid gzip file.
  @Test func writesEmptyMemberWithoutRows() throws {
    let shop = #"{"productIdentifier":"car","prices":{"USA":"1"}}"#
    let (outputs, _) = try Self.run(try Self.request(["USA", "DEU"]), shop: shop, outputs: 2) {
      $0.compresses = true
    }
    for output in outputs { #expect(output.bytes.starts(with: [0x1F, 0x8B])) }
    #expect(outputs[1].bytes.count < outputs[0].bytes.count)
  }

  @Test func strictBatchThrowsForFirstReject() throws {
    let (catalog, request) = (try Self.catalog(), try Self.request(["DEU"]))
    var options = BatchOptions()
    options.isStrict = true
    do throws(BatchError) {
      try CatalogBatch(catalog, request, options).run(to: [Collected()])
      Issue.record("the batch did not throw")
    } catch {
      #expect(error.code == .rejected && error.problem.contains("club in DEU"), "\(error)")
    }
  }

  @Test func throwsForWrongNumberOfOutputs() throws {
    let batch = try CatalogBatch(try Self.catalog(), try Self.request(["USA", "JPN", "DEU"]))
    for count in [0, 2, 4] {
      do throws(BatchError) {
        try batch.run(to: (0..<count).map { _ in Collected() })
        Issue.record("\(count) outputs were accepted")
      } catch { #expect(error.code == .invalidOption, "\(count)") }
    }
  }
}
