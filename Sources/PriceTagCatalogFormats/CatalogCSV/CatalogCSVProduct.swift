import PriceTag
import PriceTagCatalog
import PriceTagSystem
import PriceTagText

/// A product whose rows are being read.
struct CatalogCSVProduct {
  let identifier: String
  private let line: Int
  private let header: CatalogCSVHeader
  private let session: ImportSession
  private let groups: CatalogCSVGroups
  /// The product, or `nil` if its identifier is invalid; its rows are then ignored.
  private var product: CatalogProduct?
  /// The first value of each column that describes the product, by column index.
  private var firstValues: [Int: (text: String, line: Int)] = [:]
  private var conflictingLocales: Set<String> = []
  private var hasReportedMissingStorefront = false
  private var hasRejectedPrice = false
  private var hasConflictingContents = false

  /// Creates a product from its first row, without adding the row.
  init(_ row: CatalogCSVRow, _ session: ImportSession, _ groups: CatalogCSVGroups) throws(CatalogError) {
    (identifier, line, header) = (row.identifier, row.line, row.header)
    (self.session, self.groups) = (session, groups)
    product = try session.attempt(at: "line \(row.line)") { () throws(CatalogError) in
      try CatalogProduct(row.identifier)
    }
  }

  private func place(_ line: Int) -> String { "line \(line), product \(quoted(identifier))" }

  // MARK: Rows

  /// Adds the contents of a row.
  mutating func add(_ row: CatalogCSVRow) throws(CatalogError) {
    guard product != nil else { return }
    for index in header.productColumns {
      guard let text = row[index] else { continue }
      guard let first = firstValues[index] else {
        firstValues[index] = (text, row.line)
        continue
      }
      guard first.text != text else { continue }
      if [header.columns[.content], header.columns[.unitReference]].contains(index) {
        hasConflictingContents = true
      }
      try session.reject(
        .duplicate,
        "\(quoted(text)) differs from \(quoted(first.text)) in line \(first.line)",
        fix: "write the value only in the product's first row",
        place: "\(place(row.line)), column \(header.labels[index])"
      )
    }
    let added: Void? = try session.attempt(at: place(row.line)) { () throws(CatalogError) in
      try addPrice(row)
    }
    if added == nil { hasRejectedPrice = true }
  }

  private mutating func addPrice(_ row: CatalogCSVRow) throws(CatalogError) {
    guard CatalogCSV.Column.ofPrices.contains(where: { row[$0] != nil }) else { return }
    let tax = try reading(.taxIncluded) { () throws(CatalogError) in
      try row[.taxIncluded].map { (text) throws(CatalogError) in
        try TaxInclusion.named(text.lowercased(), "value of taxIncluded")
      }
    }
    if tax != nil, CatalogCSV.Column.ofPrices.allSatisfy({ $0 == .taxIncluded || row[$0] == nil }) {
      return try setTax(tax)
    }
    guard let storefront = try storefront(of: row) else { return }
    if let tag = row[.priceLocale] {
      let locale = try reading(.priceLocale) { () throws(CatalogError) in try session.priceLocale(tag) }
      try setLocale(locale, of: storefront)
    }
    guard let text = row[.amount] else {
      let isLocale =
        row[.priceLocale] != nil && [.currency, .from, .until, .taxIncluded].allSatisfy { row[$0] == nil }
      if isLocale { return }
      throw CatalogError(.invalidField, "the field \"amount\" is missing", fix: "add it, or remove the row")
    }
    let amount = try reading(.amount) { () throws(CatalogError) in try session.amount(text) }
    let currency = try reading(.currency) { () throws(CatalogError) in
      try row[.currency].map { (code) throws(CatalogError) in try session.currency(code) }
    }
    let (first, last) = (try date(row, .from), try date(row, .until))
    let days = try DateRange(from: first, until: last)
    try product?.prices.add(session.price(amount, currency, in: storefront, days: days, tax))
  }

  /// Sets what the product states about tax, which a row without a price has.
  private mutating func setTax(_ tax: TaxInclusion?) throws(CatalogError) {
    if let other = product?.taxInclusion, other != tax {
      throw CatalogError(
        .duplicate,
        "the product has more than one taxIncluded: \(other.rawValue) and \(tax?.rawValue ?? "")",
        fix: "write one, or name the storefront and the amount of a price",
        place: "column \(CatalogCSV.Column.taxIncluded.rawValue)"
      )
    }
    product?.taxInclusion = tax
  }

  /// Returns the storefront of a row's price, or `nil` if it is unknown. Only the first such row is rejected.
  private mutating func storefront(of row: CatalogCSVRow) throws(CatalogError) -> Storefront? {
    if let id = row[.storefront] {
      return try reading(.storefront) { () throws(CatalogError) in try session.storefront(id) }
    }
    if let storefront = session.options.storefront { return storefront }
    if hasReportedMissingStorefront { return nil }
    hasReportedMissingStorefront = true
    throw CatalogError(
      .missingStorefront,
      "the price has no storefront",
      fix: "name one with --prices-of or ImportOptions.storefront"
    )
  }

