import PriceTag
import PriceTagCatalog
import PriceTagText

/// Reads the CSV of prices that the Stripe dashboard exports. Each row is read as the price of the API that it describes.
struct StripeCSV {
  /// The columns that are read.
  private enum Column: String, CaseIterable {
    case priceID = "Price ID"
    /// The identifier in exports of plans, which preceded prices.
    case planID = "Plan ID"
    case productID = "Product ID"
    case productName = "Product Name"
    /// The internal description of a price, which the API calls its nickname.
    case description = "Description"
    case nickname = "Nickname"
    case amount = "Amount"
    case currency = "Currency"
    case interval = "Interval"
    case intervalCount = "Interval Count"
    case usageType = "Usage Type"
    case billingScheme = "Billing Scheme"
    case trialPeriodDays = "Trial Period Days"
    case taxBehavior = "Tax Behavior"
  }

  private let record: CSVReader.Record
  private let columns: CSVColumns<Column>
  private let session: ImportSession

  /// Returns the prices of a file as objects of the API. Invalid rows are rejected.
  static func prices(_ file: CatalogFile, _ session: ImportSession) throws(CatalogError) -> [JSONFields] {
    var header: CSVColumns<Column>?
    var prices: [JSONFields] = []
    // The prices of a file are in memory together, so its size is limited as that of a document.
    let file = CatalogFile(name: file.name, bytes: try file.contents())
    try CSVReader.forEachRecord(of: file, separator: nil) { (record) throws(CatalogError) in
      guard let columns = header else {
        let fix = "use the prices as exported by the Stripe dashboard"
        header = try CSVColumns(record, required: [.amount, .currency], fix: fix)
        return
      }
      if record.fields.allSatisfy(\.isEmpty) { return }
      let row = StripeCSV(record: record, columns: columns, session: session)
      let label = "price" + (row.identifier.map { " \(quoted($0))" } ?? "")
      let price = try session.attempt(at: label, line: record.line) { () throws(CatalogError) in
        try row.price()
      }
      if let price { prices.append(price) }
    }
    return prices
  }

  private var identifier: String? { cell(.priceID) ?? cell(.planID) }

  /// Returns the text of a cell, or `nil` if it is empty or missing.
  private func cell(_ column: Column) -> String? {
    let text = columns.cell(column, of: record)
    return text.isEmpty ? nil : text
  }

  private func price() throws(CatalogError) -> JSONFields {
    guard record.fields.count == columns.count else {
      throw CatalogError(
        .malformedFile,
        "the row has \(record.fields.count) cells but the header has \(columns.count)",
        fix: "quote text that contains a separator"
      )
    }
    func object(_ members: KeyValuePairs<String, JSONValue?>) -> JSONObject {
      JSONObject(
        line: record.line,
        members: members.compactMap { key, value in value.map { (key, $0, record.line) } }
      )
    }
    func text(_ column: Column) -> JSONValue? { cell(column).map { .string($0) } }
    func number(_ column: Column) -> JSONValue? { cell(column).map { .number($0) } }
    let recurring = object([
      "interval": text(.interval), "interval_count": number(.intervalCount), "usage_type": text(.usageType),
      "trial_period_days": number(.trialPeriodDays),
    ])
    let product = object([
      "object": .string("product"), "id": text(.productID), "name": text(.productName),
    ])
    return JSONFields(
      object([
        "object": .string("price"), "id": identifier.map { .string($0) },
        "nickname": text(.description) ?? text(.nickname), "currency": text(.currency),
        "billing_scheme": text(.billingScheme), "unit_amount_decimal": try minorUnits(),
        "tax_behavior": cell(.taxBehavior).map { .string($0.lowercased()) },
        "recurring": cell(.interval).map { _ in .object(recurring) }, "product": .object(product),
      ])
    )
  }

  /// Returns the amount of a row in minor units, as the API writes it. The CSV has it in units of the currency.
  private func minorUnits() throws(CatalogError) -> JSONValue? {
    guard let text = cell(.amount) else {
      if cell(.billingScheme) == "tiered" { return nil }
      throw CatalogError(
        .invalidField,
        "the cell \"Amount\" is empty",
        fix: "remove the row, or import the price as JSON of the Stripe API"
      )
    }
    do throws(CatalogError) {
      let digits = try StripeAmounts.digits(of: session.currency(cell(.currency) ?? ""))
      let amount = try session.amount(text)
      return try withCatalogErrors { () throws(PriceTagError) in
        .number("\(try amount * (0..<digits).reduce(1) { factor, _ in factor * 10 })")
      }
    } catch { throw error.at("line \(record.line), column Amount") }
  }
}
