import PriceTag
import PriceTagCatalog
import PriceTagText

/// The header of a tier matrix: the storefront, currency and dates of each column.
struct TierMatrixHeader {
  /// A column of prices.
  struct Column {
    let index: Int
    /// The column's name in the header, for errors.
    let label: String
    let storefront: TierStorefront
  }

  private(set) var columns: [Column] = []
  /// The columns without a name, which are not read. Emptied after the first of their cells has been rejected. If there
  /// is a second header row, an unnamed column contains the proceeds and is ignored.
  var unnamedColumns: [Int] = []
  /// The number of cells in a row.
  let width: Int
  /// Whether the second record belongs to the header: it labels the columns for prices and proceeds.
  let hasSecondRow: Bool

  private static let maximumColumnCount = 10_000

  /// Reads the header of a matrix. Each invalid column is rejected once.
  ///
  /// - Parameters:
  ///   - first: The first record: countries with their currencies, or storefronts.
  ///   - second: The second record, if there is one.
  init(
    _ first: CSVReader.Record,
    _ second: CSVReader.Record?,
    _ session: ImportSession
  ) throws(CatalogError) {
    try Self.check(first)
    let labels = first.fields.map { String($0.trimmingSpace) }
    let kinds = second.map { $0.fields.map { $0.trimmingSpace.lowercased() } } ?? []
    // The first cell is ignored: the other cells of a second header row label prices and proceeds.
    hasSecondRow = kinds.dropFirst().contains { $0 == "price" || $0 == "proceeds" }
    width = max(labels.count, hasSecondRow ? kinds.count : 0)
    guard width <= Self.maximumColumnCount else {
      throw CatalogError(
        .tooLarge,
        "the header has more than \(Self.maximumColumnCount) columns",
        fix: "use one column per storefront",
        place: "line \(first.line)"
      )
    }
    if !hasSecondRow { unnamedColumns = labels.indices.dropFirst().filter { labels[$0].isEmpty } }
    let names = TerritoryNames(session.options.localeData)
    var storefronts: Set<String> = []
    for (index, label) in labels.enumerated().dropFirst() where !label.isEmpty {
      let place = "line \(first.line), column \(quoted(label))"
      let column = try session.attempt(at: place) { () throws(CatalogError) -> Column in
        let end = labels[(index + 1)...].firstIndex { !$0.isEmpty } ?? width
        let price = try hasSecondRow ? Self.priceColumn(kinds, index..<end) : index
        let column = try Self.column(price, label, names, session)
        let id = column.storefront.storefront.id
        guard storefronts.insert(id).inserted else { throw .repeated(id) }
        return column
      }
      if let column { columns.append(column) }
    }
    guard !columns.isEmpty else {
      throw CatalogError(
        .malformedFile,
        "no column names a storefront",
        fix: "use column names such as \"Japan (JPY)\" or \"JPN\"",
        place: "line \(first.line)"
      )
    }
  }

  /// Throws an error if a record cannot be the first of a matrix.
  static func check(_ first: CSVReader.Record) throws(CatalogError) {
    let start = first.fields[0].trimmingSpace.lowercased()
    guard start.isEmpty || start == "tier" || start == "tiers", first.fields.count > 1 else {
      throw CatalogError(
        .malformedFile,
        "the first row is not the header of a tier matrix",
        fix: "start the file with a header such as tier,USA,JPN",
        place: "line \(first.line)"
      )
    }
  }

  /// Returns the index of the price column among a country's columns.
  private static func priceColumn(_ kinds: [String], _ range: Range<Int>) throws(CatalogError) -> Int {
    let found = range.filter { $0 < kinds.count && kinds[$0] == "price" }
    guard found.count == 1, let index = found.first else {
      throw CatalogError(
        .malformedFile,
        "the second row has \(found.count) columns \"Price\" for this country",
        fix: "label one column \"Price\" and the others \"Proceeds\""
      )
    }
    return index
  }

  /// Returns a column by its label: a country's English name or a storefront's identifier, optionally followed by the
  /// currency in parentheses.
  private static func column(
    _ index: Int,
    _ label: String,
    _ names: TerritoryNames,
    _ session: ImportSession
  ) throws(CatalogError) -> Column {
    var name = Substring(label)
    var code: Substring?
    if label.last == ")", let opening = label.lastIndex(of: "(") {
      code = label[label.index(after: opening)...].dropLast()
      name = label[..<opening].trimmingSpace
    }
    let storefront = try storefront(String(name), names, session)
    let currency =
      if let code { try session.currency(String(code)) } else { try session.charged(in: storefront) }
    return Column(index: index, label: label, storefront: try TierStorefront(storefront, currency))
  }

  private static func storefront(
    _ name: String,
    _ names: TerritoryNames,
    _ session: ImportSession
  ) throws(CatalogError) -> Storefront {
    if let identifier = names.identifier(of: name) { return try session.storefront(identifier) }
    if name.utf8.count <= 3 { return try session.storefront(name) }
    throw CatalogError(
      .unknownStorefront,
      "unknown storefront \(quoted(name))",
      fix: "write the English name of a country, or a code such as \"USA\""
    )
  }
}

/// A storefront with a currency and the dates on which it charges the currency. Tiers have no dates, so their prices are
/// valid on these.
struct TierStorefront {
  let storefront: Storefront
  private let currency: Currency
  private let periods: [DateRange]

  /// - Throws: `.currencyMismatch` if the storefront has never charged the currency.
  init(_ storefront: Storefront, _ currency: Currency, consequence: String = "") throws(CatalogError) {
    (self.storefront, self.currency) = (storefront, currency)
    periods = storefront.currencyPeriods.filter { $0.currency == currency }
      .map { DateRange(uncheckedFirst: $0.firstDay, last: $0.lastDay) }
    guard !periods.isEmpty else {
      let charged = storefront.currencyPeriods.map(\.currency.code).joined(separator: ", then ")
      throw CatalogError(
        .currencyMismatch,
        "\(storefront.id) has never charged \(currency) (known currencies: \(charged))\(consequence)",
        fix: "write the prices in a known currency; prices are not converted"
      )
    }
  }

  /// Adds a price to a tier, on all dates on which the storefront charges the currency.
  func add(_ amount: Amount, to tier: inout PriceTier, _ session: ImportSession) throws(CatalogError) {
    for days in periods { try tier.prices.add(session.price(amount, currency, in: storefront, days: days)) }
  }
}