  private mutating func setLocale(_ locale: PriceLocale, of storefront: Storefront) throws(CatalogError) {
    let other = product?.priceLocales[storefront.id]
    guard other.map({ $0 == locale }) ?? true, !conflictingLocales.contains(storefront.id) else {
      conflictingLocales.insert(storefront.id)
      product?.priceLocales[storefront.id] = nil
      throw CatalogError(
        .duplicate,
        "\(storefront.id) has more than one price locale: \(locale)\(other.map { " and \($0)" } ?? " and others")",
        fix: "write one for each storefront",
        place: "column \(CatalogCSV.Column.priceLocale.rawValue)"
      )
    }
    product?.priceLocales[storefront.id] = locale
  }

  private func date(
    _ row: CatalogCSVRow,
    _ column: CatalogCSV.Column
  ) throws(CatalogError) -> CalendarDate? {
    guard let text = row[column] else { return nil }
    return try reading(column) { () throws(CatalogError) in try session.date(text) }
  }

  private func reading<Answer>(
    _ column: CatalogCSV.Column,
    _ read: () throws(CatalogError) -> Answer
  ) throws(CatalogError) -> Answer {
    do throws(CatalogError) { return try read() } catch { throw error.at("column \(column.rawValue)") }
  }

  // MARK: The product

  /// Adds the product to the session, after its last row.
  func finish() throws(CatalogError) {
    guard var product else { return }
    product.kind = try value(.kind) { (text) throws(CatalogError) in try ProductKind.named(text, "kind") }
    product.referenceName = try value(.referenceName) { (text) throws(CatalogError) in text }
    product.category = try value(.category, CatalogName.check)
    product.subscriptionGroup = try value(.subscriptionGroup, CatalogName.check)
    product.groupLevel = try value(.groupLevel) { (text) throws(CatalogError) in
      try Self.number(text, in: 1...9999)
    }
    product.subscriptionPeriod = try value(.subscriptionPeriod, session.period)
    // If approval or clearance is invalid, the product is not for sale.
    product.isApproved =
      try value(.approved) { (text) throws(CatalogError) in try Bool.named(text, ignoringCase: true) }
      ?? (hasValue(.approved) ? false : nil)
    product.clearedForSale =
      try value(.clearedForSale) { (text) throws(CatalogError) in try CatalogCSV.clearance(text, session) }
      ?? (hasValue(.clearedForSale) ? .nowhere : nil)
    product.image = try value(.image, ImageAddress.check)
    product.related = try value(.related) { [identifier] (text) throws(CatalogError) in
      try Self.related(text, of: identifier)
    }
    product.sortOrder = try value(.sortOrder) { (text) throws(CatalogError) in
      try Self.number(text, in: -1_000_000_000...1_000_000_000)
    }
    product.tiers = try value(.tier) { (text) throws(CatalogError) in try CatalogCSV.tiers(text, session) }
    if hasRejectedPrice, product.tiers?.isEmpty == false {
      return try session.reject(CatalogError.tierWouldReplaceRejectedPrice.at(place(line)))
    }
    product.content = try value(.content, session.content)
    product.unitReference =
      try value(.unitReference) { (text) throws(CatalogError) in
        var checked = product
        checked.unitReference = try session.unitReference(text)
        try checked.checkUnitReference()
        return checked.unitReference
      } ?? nil
    // A product with a rejected content is rejected completely: its new prices would otherwise be combined with a stored
    // content.
    if hasConflictingContents
      || (hasValue(.content) && product.content == nil)
      || (hasValue(.unitReference) && product.unitReference == nil)
    {
      return
    }
    for column in header.texts {
      guard let (text, line) = firstValues[column.index] else { continue }
      if let kind = column.field.kind {
        _ = try session.attempt(at: "\(place(line)), column \(header.labels[column.index])") {
          () throws(CatalogError) in
          try groups.add(text, in: column.language, kind, product.identifier(of: kind), line: line)
        }
        continue
      }
      let update = column.field == .name ? ProductText(name: text) : ProductText(name: nil, description: text)
      product.localizations[column.language] =
        product.localizations[column.language]?.updated(by: update) ?? update
    }
    try session.add(.product(product), at: place(line))
  }

  private func hasValue(_ column: CatalogCSV.Column) -> Bool {
    header.columns[column].flatMap { firstValues[$0] } != nil
  }

  /// Returns the product's value in a column. An invalid value is rejected.
  private func value<Value>(
    _ column: CatalogCSV.Column,
    _ read: (String) throws(CatalogError) -> Value
  ) throws(CatalogError) -> Value? {
    guard let value = header.columns[column].flatMap({ firstValues[$0] }) else { return nil }
    return try session.attempt(at: "\(place(value.line)), column \(column.rawValue)") {
      () throws(CatalogError) in try read(value.text)
    }
  }

  private static func number(_ text: String, in range: ClosedRange<Int>) throws(CatalogError) -> Int {
    guard let number = Int(text), range.contains(number) else {
      throw CatalogError(
        .invalidField,
        "\(quoted(text)) is not an integer from \(range.lowerBound) to \(range.upperBound)",
        fix: "write a number in that range"
      )
    }
    return number
  }

  private static func related(_ text: String, of product: String) throws(CatalogError) -> [String] {
    if text == CatalogCSV.none { return [] }
    let identifiers = RelatedProducts.identifiers(text)
    try RelatedProducts.check(identifiers, of: product)
    return identifiers
  }
}
