import PriceTag
import PriceTagText

/// The amount of a row, or the bounds of its range.
package struct RowAmount {
  let amount: Amount
  /// The upper bound; `nil` for a single price.
  let upper: Amount?

  package init(amount: Amount, upper: Amount? = nil) {
    (self.amount, self.upper) = (amount, upper)
  }
}

/// A row that has a storefront, a decimal amount, an optional currency, and no other recognized field but `minorUnits`.
/// The values are strings without escapes; in JSON, the amount may be a number.
struct SimpleRow {
  let storefront: UnsafeBufferPointer<UInt8>
  /// Empty if the row has no currency.
  let currency: UnsafeBufferPointer<UInt8>
  let amount: UnsafeBufferPointer<UInt8>

  /// The places of the fields, in rows of one shape.
  struct Places {
    let storefront: Int
    let currency: Int?
    let amount: Int

    /// The recognized fields that a simple row does not have.
    private static let others = RowField.recognized([.display]).filter {
      ![.storefront, .currency, .amount, .minorUnits].contains($0)
    }

    /// Returns `nil` if the rows are not simple.
    ///
    /// - Parameter places: The place of each recognized field, or a negative number.
    init?(_ places: (RowField) -> Int) {
      (storefront, amount) = (places(.storefront), places(.amount))
      guard storefront >= 0, amount >= 0, Self.others.allSatisfy({ places($0) < 0 }) else { return nil }
      currency = places(.currency) < 0 ? nil : places(.currency)
    }
  }
}

/// Finds a row's formatter and reads its amount.
final class RowPricing {
  private let options: BatchOptions
  private let fastPath = FastPathTable()
  private let cache: FormatterCache

  init(_ options: BatchOptions) {
    self.options = options
    cache = FormatterCache(options)
  }

  /// The number of stored formatters.
  var formatterCount: Int { fastPath.count + cache.count }

  /// Returns the price writer and the amount of a simple row; `nil` if the fast path does not have the formatter, or the
  /// amount is invalid.
  @inline(__always)
  func simplePrice(
    _ row: SimpleRow
  ) -> (unownedWriter: UnownedPriceWriter, amount: Amount)? {
    guard row.currency.count <= 4 else { return longCodePrice(row) }
    guard let entry = fastPath.entry(row.storefront, row.currency),
      let amount = Amount(decimalUTF8: row.amount)
    else { return nil }
    return (entry.pointee.unownedWriter, amount)
  }

  /// Returns the same for a row in a custom currency with a long code.
  @inline(never)
  private func longCodePrice(
    _ row: SimpleRow
  ) -> (unownedWriter: UnownedPriceWriter, amount: Amount)? {
    guard let formatter = fastPath.formatter(row.storefront, longCode: row.currency),
      let amount = Amount(decimalUTF8: row.amount)
    else { return nil }
    // The table keeps the formatter of this writer alive.
    return (formatter.unownedWriter, amount)
  }

  /// Returns the formatter and the amount of a simple row; `nil` if the fast path does not have the formatter, or the amount is
  /// invalid.
  @inline(__always)
  func simpleAmount(_ row: SimpleRow) -> (formatter: CachedFormatter, amount: Amount)? {
    guard row.storefront.count <= 4, row.currency.count <= 4,
      let formatter = fastPath.formatter(for: FastPathTable.Key(row.storefront, row.currency)),
      let amount = Amount(decimalUTF8: row.amount)
    else { return nil }
    return (formatter, amount)
  }

  /// Returns the problem of a simple row whose storefront is unknown, else `nil`.
  func unknownStorefront(_ row: SimpleRow) -> RowProblem? {
    cache.unknownStorefront(row.storefront, row.currency)
  }

  /// Returns the formatter and the amount of a row.
  func price(_ fields: RecognizedFields) throws(RowProblem) -> (formatter: CachedFormatter, amount: RowAmount)
  {
    let formatter = try formatter(fields)
    let value = fields[.amount]
    if value.kind == .text || value.kind == .number, value.escapes == .none,
      fields[.amountMinor].kind == .absent, fields[.amountMicros].kind == .absent,
      fields[.amountTo].kind == .absent,
      let amount = options.usesDecimalComma ? DecimalComma.amount(value) : Amount(decimalUTF8: value.bytes)
    {
      return (formatter, RowAmount(amount: amount))
    }
    let amount = try amount(fields, formatter)
    return (formatter, RowAmount(amount: amount, upper: try upperBound(fields, amount)))
  }

