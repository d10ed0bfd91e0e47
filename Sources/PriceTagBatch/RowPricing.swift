import PriceTag
import PriceTagText

/// Finds a row's formatter and reads its amount.
final class RowPricing {
  private let options: BatchOptions
  private let routes: PriceRoutes

  init(_ options: BatchOptions) {
    self.options = options
    routes = PriceRoutes(options)
  }

  /// What writes the price of a usual row, and its amount; `nil` for one that asks for more, or is wrong.
  @inline(__always)
  func usualPrice(_ row: JSONRowReader.UsualRow) -> (stamper: PriceStamper, amount: Amount)? {
    guard let route = routes.short(row.storefront, row.currency), let amount = Amount(decimalUTF8: row.amount)
    else { return nil }
    return (route.pointee.stamper, amount)
  }

  /// What is wrong with a usual row whose storefront is unknown.
  func unknownStorefront(_ row: JSONRowReader.UsualRow) -> RowProblem? {
    routes.unknownStorefront(row.storefront, row.currency)
  }

  /// The formatter and the amount of a row.
  func price(_ fields: KnownFields) throws(RowProblem) -> (route: PriceRoute, amount: Amount) {
    let route = try routes.route(fields)
    let value = fields[.amount]
    if value.kind == .text || value.kind == .number, value.escapes == .none,
      fields[.amountMinor].kind == .absent, fields[.amountMicros].kind == .absent,
      let amount = Amount(decimalUTF8: value.bytes)
    {
      return (route, amount)
    }
    return (route, try amount(fields, route))
  }

  private func amount(_ fields: KnownFields, _ route: PriceRoute) throws(RowProblem) -> Amount {
    let given = [RowField.amount, .amountMinor, .amountMicros].filter { fields[$0].kind != .absent }
    guard let field = given.first else {
      throw RowProblem(
        .missingAmount,
        "the row has no amount",
        fix: "give one of amount, amountMinor and amountMicros",
        field: RowField.amount.name.description
      )
    }
    guard given.count == 1 else {
      throw RowProblem(
        .severalAmounts,
        "the row has both \(given.map(\.name.description).joined(separator: " and "))",
        fix: "give one of them",
        field: given[1].name.description
      )
    }
    let value = fields[field]
    let name = field.name.description
    let provider = field == .amountMinor ? try minorUnits(fields) : options.minorUnits
    guard value.kind != .other else {
      throw RowProblem(
        .wrongType,
        "\(name) is neither text nor a number",
        fix: #"give it as text, such as "4.99", or as a number"#,
        field: name
      )
    }
    do throws(PriceTagError) {
      switch field {
      case .amountMinor:
        return try Amount(
          minorUnits: try whole(value, name),
          exponent: try route.minorUnitDigits(for: provider)
        )
      case .amountMicros: return Amount(micros: try whole(value, name))
      default: return try Amount(decimal: value.text)
      }
    } catch { throw RowProblem(error, field: name) }
  }

  private func minorUnits(_ fields: KnownFields) throws(RowProblem) -> String {
    let value = fields[.minorUnits]
    switch value.kind {
    case .absent: return options.minorUnits
    case .text: return value.text
    case .number, .other:
      throw RowProblem(
        .wrongType,
        "minorUnits is \(value.kind == .number ? "a number" : "neither text nor null")",
        fix: "give it as text, such as \(quoted(options.minorUnits))",
        field: RowField.minorUnits.name.description
      )
    }
  }

  /// A whole number of units of some kind.
  private func whole(_ value: FieldValue, _ name: String) throws(PriceTagError) -> Int64 {
    let fix = "write a whole number, such as 1234, or give a decimal as amount"
    let text = value.text
    let amount: Amount
    do throws(PriceTagError) { amount = try Amount(decimal: text) } catch {
      throw PriceTagError(error.code, error.problem, fix: fix)
    }
    guard amount.scale == 0 else {
      throw PriceTagError(
        .malformedAmount,
        "\(quoted(text)) is no whole number, as \(name) is",
        fix: fix
      )
    }
    return amount.coefficient
  }
}
