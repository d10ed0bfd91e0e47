import PriceTag
import PriceTagCatalog
import PriceTagSystem
import PriceTagText

/// Writes products as PriceTag's own CSV: one row per price, in the format of RFC 4180 but with line feeds.
///
///     let writer = CatalogCSVWriter(languages: ["en-US"])
///     writer.header                  // "productIdentifier,kind,…,name[en-US],description[en-US],storefront,…\n"
///     writer.rows(of: product).text  // one row per price
///
/// Importing the rows gives the same products, without the data that CSV does not support.
public struct CatalogCSVWriter: Sendable {
  /// The BCP 47 languages of the text columns.
  public let languages: [String]
  /// Whether there is a column for what products and prices state about tax.
  public let statesTax: Bool

  /// The names of groups, by kind and identifier.
  private let groupNames: [ProductGroup.Kind: [String: [String: String]]]
  /// The columns of the names of groups.
  private let groupColumns: [(field: CatalogCSV.TextField, language: String)]

  /// Creates a writer with text columns for the given languages, without duplicates.
  ///
  /// - Parameters:
  ///   - languages: The BCP 47 languages of the products' texts.
  ///   - groups: The categories and subscription groups, whose names are written beside each of their products.
  ///   - statesTax: Whether to write the column `taxIncluded`.
  public init(languages: [String], groups: [ProductGroup] = [], statesTax: Bool = false) {
    self.statesTax = statesTax
    var seen: Set<String> = []
    self.languages = languages.filter { seen.insert($0).inserted }
    var groupNames: [ProductGroup.Kind: [String: [String: String]]] = [:]
    for group in groups { groupNames[group.kind, default: [:]][group.identifier] = group.names }
    groupColumns = CatalogCSV.TextField.allCases.flatMap { field in
      Set((field.kind.flatMap { groupNames[$0] } ?? [:]).values.flatMap(\.keys)).sorted().map { (field, $0) }
    }
    self.groupNames = groupNames
  }

  /// The header row.
  public var header: String {
    let fields = CatalogCSV.TextField.allCases.filter { $0.kind == nil }
    let texts = languages.flatMap { language in fields.map { $0.label(language) } }
    let groups = groupColumns.map { $0.field.label($0.language) }
    return Self.row(Self.productColumns.map(\.rawValue) + texts + groups + priceColumns.map(\.rawValue))
  }

  private static let productColumns = CatalogCSV.Column.allCases.filter {
    !CatalogCSV.Column.ofPrices.contains($0)
  }
  private var priceColumns: [CatalogCSV.Column] {
    CatalogCSV.Column.allCases.filter {
      CatalogCSV.Column.ofPrices.contains($0) && (statesTax || $0 != .taxIncluded)
    }
  }

  /// Returns the rows of a product, and an error for everything omitted from them: offers, and texts in languages
  /// without columns.
  public func rows(of product: CatalogProduct) -> (text: String, omissions: [CatalogError]) {
    var productCells = Self.productColumns.map { Self.productCell($0, of: product) }
    for language in languages {
      let text = product.localizations[language]
      productCells += [text?.name ?? "", text?.description ?? ""]
    }
    for column in groupColumns {
      let names = column.field.kind.flatMap { kind in
        product.identifier(of: kind).flatMap { groupNames[kind]?[$0] }
      }
      productCells.append(names?[column.language] ?? "")
    }
    let identifierOnly = [product.identifier] + Array(repeating: "", count: productCells.count - 1)
    var text = ""
    for price in prices(of: product) {
      text += Self.row((text.isEmpty ? productCells : identifierOnly) + price.prefix(priceColumns.count))
    }
    return (text, omissions(of: product))
  }

  private static func productCell(_ column: CatalogCSV.Column, of product: CatalogProduct) -> String {
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
    case .content: product.content?.description ?? ""
    case .related:
      product.related.map { $0.isEmpty ? CatalogCSV.none : RelatedProducts.text(of: $0) } ?? ""
    case .unitReference: product.unitReference?.description ?? ""
    case .storefront, .amount, .currency, .priceLocale, .from, .until, .taxIncluded: ""
    }
  }

  /// Returns the price cells of each row. A storefront's first row has its price locale. What the product states about tax
  /// has a row of its own. Without prices, price locales and such a statement, returns one empty row.
  private func prices(of product: CatalogProduct) -> [[String]] {
    var rows: [[String]] = []
    if statesTax, let tax = product.taxInclusion { rows.append(["", "", "", "", "", "", tax.rawValue]) }
    let storefronts = Set(product.prices.storefronts).union(product.priceLocales.keys)
    for storefront in storefronts.sorted() {
      var locale = product.priceLocales[storefront]?.identifier ?? ""
      let prices = product.prices[storefront]
      if prices.isEmpty { rows.append([storefront, "", "", locale, "", "", ""]) }
      for price in prices {
        rows.append([
          storefront, price.amount.description, price.currency.code, locale,
          price.days.first?.description ?? "", price.days.last?.description ?? "",
          price.taxInclusion?.rawValue ?? "",
        ])
        locale = ""
      }
    }
    return rows.isEmpty ? [Array(repeating: "", count: priceColumns.count)] : rows
  }

  private func omissions(of product: CatalogProduct) -> [CatalogError] {
    var omissions: [CatalogError] = []
    let place = "product \(quoted(product.identifier))"
    if let offers = product.offers, !offers.isEmpty {
      omissions.append(.omitted("CSV does not support offers (omitted: \(offers.count))", place: place))
    }
    if let images = product.images {
      omissions.append(.omitted("CSV does not support images (omitted: \(images.count))", place: place))
    }
    if !statesTax,
      product.taxInclusion != nil || product.prices.prices.contains(where: { $0.taxInclusion != nil })
    {
      omissions.append(
        CatalogError(
          .notRepresentable,
          "the header has no column for what the product states about tax",
          fix: "create the writer with statesTax",
          place: place
        )
      )
    }
    for language in product.localizations.keys.sorted() where !languages.contains(language) {
      omissions.append(
        CatalogError(
          .notRepresentable,
          "the header has no columns for texts in \(language)",
          fix: "create the writer with that language",
          place: place
        )
      )
    }
    return omissions
  }

  /// Returns a record. A field is quoted if CSV requires it, or if a spreadsheet would remove its spaces.
  private static func row(_ fields: [String]) -> String {
    fields.map { field in
      let needsQuotes =
        field.utf8.first == 0x20 || field.utf8.last == 0x20
        || field.utf8.contains { isSpecialInCSV($0, UInt8(ascii: ",")) }
      return needsQuotes ? quotedForCSV(field) : field
    }.joined(separator: ",") + "\n"
  }
}
