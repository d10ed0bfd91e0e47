import PriceTag
import PriceTagCatalog
import PriceTagText

/// The product whose rows are being read.
struct CatalogCSVProduct {
  let identifier: String
  private let line: Int
  private let header: CatalogCSVHeader
  private let session: ImportSession
  /// `nil` where its identifier is none: its rows are passed over.
  private var product: CatalogProduct?
  /// What the cells said first, by column.
  private var facts: [Int: (text: String, line: Int)] = [:]
  private var disputedLocales: Set<String> = []
  private var saidMissingStorefront = false
  private var hasRefusedPrice = false

  /// The product of its first row.
  init(_ row: CatalogCSVRow, _ session: ImportSession) throws(CatalogError) {
    (identifier, line, header, self.session) = (row.identifier, row.line, row.header, session)
    product = try session.attempt(at: "line \(row.line)") { () throws(CatalogError) in
      try CatalogProduct(row.identifier)
    }
  }

  private func place(_ line: Int) -> String { "line \(line), product \(quoted(identifier))" }

  // MARK: Rows

  /// Takes what a row says.
  mutating func take(_ row: CatalogCSVRow) throws(CatalogError) {
    guard product != nil else { return }
    for index in header.facts {
      guard let text = row[index] else { continue }
      guard let said = facts[index] else {
        facts[index] = (text, row.line)
        continue
      }
      guard said.text != text else { continue }
      try session.setAside(
        CatalogError(
          .duplicate,
          "\(quoted(text)) is not \(quoted(said.text)), which line \(said.line) says",
          fix: "say it once, in the product's first row",
          place: "\(place(row.line)), column \(header.labels[index])"
        )
      )
    }
    let taken: Void? = try session.attempt(at: place(row.line)) { () throws(CatalogError) in
      try takePrice(row)
    }
    if taken == nil { hasRefusedPrice = true }
  }

  private mutating func takePrice(_ row: CatalogCSVRow) throws(CatalogError) {
    guard CatalogCSV.Column.ofPrices.contains(where: { row[$0] != nil }) else { return }
    guard let storefront = try storefront(of: row) else { return }
    if let tag = row[.priceLocale] {
      let locale = try reading(.priceLocale) { () throws(CatalogError) in try session.priceLocale(tag) }
      try setLocale(locale, of: storefront)
    }
    guard let text = row[.amount] else {
      let isLocale = row[.priceLocale] != nil && [.currency, .from, .until].allSatisfy { row[$0] == nil }
      if isLocale { return }
      throw CatalogError(.invalidField, "the row has no amount", fix: "give it, or remove the row")
    }
    let amount = try reading(.amount) { () throws(CatalogError) in try session.amount(text) }
    let currency = try reading(.currency) { () throws(CatalogError) in
      try row[.currency].map { (code) throws(CatalogError) in try session.currency(code) }
    }
    let (first, last) = (try date(row, .from), try date(row, .until))
    let days = try Days(from: first, until: last)
    try product?.prices.add(session.price(amount, currency, in: storefront, days: days))
  }

  /// Whose price a row has; `nil` where nobody said, which is set aside once.
  private mutating func storefront(of row: CatalogCSVRow) throws(CatalogError) -> Storefront? {
    if let id = row[.storefront] {
      return try reading(.storefront) { () throws(CatalogError) in try session.storefront(id) }
    }
    if let storefront = session.options.storefront { return storefront }
    if saidMissingStorefront { return nil }
    saidMissingStorefront = true
    throw CatalogError(
      .missingStorefront,
      "a price names no storefront",
      fix: "say whose they are: --prices-of USA, or ImportOptions.storefront"
    )
  }

