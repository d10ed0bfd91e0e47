import PriceTag
import PriceTagCatalog
import PriceTagText

/// The columns of a matrix of tiers: whose prices they are, and of which days.
struct TierMatrixHeader {
  /// A column of prices.
  struct Column {
    let index: Int
    /// What the header calls it, for errors.
    let label: String
    let storefront: Storefront
    let currency: Currency
    /// When the storefront charges the currency: a matrix has no dates, and no price of it holds on other days.
    let periods: [Days]
  }

  private(set) var columns: [Column] = []
  /// The columns that nobody named, until it was said that they are not read; beside a country stand its proceeds.
  var nameless: [Int] = []
  /// How many cells a row has.
  let width: Int
  /// Whether the second record belongs to the header: it says which column is the price, and which what is left of it.
  let hasSecondRow: Bool

  private static let mostColumns = 10_000

  /// The header of a matrix; columns that cannot be understood are set aside, each once.
  ///
  /// - Parameters:
  ///   - first: The first record: countries with their currencies, or storefronts.
  ///   - second: The second record, where there is one.
  init(
    _ first: CSVReader.Record,
    _ second: CSVReader.Record?,
    _ session: ImportSession
  ) throws(CatalogError) {
    try Self.check(first)
    let labels = first.fields.map { String($0.trimmingSpace) }
    let kinds = second.map { $0.fields.map { $0.trimmingSpace.lowercased() } } ?? []
    // Whatever its first cell says: where prices and proceeds stand side by side, the second row tells them apart.
    hasSecondRow = kinds.dropFirst().contains { $0 == "price" || $0 == "proceeds" }
    width = max(labels.count, hasSecondRow ? kinds.count : 0)
    guard width <= Self.mostColumns else {
      throw CatalogError(
        .tooLarge,
        "the header has more than \(Self.mostColumns) columns",
        fix: "give a column for each storefront",
        place: "line \(first.line)"
      )
    }
    if !hasSecondRow { nameless = labels.indices.dropFirst().filter { labels[$0].isEmpty } }
    let names = TerritoryNames(session.options.localeData)
    var storefronts: Set<String> = []
    for (index, label) in labels.enumerated().dropFirst() where !label.isEmpty {
      let place = "line \(first.line), column \(quoted(label))"
      let column = try session.attempt(at: place) { () throws(CatalogError) -> Column in
        let end = labels[(index + 1)...].firstIndex { !$0.isEmpty } ?? width
        let price = try hasSecondRow ? Self.priceColumn(kinds, index..<end) : index
        let column = try Self.column(price, label, names, session)
        guard storefronts.insert(column.storefront.id).inserted else {
          throw CatalogError(
            .duplicate,
            "\(column.storefront.id) has a column already",
            fix: "give one column for each storefront"
          )
        }
        return column
      }
      if let column { columns.append(column) }
    }
    guard !columns.isEmpty else {
      throw CatalogError(
        .malformedFile,
        "no column is one of a storefront",
        fix: "name the columns such as \"Japan (JPY)\", or JPN",
        place: "line \(first.line)"
      )
    }
  }

  /// Whether a record can be the first of a matrix.
  static func check(_ first: CSVReader.Record) throws(CatalogError) {
    let start = first.fields[0].trimmingSpace.lowercased()
    guard start.isEmpty || start == "tier" || start == "tiers", first.fields.count > 1 else {
      throw CatalogError(
        .malformedFile,
        "the first row is no header of a tier matrix",
        fix: "start it with tier and name a storefront in each further column: tier,USA,JPN",
        place: "line \(first.line)"
      )
    }
  }

  /// The one column of a country's that is its price.
  private static func priceColumn(_ kinds: [String], _ range: Range<Int>) throws(CatalogError) -> Int {
    let found = range.filter { $0 < kinds.count && kinds[$0] == "price" }
    guard found.count == 1, let index = found.first else {
      throw CatalogError(
        .malformedFile,
        "the second row says Price \(found.count) times below it",
        fix: "say Price once, and Proceeds for what is left of it"
      )
    }
    return index
  }

  /// A column by its label: a country's English name or a storefront's identifier, and the currency in brackets where
  /// it is said.
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
      try code.map { (code) throws(CatalogError) in try session.currency(String(code)) }
      ?? storefront.currency(on: session.options.date)
    let periods = storefront.currencyPeriods.filter { $0.currency == currency }
      .map { Days(uncheckedFirst: $0.firstDay, last: $0.lastDay) }
    guard !periods.isEmpty else {
      let charged = storefront.currencyPeriods.map(\.currency.code).joined(separator: ", then ")
      throw CatalogError(
        .currencyMismatch,
        "\(storefront.id) never charged \(currency), as far as is known, but \(charged)",
        fix: "give the prices that \(storefront.id) charges; nothing is converted"
      )
    }
    return Column(index: index, label: label, storefront: storefront, currency: currency, periods: periods)
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
      "no storefront's country is called \(quoted(name))",
      fix: "write its English name, or its storefront such as USA"
    )
  }
}
