import PriceTag
import PriceTagCatalog
import PriceTagText

/// Reads a product of Google Play's CSV.
struct GooglePlayCSVRow {
  private let record: CSVReader.Record
  private let header: GooglePlayCSVHeader
  private let session: ImportSession

  init(_ record: CSVReader.Record, _ header: GooglePlayCSVHeader, _ session: ImportSession) {
    (self.record, self.header, self.session) = (record, header, session)
  }

  /// Hands the product over; what is wrong with a fact sets that fact aside.
  func take() throws(CatalogError) {
    let identifier = cell(.productID)
    let place = "line \(record.line), product \(quoted(identifier))"
    let product = try session.attempt(at: place) { () throws(CatalogError) in
      guard record.fields.count == header.count else {
        throw CatalogError(
          .malformedFile,
          "the line has \(record.fields.count) fields where the header has \(header.count)",
          fix: "put a field with a comma into quotes"
        )
      }
      return try CatalogProduct(identifier)
    }
    guard var product else { return }
    // A state that is not known is not one of being sold.
    product.isApproved =
      try value(.publishedState, [("published", true), ("unpublished", false)], place)
      ?? (cell(.publishedState).isEmpty ? nil : false)
    // Google does not say whether a product is used up; a subscription alone is one for certain.
    product.kind =
      try value(
        .purchaseType,
        [
          ("managed_by_android", nil), ("managed_by_publisher", nil),
          ("subscription", ProductKind.autoRenewable),
        ],
        place
      ) ?? nil
    try addTexts(to: &product, place)
    try addPrices(to: &product, place)
    try session.take(.product(product), at: place)
  }

  private func cell(_ column: GooglePlayCSVHeader.Column) -> String { header.cell(column, of: record) }

  /// The value of a word; `nil` where the cell is empty or its word is not known.
  private func value<Value>(
    _ column: GooglePlayCSVHeader.Column,
    _ words: [(word: String, value: Value)],
    _ place: String
  ) throws(CatalogError) -> Value? {
    let text = cell(column)
    if text.isEmpty { return nil }
    if let known = words.first(where: { $0.word == text.lowercased() }) { return known.value }
    try session.setAside(
      CatalogError(
        .invalidField,
        "\(quoted(text)) is not known in the column \"\(column.rawValue)\"",
        fix: "give one of \(words.map(\.word).joined(separator: ", "))",
        place: place
      )
    )
    return nil
  }

  // MARK: Texts

  private func addTexts(to product: inout CatalogProduct, _ place: String) throws(CatalogError) {
    let parts = parts(of: cell(.texts))
    guard parts.count.isMultiple(of: 3) else {
      try session.setAside(
        CatalogError(
          .invalidField,
          "\(parts.count) parts stand where a locale, a title and a description repeat",
          fix: #"write "\;" for a semicolon inside a text"#,
          place: "\(place), \(GooglePlayCSVHeader.Column.texts.rawValue)"
        )
      )
      return
    }
    for start in stride(from: 0, to: parts.count, by: 3) {
      let locale = parts[start]
      _ = try session.attempt(at: "\(place), locale \(quoted(locale))") { () throws(CatalogError) in
        let text = ProductText(name: parts[start + 1], description: parts[start + 2])
        try product.add(text, in: session.language(locale))
      }
    }
  }

  /// The parts of a cell between semicolons. `\;` stands for a semicolon and `\\` for a backslash; one at the end
  /// starts no further part.
  private func parts(of cell: String) -> [String] {
    if cell.isEmpty { return [] }
    var parts: [String] = []
    var part = ""
    var isEscaped = false
    for scalar in cell.unicodeScalars {
      if isEscaped {
        if scalar != ";", scalar != "\\" { part += "\\" }
        part.unicodeScalars.append(scalar)
        isEscaped = false
      } else if scalar == "\\" {
        isEscaped = true
      } else if scalar == ";" {
        parts.append(String(part.trimmingSpace))
        part = ""
      } else {
        part.unicodeScalars.append(scalar)
      }
    }
    if isEscaped { part += "\\" }
    // After "a; b;" nothing follows; after "en_US; Title;" the description is empty.
    if !part.isEmpty || cell.last != ";" || parts.count % 3 == 2 { parts.append(String(part.trimmingSpace)) }
    return parts
  }

  // MARK: Prices

  private func addPrices(to product: inout CatalogProduct, _ place: String) throws(CatalogError) {
    let template = cell(.pricingTemplate)
    let cell = cell(.price)
    if cell.isEmpty {
      if template.isEmpty { return }
      try session.setAside(
        CatalogError(
          .notRepresentable,
          "the price is that of the pricing template \(quoted(template)), which the file does not have",
          fix: "give the product's own price",
          place: place
        )
      )
      return
    }
    var parts = cell.split(separator: ";", omittingEmptySubsequences: false).map { String($0.trimmingSpace) }
    if parts.count > 1, parts.last == "" { parts.removeLast() }
    if let price = parts.first, parts.count == 1 {
      _ = try session.attempt(at: "\(place), default price") { () throws(CatalogError) in
        let amount = try amount(price)
        guard let storefront = session.options.storefront else {
          throw CatalogError.missingStorefront(of: "\(amount)")
        }
        try product.prices.add(session.price(amount, nil, in: storefront))
      }
    } else if parts.count.isMultiple(of: 2) {
      try addCountries(parts, to: &product, place)
    } else {
      try session.setAside(
        CatalogError(
          .invalidField,
          "\(parts.count) parts stand where a country and a price repeat",
          fix: "write \"US; 1990000; DE; 1790000\"",
          place: "\(place), \(GooglePlayCSVHeader.Column.price.rawValue)"
        )
      )
    }
  }

  private func addCountries(
    _ parts: [String],
    to product: inout CatalogProduct,
    _ place: String
  ) throws(CatalogError) {
    // All of a country before one of them is taken: a price that cannot be paid contradicts another one, too.
    var amounts: [String: Amount] = [:]
    var disputed: Set<String> = []
    var storefronts: [Storefront] = []
    for start in stride(from: 0, to: parts.count, by: 2) {
      let (country, price) = (parts[start], parts[start + 1])
      _ = try session.attempt(at: Self.place(place, country)) { () throws(CatalogError) in
        let storefront = try session.storefront(country)
        let amount = try amount(price)
        guard let other = amounts[storefront.id] else {
          amounts[storefront.id] = amount
          storefronts.append(storefront)
          return
        }
        if other == amount { return }
        disputed.insert(storefront.id)
        throw CatalogError(
          .conflictingPrices,
          "\(storefront.id) has the prices \(other) and \(amount)",
          fix: "give one price for each country; none of them was taken"
        )
      }
    }
    for storefront in storefronts where !disputed.contains(storefront.id) {
      guard let amount = amounts[storefront.id] else { continue }
      _ = try session.attempt(at: Self.place(place, storefront.id)) { () throws(CatalogError) in
        try GooglePlayCurrency.check(amount, in: storefront, on: session.options.date)
        try product.prices.add(session.price(amount, nil, in: storefront))
      }
    }
  }

  private static func place(_ place: String, _ country: String) -> String {
    "\(place), price of \(printable(country, limit: 48))"
  }

  /// An amount in micros, as text.
  private func amount(_ micros: String) throws(CatalogError) -> Amount {
    guard let micros = Int64(micros) else {
      throw CatalogError(
        .malformedAmount,
        "\(quoted(micros)) is no price in micros",
        fix: "write millionths: 1990000 for 1.99"
      )
    }
    return Amount(micros: micros).normalized
  }
}