  private mutating func setLocale(_ locale: PriceLocale, of storefront: Storefront) throws(CatalogError) {
    let other = product?.priceLocales[storefront.id]
    guard other.map({ $0 == locale }) ?? true, !disputedLocales.contains(storefront.id) else {
      disputedLocales.insert(storefront.id)
      product?.priceLocales[storefront.id] = nil
      throw CatalogError(
        .duplicate,
        "\(storefront.id) has \(locale)\(other.map { " and \($0)" } ?? " and others") as price locales",
        fix: "give one; \(storefront.id) has its own until then",
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

  /// Hands over the product, behind its last row.
  func finish() throws(CatalogError) {
    guard var product else { return }
    product.kind = try value(.kind) { (text) throws(CatalogError) in try Self.kind(text) }
    product.referenceName = try value(.referenceName) { (text) throws(CatalogError) in text }
    product.category = try value(.category, Self.name)
    product.subscriptionGroup = try value(.subscriptionGroup, Self.name)
    product.groupLevel = try value(.groupLevel) { (text) throws(CatalogError) in
      try Self.number(text, in: 1...9999)
    }
    product.subscriptionPeriod = try value(.subscriptionPeriod, session.period)
    // What keeps a product from being sold holds also where it cannot be read.
    product.isApproved = try value(.approved, Self.bool) ?? (isSaid(.approved) ? false : nil)
    product.clearedForSale =
      try value(.clearedForSale) { (text) throws(CatalogError) in try CatalogCSV.clearance(text, session) }
      ?? (isSaid(.clearedForSale) ? .nowhere : nil)
    product.image = try value(.image, Self.image)
    product.sortOrder = try value(.sortOrder) { (text) throws(CatalogError) in
      try Self.number(text, in: -1_000_000_000...1_000_000_000)
    }
    product.tiers = try value(.tier) { (text) throws(CatalogError) in try CatalogCSV.tiers(text, session) }
    if hasRefusedPrice, product.tiers?.isEmpty == false {
      return try session.setAside(CatalogError.tierInPlaceOfAPrice.at(place(line)))
    }
    for column in header.texts {
      guard let text = facts[column.index]?.text else { continue }
      let said = column.field == .name ? ProductText(name: text) : ProductText(name: nil, description: text)
      product.localizations[column.language] =
        product.localizations[column.language]?.updated(by: said) ?? said
    }
    try session.take(.product(product), at: place(line))
  }

  private func isSaid(_ column: CatalogCSV.Column) -> Bool {
    header.columns[column].flatMap { facts[$0] } != nil
  }

  /// What a column says of the product; where that means nothing, it is set aside.
  private func value<Value>(
    _ column: CatalogCSV.Column,
    _ read: (String) throws(CatalogError) -> Value
  ) throws(CatalogError) -> Value? {
    guard let fact = header.columns[column].flatMap({ facts[$0] }) else { return nil }
    return try session.attempt(at: "\(place(fact.line)), column \(column.rawValue)") {
      () throws(CatalogError) in try read(fact.text)
    }
  }

  private static func kind(_ text: String) throws(CatalogError) -> ProductKind {
    if let kind = ProductKind(rawValue: text) { return kind }
    let known = ProductKind.allCases.map(\.rawValue)
    throw CatalogError(
      .invalidField,
      "there is no kind \(quoted(text))",
      fix: "give one of \(known.joined(separator: ", "))" + didYouMean(text, among: known)
    )
  }

  private static func name(_ text: String) throws(CatalogError) -> String {
    try CatalogName.check(text)
    return text
  }

  private static func number(_ text: String, in range: ClosedRange<Int>) throws(CatalogError) -> Int {
    guard let number = Int(text), range.contains(number) else {
      throw CatalogError(
        .invalidField,
        "\(quoted(text)) is no whole number of \(range.lowerBound) to \(range.upperBound)",
        fix: "give one"
      )
    }
    return number
  }

  /// Spreadsheets write TRUE.
  private static func bool(_ text: String) throws(CatalogError) -> Bool {
    switch text.lowercased() {
    case "true": return true
    case "false": return false
    default: throw CatalogError(.invalidField, "\(quoted(text)) is neither true nor false", fix: "write one")
    }
  }

  private static func image(_ text: String) throws(CatalogError) -> String {
    try ImageAddress.check(text)
    return text
  }
}
