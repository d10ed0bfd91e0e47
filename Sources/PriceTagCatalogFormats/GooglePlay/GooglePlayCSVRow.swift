import PriceTag
import PriceTagCatalog
import PriceTagSystem
import PriceTagText

/// Reads a product from a row of Google Play's CSV.
struct GooglePlayCSVRow {
  let record: CSVReader.Record
  let header: CSVColumns<GooglePlayCSVColumn>
  let session: ImportSession

  /// Adds the product to the session. Invalid values are rejected separately.
  func read() throws(CatalogError) {
    let identifier = cell(.productID)
    let place = "line \(record.line), product \(quoted(identifier))"
    let product = try session.attempt(at: place) { () throws(CatalogError) in
      guard record.fields.count == header.count else {
        throw CatalogError(
          .malformedFile,
          "the row has \(record.fields.count) cells but the header has \(header.count)",
          fix: "quote text that contains a comma"
        )
      }
      return try CatalogProduct(identifier)
    }
    guard var product else { return }
    // A product with an unknown state is not for sale.
    product.isApproved =
      try value(.publishedState, [("published", true), ("unpublished", false)], place)
      ?? (cell(.publishedState).isEmpty ? nil : false)
    // Google Play does not distinguish consumable products; only subscriptions have a known kind.
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
    try session.add(.product(product), at: place)
  }

  private func cell(_ column: GooglePlayCSVColumn) -> String { header.cell(column, of: record) }

  /// Returns the value of the word in a cell, or `nil` if the cell is empty or the word unknown.
  private func value<Value>(
    _ column: GooglePlayCSVColumn,
    _ words: [(word: String, value: Value)],
    _ place: String
  ) throws(CatalogError) -> Value? {
    let text = cell(column)
    if text.isEmpty { return nil }
    if let match = words.first(where: { $0.word == text.lowercased() }) { return match.value }
    try session.reject(
      .invalidField,
      "unknown value \(quoted(text)) in the column \"\(column.rawValue)\"",
      fix: "use one of \(words.map(\.word).joined(separator: ", "))",
      place: place
    )
    return nil
  }

  // MARK: Texts

  private func addTexts(to product: inout CatalogProduct, _ place: String) throws(CatalogError) {
    let parts = parts(of: cell(.texts))
    guard parts.count.isMultiple(of: 3) else {
      try session.reject(
        .invalidField,
        "the cell has \(parts.count) parts, which is not a multiple of 3 (locale; title; description)",
        fix: #"write "\;" for a semicolon inside a text"#,
        place: "\(place), \(GooglePlayCSVColumn.texts.rawValue)"
      )
      return
    }
    for start in stride(from: 0, to: parts.count, by: 3) {
      let locale = parts[start]
      _ = try session.attempt(at: "\(place), locale \(quoted(locale))") { () throws(CatalogError) in
        let text = ProductText(name: parts[start + 1], description: parts[start + 2])
        try product.localizations.add(text, in: session.language(locale))
      }
    }
  }

  /// Returns the parts of a cell between semicolons, where `\;` is a semicolon and `\\` a backslash. A semicolon at the
  /// end does not start another part.
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
    // "a; b;" has two parts, but "en_US; Title;" has three: the description is empty.
    if !part.isEmpty || cell.last != ";" || parts.count % 3 == 2 { parts.append(String(part.trimmingSpace)) }
    return parts
  }

  // MARK: Prices

  private func addPrices(to product: inout CatalogProduct, _ place: String) throws(CatalogError) {
    let template = cell(.pricingTemplate)
    let cell = cell(.price)
    if cell.isEmpty {
      if template.isEmpty { return }
      try session.reject(
        .notRepresentable,
        "the pricing template \(quoted(template)) is not supported because its prices are not in the file",
        fix: "write the product's own price",
        place: place
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
      try session.reject(
        .invalidField,
        "the cell has \(parts.count) parts, which is not a multiple of 2 (country; price)",
        fix: "write pairs such as \"US; 1990000; DE; 1790000\"",
        place: "\(place), \(GooglePlayCSVColumn.price.rawValue)"
      )
    }
  }

  private func addCountries(
    _ parts: [String],
    to product: inout CatalogProduct,
    _ place: String
  ) throws(CatalogError) {
    // Conflicts are found before any price is added, so that an invalid price also conflicts with a valid one.
    var amounts: [String: Amount] = [:]
    var conflicting: Set<String> = []
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
        conflicting.insert(storefront.id)
        throw CatalogError(
          .conflictingPrices,
          "\(quoted(storefront.id)) appears twice with the prices \(other) and \(amount)",
          fix: "remove one; both are rejected"
        )
      }
    }
    for storefront in storefronts where !conflicting.contains(storefront.id) {
      guard let amount = amounts[storefront.id] else { continue }
      _ = try session.attempt(at: Self.place(place, storefront.id)) { () throws(CatalogError) in
        try GooglePlayCurrency.check(amount, in: storefront, session)
        try product.prices.add(session.price(amount, nil, in: storefront))
      }
    }
  }

  private static func place(_ place: String, _ country: String) -> String {
    "\(place), price of \(printable(country, limit: 48))"
  }

  /// Returns the amount of a text in micros.
  private func amount(_ micros: String) throws(CatalogError) -> Amount {
    guard let micros = Int64(micros) else {
      throw CatalogError(
        .malformedAmount,
        "\(quoted(micros)) is not a price in micros",
        fix: "write an integer of millionths, such as 1990000 for 1.99"
      )
    }
    return Amount(micros: micros).normalized
  }
}
