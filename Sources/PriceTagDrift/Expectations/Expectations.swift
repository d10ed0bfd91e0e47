import PriceTag
import PriceTagCatalog
import PriceTagText

/// A price that a test expects, of a product or of a row.
struct ExpectedPrice: Sendable {
  var product = ""
  /// The line of the row; `nil` for a product.
  var row: Int?
  let storefront: String
  let amount: Amount
  let currency: String
  let priceLocale: String
  /// The date of the row, if it has one.
  var at: String?
  let text: String

  /// The line of a golden file. Rows are products whose names sort by line.
  var line: String {
    let name = row.map { "row " + zeroPadded("\($0)", 9) } ?? product
    let fields = [name, storefront, Expectations.language, amount.description, currency, priceLocale, text]
    return (fields.map(escapedForGoldenFile) + Array(repeating: "", count: 5)).joined(separator: "\t")
  }

  /// The code points of the text: `0034 0039 00A0 20AC`.
  static func codePoints(_ text: String) -> String {
    text.unicodeScalars.map { zeroPadded(String($0.value, radix: 16, uppercase: true), 4) }.joined(
      separator: " "
    )
  }
}

/// The expected prices of a catalog or of rows, with the regular expressions of their storefronts: what `pricetag expect` writes.
package struct Expectations {
  /// The source of the prices.
  package enum Source {
    case catalog(Catalog)
    case rows(PriceRows)
  }

  /// Where the formatted text is the same in all languages, one stands for all.
  package static let language = "en"
  static let format = "pricetag-expectations"
  private static let folding = """
    In the number: a space becomes U+0020, an apostrophe ', digits ASCII digits, a fullwidth comma or full stop the ASCII one. Outside: \
    spaces and direction marks are removed; minus and plus signs, parentheses, apostrophes and currency signs of other widths become one form.
    """

  private let localeData: LocaleData
  private let request: ListingRequest
  private var origins: [PriceOrigin: (key: String, reader: PatternReader)] = [:]
  /// The expressions by storefront; by storefront, price locale and currency for prices with another locale, currency or date.
  private(set) var expressions: [String: (formatter: PriceFormatter, texts: PriceExpressions)] = [:]
  /// The displays that are missing because of a fault in the catalog.
  package private(set) var missingDisplays: [DisplayRecording.MissingDisplay] = []
  /// The number of storefronts, counting one again for prices with another locale, currency or date.
  package var storefrontCount: Int { expressions.count }
  /// The number of prices.
  package private(set) var count = 0

  /// Creates expectations without prices.
  package init(_ request: ListingRequest, in localeData: LocaleData) {
    (self.request, self.localeData) = (request, localeData)
  }

  /// Calls a function with the prices of each product, and the reasons for those that are missing; or with each row.
  ///
  /// - Throws: `.catalogFailed`; `.formattingFailed` if the prices of a storefront have no regular expression.
  mutating func collect(
    _ source: Source,
    _ body: ([(price: ExpectedPrice, key: String, folded: String)], DisplayRecording.Displays?)
      throws(DriftError) -> Void
  ) throws(DriftError) {
    guard case .catalog(let catalog) = source else {
      if case .rows(let rows) = source { for price in rows.prices { try body([try entry(price)], nil) } }
      return
    }
    let recording = try DisplayRecording(of: catalog, request)
    while let product = try recording.next() {
      var entries: [(price: ExpectedPrice, key: String, folded: String)] = []
      for display in product.displays {
        var price = ExpectedPrice(
          storefront: display.storefront,
          amount: display.amount,
          currency: display.currency,
          priceLocale: display.priceLocale,
          text: display.display
        )
        price.product = display.productIdentifier
        entries.append(try entry(price))
      }
      missingDisplays += DisplayRecording.MissingDisplay.all(of: product)
      try body(
        entries,
        .init(productIdentifier: product.productIdentifier, displays: [], rejects: product.rejects)
      )
    }
  }

  private mutating func entry(_ price: ExpectedPrice) throws(DriftError) -> (
    price: ExpectedPrice, key: String, folded: String
  ) {
    count += 1
    let origin = PriceOrigin(
      storefront: price.storefront,
      priceLocale: price.priceLocale,
      currency: price.currency,
      at: price.at
    )
    if let known = origins[origin] { return (price, known.key, known.reader.folded(price.text)) }
    do throws(PriceTagError) {
      let formatter = try origin.formatter(in: localeData, on: request.day, style: request.style)
      let texts = try PriceExpressions(formatter)
      let own = try? PriceOrigin(storefront: price.storefront).formatter(
        in: localeData,
        on: request.day,
        style: request.style
      )
      let isOwn = own.map { $0.locale == formatter.locale && $0.currency == formatter.currency } ?? false
      let key =
        isOwn && (price.at == nil || own.flatMap { try? PriceExpressions($0) } == texts)
        ? price.storefront
        : [price.storefront, price.priceLocale, price.currency, price.at].compactMap(\.self).joined(
          separator: " "
        )
      expressions[key] = (formatter, texts)
      if origins.count > 4096 { origins = [:] }
      guard let reader = PatternReader(formatter) else { return (price, key, price.text) }
      origins[origin] = (key, reader)
      return (price, key, reader.folded(price.text))
    } catch { throw DriftError(.formattingFailed, error).at(printable(price.storefront)) }
  }

  // MARK: Files

  /// Returns the file with the prices of a source. A change of one price changes one line.
  ///
  /// - Throws: The errors of `collect`; `.catalogFailed` if the file would be too large to be checked.
  package mutating func file(_ source: Source, _ header: GoldenFileHeader) throws(DriftError) -> [UInt8] {
    var prices: [UInt8] = []
    try collect(source) { (entries, _) throws(DriftError) in
      for (price, key, folded) in entries {
        var fields = price.row.map { [("row", "\($0)")] } ?? [("product", Self.json(price.product))]
        fields += [
          ("storefront", price.storefront), ("amount", price.amount.description),
          ("currency", price.currency),
        ].map { ($0, Self.json($1)) }
        if let at = price.at { fields.append(("at", Self.json(at))) }
        if key != price.storefront { fields.append(("expressions", Self.json(key))) }
        fields += [
          ("text", price.text), ("folded", folded), ("codePoints", ExpectedPrice.codePoints(price.text)),
        ].map { ($0, Self.json($1)) }
        prices += ((prices.isEmpty ? "" : ",\n") + Self.object(fields)).utf8
      }
      guard prices.count < CatalogFile.maximumByteCount * 3 / 4 else {
        throw DriftError(
          .catalogFailed,
          "the file would be larger than \(CatalogFile.maximumByteCount >> 20) MB",
          fix: "add --storefronts, and write several files"
        )
      }
    }
    let storefronts = expressions.sorted { $0.key < $1.key }.map { key, entry in
      let fields = [
        ("currency", entry.formatter.currency.code), ("locale", entry.formatter.locale.identifier),
        ("strict", entry.texts.strict),
        ("lenient", entry.texts.lenient),
      ].map { ($0, Self.json($1)) }
      return Self.json(key) + ": " + Self.object(fields + [("groups", Self.array(entry.texts.groups))])
    }
    var origin: [(String, String)] = []
    if let path = header.catalog { origin.append((Self.name(of: source), Self.json(path))) }
    origin += header.reading.sorted { $0.key < $1.key }.map { ($0, Self.json($1)) }
    if header.mode == .development { origin.append(("products", Self.json("all"))) }
    if let storefronts = header.storefronts { origin.append(("storefronts", Self.array(storefronts))) }
    var icu = header
    icu.style.writtenAs = .icu
    if icu.style != PriceStyle() { origin.append(("style", Self.json(icu.styleText))) }
    let versions = header.versions
    let named = [
      ("pricetag", versions.priceTag), ("icu", versions.icu), ("cldr", versions.cldr),
      ("unicode", versions.unicode), ("zones", versions.zones),
    ]
    let top = [
      ("format", Self.json(Self.format)), ("version", "1"),
      ("versions", Self.object(named.filter { !$1.isEmpty }.map { ($0, Self.json($1)) })),
      ("registry", Self.json(header.registry)), ("source", Self.object(origin)),
      ("day", Self.json(header.day.description)),
      ("writtenAs", Self.json(header.style.writtenAs.description)), ("folding", Self.json(Self.folding)),
      ("storefronts", "{\n\(storefronts.joined(separator: ",\n"))\n}"),
    ]
    let start = "{\n" + top.map { "\(Self.json($0)): \($1),\n" }.joined() + "\"prices\": [\n"
    return Array(start.utf8) + prices + Array("\n]\n}\n".utf8)
  }

  private static func name(of source: Source) -> String {
    if case .rows = source { "rows" } else { "catalog" }
  }
  private static func json(_ text: String) -> String { JSONWriter.plain.string(text) }
  private static func array(_ texts: [String]) -> String { "[\(texts.map(json).joined(separator: ", "))]" }
  private static func object(_ fields: [(String, String)]) -> String {
    "{\(fields.map { "\(json($0)): \($1)" }.joined(separator: ", "))}"
  }
}
