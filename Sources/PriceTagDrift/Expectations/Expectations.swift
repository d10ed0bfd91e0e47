import PriceTag
import PriceTagCatalog
import PriceTagText

/// A price that a test expects, of a product or of a row.
struct ExpectedPrice: Sendable {
  /// The product's identifier; `nil` for a row.
  let product: String?
  /// The line of the row; `nil` for a product.
  let row: Int?
  let storefront: String
  let amount: String
  let currency: String
  let locale: String
  /// The date of the row, if it has one.
  let at: String?
  let text: String

  /// The line of a golden file. Rows are products whose names sort by line.
  var line: String {
    let name = product ?? "row " + zeroPadded("\(row ?? 0)", 9)
    let fields = [name, storefront, Expectations.language, amount, currency, locale, text]
    return (fields.map(escapedForGoldenFile) + Array(repeating: "", count: 5)).joined(separator: "\t")
  }

  /// The code points of the text: `0034 0039 00A0 20AC`.
  static func codePoints(_ text: String) -> String {
    text.unicodeScalars.map { zeroPadded(String($0.value, radix: 16, uppercase: true), 4) }.joined(
      separator: " "
    )
  }
}

/// The expected prices of a catalog or of rows, and the regular expressions of their storefronts.
package struct Expectations {
  /// The source of the prices.
  package enum Source {
    case catalog(Catalog)
    case rows(PriceRows)
  }

  typealias Entry = (price: ExpectedPrice, key: String, folded: String)

  /// The formatted price is the same in all languages, so one is enough.
  package static let language = "en"
  /// The format that the first line of a file names.
  package static let format = "pricetag-expectations"
  private static let folding = """
    In the number: a space becomes U+0020, an apostrophe ', a digit an ASCII digit, a fullwidth comma or full stop the \
    ASCII one. Outside: spaces and direction marks are removed; minus and plus signs, parentheses, apostrophes and \
    currency signs of other widths become one form.
    """

  private let localeData: LocaleData
  private let request: ListingRequest
  private var origins: [PriceOrigin: (key: String, reader: PatternReader)] = [:]
  /// The expressions by storefront; also by price locale, currency and date for prices that have others.
  private(set) var expressions: [String: (formatter: PriceFormatter, texts: PriceExpressions)] = [:]
  /// The displays that are missing because of a fault in the catalog.
  package private(set) var missingDisplays: [DisplayRecording.MissingDisplay] = []
  /// The number of prices.
  package private(set) var count = 0

  /// The number of pairs of expressions.
  package var expressionCount: Int { expressions.count }

  /// Creates expectations without prices.
  package init(_ request: ListingRequest, in localeData: LocaleData) {
    (self.request, self.localeData) = (request, localeData)
  }

  /// Calls a function with the prices of each product, and the reasons for those that are missing; or with each row.
  ///
  /// - Throws: `.catalogFailed`; `.formattingFailed` if the prices of a storefront have no regular expression.
  mutating func collect(
    _ source: Source,
    _ body: ([Entry], DisplayRecording.Displays?) throws(DriftError) -> Void
  ) throws(DriftError) {
    guard case .catalog(let catalog) = source else {
      if case .rows(let rows) = source { for price in rows.prices { try body([try entry(price)], nil) } }
      return
    }
    let recording = try DisplayRecording(of: catalog, request)
    while let product = try recording.next() {
      var entries: [Entry] = []
      for display in product.displays {
        let price = ExpectedPrice(
          product: product.productIdentifier,
          row: nil,
          storefront: display.storefront,
          amount: display.amount.description,
          currency: display.currency,
          locale: display.priceLocale,
          at: nil,
          text: display.display
        )
        entries.append(try entry(price))
      }
      missingDisplays += DisplayRecording.MissingDisplay.all(of: product)
      let (identifier, rejects) = (product.productIdentifier, product.rejects)
      try body(entries, .init(productIdentifier: identifier, displays: [], rejects: rejects))
    }
  }

  private mutating func entry(_ price: ExpectedPrice) throws(DriftError) -> Entry {
    count += 1
    let id = price.storefront
    let origin = PriceOrigin(
      storefront: id,
      priceLocale: price.locale,
      currency: price.currency,
      at: price.at
    )
    if origins[origin] == nil {
      if origins.count > 4096 { origins = [:] }
      do throws(PriceTagError) {
        let formatter = try origin.formatter(in: localeData, on: request.day, style: request.style)
        let texts = try PriceExpressions(formatter)
        let store = PriceOrigin(storefront: id)
        let own = try? store.formatter(in: localeData, on: request.day, style: request.style)
        let isOwn =
          own?.locale == formatter.locale && own?.currency == formatter.currency
          && (price.at == nil || own.flatMap { try? PriceExpressions($0) } == texts)
        let names = [id, price.locale, price.currency, price.at].compactMap(\.self)
        let key = isOwn ? id : names.joined(separator: " ")
        expressions[key] = (formatter, texts)
        origins[origin] = PatternReader(formatter).map { (key, $0) }
      } catch { throw DriftError(.formattingFailed, error).at(printable(id)) }
    }
    let (key, reader) = origins[origin] ?? (id, nil)
    return (price, key, reader?.folded(price.text) ?? price.text)
  }

  // MARK: Files

  /// Returns the file with the prices of a source. A change of one price changes one line.
  ///
  /// - Throws: The errors of `collect`; `.catalogFailed` if the file would be too large to be checked.
  package mutating func file(_ source: Source, _ header: GoldenFileHeader) throws(DriftError) -> [UInt8] {
    var prices: [UInt8] = []
    try collect(source) { (entries, _) throws(DriftError) in
      for (price, key, folded) in entries {
        let fields = [
          ("product", price.product), ("storefront", price.storefront), ("amount", price.amount),
          ("currency", price.currency), ("at", price.at),
          ("expressions", key == price.storefront ? nil : key),
          ("text", price.text), ("folded", folded), ("codePoints", ExpectedPrice.codePoints(price.text)),
        ]
        let row = price.row.map { [("row", "\($0)")] } ?? []
        prices += ((prices.isEmpty ? "" : ",\n") + Self.object(row + Self.texts(fields))).utf8
      }
      guard prices.count < CatalogFile.maximumByteCount / 4 * 3 else {
        let problem = "the file would be larger than \(CatalogFile.maximumByteCount >> 20) MB"
        throw DriftError(
          .catalogFailed,
          problem,
          fix: "write several files, with --storefronts or fewer rows"
        )
      }
    }
    let storefronts = expressions.sorted { $0.key < $1.key }.map { key, entry in
      let (formatter, texts) = entry
      let fields = Self.texts([
        ("currency", formatter.currency.code), ("locale", formatter.locale.identifier),
        ("strict", texts.strict),
        ("lenient", texts.lenient),
      ])
      return "\(visibleJSON(key)): \(Self.object(fields + [("groups", Self.array(texts.groups))]))"
    }
    let name = if case .rows = source { "rows" } else { "catalog" }
    var origin = Self.texts(
      [(name, header.catalog)] + header.reading.sorted { $0.key < $1.key }.map { ($0, $1) }
    )
    origin += Self.texts([
      ("style", header.styleText), ("products", header.mode == .production ? nil : "all"),
    ])
    origin += header.storefronts.map { [("storefronts", Self.array($0))] } ?? []
    let versions = header.versions
    let numbers = Self.texts([
      ("pricetag", versions.priceTag), ("icu", versions.icu), ("cldr", versions.cldr),
      ("unicode", versions.unicode),
      ("zones", versions.zones.isEmpty ? nil : versions.zones),
    ])
    var top = Self.texts([("format", Self.format)])
    top +=
      [("version", "1"), ("versions", Self.object(numbers))] + Self.texts([("registry", header.registry)])
    top.append(("source", Self.object(origin)))
    top += Self.texts([
      ("day", header.day.description), ("writtenAs", "\(header.style.writtenAs)"), ("folding", Self.folding),
    ])
    top.append(("storefronts", "{\n\(storefronts.joined(separator: ",\n"))\n}"))
    let start = top.map { "\(visibleJSON($0)): \($1),\n" }.joined()
    return Array("{\n\(start)\"prices\": [\n".utf8) + prices + Array("\n]\n}\n".utf8)
  }

  private static func array(_ texts: [String]) -> String {
    "[\(texts.map(visibleJSON).joined(separator: ", "))]"
  }
  /// Returns the fields that have a text, as JSON.
  private static func texts(_ fields: [(String, String?)]) -> [(String, String)] {
    fields.compactMap { name, text in text.map { (name, visibleJSON($0)) } }
  }
  private static func object(_ fields: [(String, String)]) -> String {
    "{\(fields.map { "\(visibleJSON($0)): \($1)" }.joined(separator: ", "))}"
  }
}
