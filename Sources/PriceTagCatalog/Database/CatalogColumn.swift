import PriceTag

/// The columns of a statement's rows, by name.
///
/// The raw value of a case is its index in the row, so reading a column by name needs no lookup. The SQL of a statement
/// is built from the cases (`selection`).
protocol CatalogColumn: CaseIterable, RawRepresentable, Sendable where RawValue == Int {}

extension CatalogColumn {
  static var names: [String] { allCases.map { sqlName(of: $0) } }

  /// The column list of a `SELECT`.
  static var selection: String { names.joined(separator: ", ") }
}

/// Returns the SQL name of a table or column: `first_day` for `firstDay`.
func sqlName(of name: some Any) -> String {
  "\(name)".reduce(into: "") { name, letter in
    name += letter.isUppercase ? "_\(letter.lowercased())" : "\(letter)"
  }
}

/// The column of a statement that selects only one.
enum SingleColumn: Int, CatalogColumn {
  case value
}

/// The columns of a table: first the checksum, then the columns that it covers, in the order in which it covers them.
///
/// The order determines the checksums, so it must never change.
protocol CatalogTableColumn: CatalogColumn, Hashable {
  static var table: CatalogTable { get }
  /// The first column.
  static var checksum: Self { get }
}

extension CatalogTableColumn {
  /// Returns the values of a row in column order, with their checksum. Missing columns are null.
  static func row(_ values: KeyValuePairs<Self, CatalogValue>) -> [CatalogValue] {
    var row = Array(repeating: CatalogValue.null, count: allCases.count)
    for (column, value) in values { row[column.rawValue] = value }
    var checksum = RowChecksum(table)
    for (index, value) in row.enumerated().dropFirst() {
      if case .null = value, table.isAdded(index) { continue }
      checksum.add(value)
    }
    row[Self.checksum.rawValue] = .integer(checksum.value)
    return row
  }
}

enum TotalsColumn: Int, CatalogTableColumn {
  static var table: CatalogTable { .catalog }
  case checksum, id, revision, changedAt, nextList
  case productCount, productDigest, tierCount, tierDigest, nameCount, nameDigest, schemaDigest
  case historyCount, historyDigest

  /// The columns of schema 4.
  static let schema4 = allCases[..<historyCount.rawValue]
}

enum ProductColumn: Int, CatalogTableColumn {
  static var table: CatalogTable { .product }
  case checksum, id, identifier, list, kind, referenceName, category, subscriptionGroup, groupLevel
  case subscriptionPeriod, isApproved, clearedForSale, image, sortOrder
  case priceSet, tierPeriods, textSet, localeSet, offers
  case content, unitReference
  case images, related
  case knownSince, tax
}

enum ProductTextColumn: Int, CatalogTableColumn {
  static var table: CatalogTable { .productText }
  case checksum, product, language, name, description
}

enum PriceLocaleColumn: Int, CatalogTableColumn {
  static var table: CatalogTable { .priceLocale }
  case checksum, product, storefront, locale
}

enum OfferColumn: Int, CatalogTableColumn {
  static var table: CatalogTable { .offer }
  case checksum, product, position, list, kind, identifier, paymentMode, period, periodCount, clearedForSale
  case firstDay, lastDay, priceSet, tierPeriods

  /// The kind of a row that is a later phase of the offer before it.
  static let laterPhase = "later-phase"
}

extension CatalogOffer {
  /// Returns the kind of the offer in a row, or `nil` for a later phase of the offer before it, and the phase without prices.
  static func phase(_ row: CatalogStatement) throws -> (kind: Kind?, phase: Phase) {
    let kind = try row.text(OfferColumn.kind)
    guard kind != nil,
      let mode = try stored(row.text(OfferColumn.paymentMode), PaymentMode.init),
      let period = try stored(row.text(OfferColumn.period), { try? SubscriptionPeriod($0) }),
      let periodCount = try row.smallInteger(OfferColumn.periodCount)
    else { throw DamagedCatalog.incompleteOffer }
    return (
      try kind == OfferColumn.laterPhase ? nil : stored(kind, Kind.init),
      try Phase(mode, period: period, periodCount: periodCount)
    )
  }
}

enum TierColumn: Int, CatalogTableColumn {
  static var table: CatalogTable { .tier }
  case checksum, name, list, priceSet
}

enum PriceColumn: Int, CatalogTableColumn {
  static var table: CatalogTable { .price }
  case checksum, list, storefront, firstDay, lastDay, amount, currency
}

enum TierPeriodColumn: Int, CatalogTableColumn {
  static var table: CatalogTable { .tierPeriod }
  case checksum, list, firstDay, lastDay, tier
}

enum ProductGroupColumn: Int, CatalogTableColumn {
  static var table: CatalogTable { .productGroup }
  case checksum, kind, identifier, language, name
}

enum PriceHistoryColumn: Int, CatalogTableColumn {
  static var table: CatalogTable { .priceHistory }
  case checksum, product, number, day, replaced
}

enum ImportInputColumn: Int, CatalogTableColumn {
  static var table: CatalogTable { .importInput }
  case checksum, digest, revision, products, tiers, groups, unknownTaxPrices
}

enum PartSetColumn: Int, CatalogTableColumn {
  static var table: CatalogTable { .partSet }
  case checksum, id, members
}
