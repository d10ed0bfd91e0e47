import PriceTag
import PriceTagCatalog
import PriceTagText

/// Writes products as PriceTag's own CSV: a row per price, as RFC 4180 has it, with line feeds.
///
///     let writer = CatalogCSVWriter(languages: ["en-US"])
///     writer.header                  // "productIdentifier,kind,…,name[en-US],description[en-US],storefront,…\n"
///     writer.rows(of: product).text  // a row per price
///
/// What is read from it says the same again, but for what CSV has no place for, which is told.
public struct CatalogCSVWriter: Sendable {
  /// The languages that texts are written in, BCP 47.
  public let languages: [String]

  /// A writer of texts in some languages: a header needs to know them beforehand.
  public init(languages: [String]) {
    var known: Set<String> = []
    self.languages = languages.filter { known.insert($0).inserted }
  }

  /// The first row.
  public var header: String {
    let texts = languages.flatMap { language in CatalogCSV.TextField.allCases.map { $0.label(language) } }
    let names = Self.facts.map(\.rawValue) + texts + Self.prices.map(\.rawValue)
    return Self.row(names)
  }

  private static let facts = CatalogCSV.Column.allCases.filter { !CatalogCSV.Column.ofPrices.contains($0) }
  private static let prices = CatalogCSV.Column.allCases.filter { CatalogCSV.Column.ofPrices.contains($0) }

  /// The rows of a product, with an error for each thing that has no place in them: its offers, and texts in other
  /// languages.
  public func rows(of product: CatalogProduct) -> (text: String, leftOut: [CatalogError]) {
    var facts = Self.facts.map { Self.fact($0, of: product) }
    for language in languages {
      let text = product.localizations[language]
      facts += [text?.name ?? "", text?.description ?? ""]
    }
    let nothing = [product.identifier] + Array(repeating: "", count: facts.count - 1)
    var text = ""
    for price in Self.prices(of: product) {
      text += Self.row((text.isEmpty ? facts : nothing) + price)
    }
    return (text, leftOut(of: product))
  }

  private static func fact(_ column: CatalogCSV.Column, of product: CatalogProduct) -> String {
    switch column {
    case .productIdentifier: product.identifier
    case .kind: product.kind?.rawValue ?? ""
    case .referenceName: product.referenceName ?? ""
    case .category: product.category ?? ""
    case .subscriptionGroup: product.subscriptionGroup ?? ""
    case .groupLevel: product.groupLevel.map(String.init) ?? ""
    case .subscriptionPeriod: product.subscriptionPeriod?.description ?? ""
    case .approved: product.isApproved.map(String.init) ?? ""
    case .clearedForSale: product.clearedForSale.map(CatalogCSV.text(of:)) ?? ""
    case .image: product.image ?? ""
    case .sortOrder: product.sortOrder.map(String.init) ?? ""
    case .tier: product.tiers.map(CatalogCSV.text(of:)) ?? ""
    case .storefront, .amount, .currency, .priceLocale, .from, .until: ""
    }
  }

  /// The cells of the prices, a storefront's locale in its first; where there is neither, one row of nothing.
  private static func prices(of product: CatalogProduct) -> [[String]] {
    var rows: [[String]] = []
    let storefronts = Set(product.prices.storefronts).union(product.priceLocales.keys)
    for storefront in storefronts.sorted() {
      var locale = product.priceLocales[storefront]?.identifier ?? ""
      let prices = product.prices[storefront]
      if prices.isEmpty { rows.append([storefront, "", "", locale, "", ""]) }
      for price in prices {
        rows.append([
          storefront, price.amount.description, price.currency.code, locale,
          price.days.first?.description ?? "", price.days.last?.description ?? "",
        ])
        locale = ""
      }
    }
    return rows.isEmpty ? [Array(repeating: "", count: prices.count)] : rows
  }

  private func leftOut(of product: CatalogProduct) -> [CatalogError] {
    var leftOut: [CatalogError] = []
    let place = "product \(quoted(product.identifier))"
    if let offers = product.offers, !offers.isEmpty {
      leftOut.append(
        CatalogError(
          .notRepresentable,
          "CSV has no place for offers, of which there are \(offers.count)",
          fix: "write the products as JSON",
          place: place
        )
      )
    }
    for language in product.localizations.keys.sorted() where !languages.contains(language) {
      leftOut.append(
        CatalogError(
          .notRepresentable,
          "the header has no columns for the texts in \(language)",
          fix: "name the language when the writer is made",
          place: place
        )
      )
    }
    return leftOut
  }

  /// A record; a field is quoted where it must be, or where a spreadsheet would lose its spaces.
  private static func row(_ fields: [String]) -> String {
    fields.map { field in
      let needsQuotes =
        field.utf8.first == 0x20 || field.utf8.last == 0x20
        || field.utf8.contains { isSpecialInCSV($0, UInt8(ascii: ",")) }
      return needsQuotes ? quotedForCSV(field) : field
    }.joined(separator: ",") + "\n"
  }
}