  /// Returns the upper bound of a row's range; `nil` for a single price.
  private func upperBound(_ fields: RecognizedFields, _ amount: Amount) throws(RowProblem) -> Amount? {
    let value = fields[.amountTo]
    guard value.kind != .absent else { return nil }
    let name = RowField.amountTo.name
    if let other = [RowField.amountMinor, .amountMicros].first(where: { fields[$0].kind != .absent }) {
      throw RowProblem(
        .severalAmounts,
        "the fields \(quoted(other.name)) and \(quoted(name)) cannot be combined",
        fix: "write the start of the range as amount",
        field: name
      )
    }
    guard value.kind != .other else { throw .wrongAmountType(value, name) }
    let upper: Amount
    do throws(PriceTagError) { upper = try decimal(value) } catch { throw RowProblem(error, field: name) }
    guard amount <= upper else {
      throw RowProblem(
        .reversedRange,
        "the range starts at \(amount), above its end \(upper)",
        fix: "swap the two",
        field: name
      )
    }
    return upper
  }

  private func formatter(_ fields: RecognizedFields) throws(RowProblem) -> CachedFormatter {
    let (storefront, currency) = (fields[.storefront], fields[.currency])
    guard storefront.isPlainText, (1...4).contains(storefront.count),
      fields[.priceLocale].kind == .absent, fields[.at].kind == .absent, fields[.writtenAs].kind == .absent,
      currency.kind == .absent || (currency.isPlainText && currency.count >= 1)
    else { return try cache.formatter(fields) }
    guard currency.kind == .absent || currency.count <= 4 else { return try longCodeFormatter(fields) }
    let key = FastPathTable.Key(storefront.bytes, currency.bytes)
    if let formatter = fastPath.formatter(for: key) { return formatter }
    let formatter = try cache.formatter(fields)
    fastPath.insert(formatter, for: key)
    return formatter
  }

  /// Returns the formatter of a row with a code that is longer than those of ISO 4217.
  private func longCodeFormatter(_ fields: RecognizedFields) throws(RowProblem) -> CachedFormatter {
    let (storefront, currency) = (fields[.storefront].bytes, fields[.currency].bytes)
    if let formatter = fastPath.formatter(storefront, longCode: currency) { return formatter }
    let formatter = try cache.formatter(fields)
    if let key = FastPathTable.LongKey(storefront, currency) { fastPath.insert(formatter, for: key) }
    return formatter
  }

  private func amount(
    _ fields: RecognizedFields,
    _ formatter: CachedFormatter
  ) throws(RowProblem) -> Amount {
    let given = [RowField.amount, .amountMinor, .amountMicros].filter { fields[$0].kind != .absent }
    guard let field = given.first else {
      throw RowProblem(
        .missingAmount,
        "the field \"amount\" is missing",
        fix: "add amount, amountMinor or amountMicros",
        field: RowField.amount.name
      )
    }
    guard given.count == 1 else {
      throw RowProblem(
        .severalAmounts,
        "the fields \(given.map { quoted($0.name) }.joined(separator: " and ")) cannot be combined",
        fix: "keep one of them",
        field: given[1].name
      )
    }
    let value = fields[field]
    let name = field.name
    var provider = options.minorUnits
    if field == .amountMinor, let own = try fields.string(.minorUnits) { provider = own }
    guard value.kind != .other else { throw .wrongAmountType(value, name) }
    do throws(PriceTagError) {
      switch field {
      case .amountMinor:
        return try Amount(
          minorUnits: try integer(value, name),
          exponent: try formatter.minorUnitDigits(for: provider)
        )
      case .amountMicros: return Amount(micros: try integer(value, name))
      default: return try decimal(value)
      }
    } catch { throw RowProblem(error, field: name) }
  }

  /// Returns a decimal amount, with a comma or a point as the options say.
  private func decimal(_ value: FieldValue) throws(PriceTagError) -> Amount {
    let text = value.text
    if options.usesDecimalComma, value.kind == .text { return try DecimalComma.amount(text) }
    do throws(PriceTagError) { return try Amount(decimal: text) } catch {
      guard error.code == .malformedAmount, text.utf8.contains(UInt8(ascii: ",")) else { throw error }
      let fix = "write it as 1234.50, or as 1234,50 with the option --decimal-comma"
      throw PriceTagError(error.code, error.problem, fix: fix)
    }
  }

  private func integer(_ value: FieldValue, _ name: String) throws(PriceTagError) -> Int64 {
    let fix = "write an integer, such as 1234, or use the field amount for a decimal"
    let text = value.text
    let amount: Amount
    do throws(PriceTagError) { amount = try Amount(decimal: text) } catch {
      throw PriceTagError(error.code, error.problem, fix: fix)
    }
    guard amount.scale == 0 else {
      throw PriceTagError(
        .malformedAmount,
        "the field \(quoted(name)) must be an integer, not \(quoted(text))",
        fix: fix
      )
    }
    return amount.coefficient
  }
}

extension RowProblem {
  fileprivate static func wrongAmountType(_ value: FieldValue, _ name: String) -> RowProblem {
    RowProblem(
      .wrongType,
      "the field \(quoted(name)) must be a number or a string, not \(value.typeName)",
      fix: #"write it as a string, such as "4.99", or as a number"#,
      field: name
    )
  }
}
