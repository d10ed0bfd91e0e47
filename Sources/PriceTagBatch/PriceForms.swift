import PriceTag
import PriceTagText

/// Writes the other forms of a row's price, which rows have only if the batch is asked for them.
///
/// The forms are computed from fields of the current row, which the reader has stored when a field is written.
package final class PriceForms {
  private let fields: RecognizedFields
  private let convertsUnits: Bool
  /// The payments that were computed last, because two fields have the payments of one row.
  private var payments:
    (formatter: CachedFormatter, amount: Amount, count: Int, Installments<FormattedPrice>)?

  init(_ fields: RecognizedFields, convertsUnits: Bool) {
    (self.fields, self.convertsUnits) = (fields, convertsUnits)
  }

  /// Returns the text of a form; `nil` if the row lacks the field that the form is computed from.
  func text(
    _ field: RowField,
    _ amounts: RowAmount,
    _ formatter: CachedFormatter
  ) throws(RowProblem) -> String? {
    guard let source = field.source, fields[source].kind != .absent else { return nil }
    guard amounts.upper == nil else {
      throw RowProblem(
        .severalAmounts,
        "a range of prices has no \(field.name)",
        fix: "remove amountTo or \(source.name)",
        field: source.name
      )
    }
    switch field {
    case .unitPrice: return try unitPrice(of: amounts.amount, formatter).text
    case .installment: return try installments(of: amounts.amount, formatter).payment.text
    case .lastInstallment: return try installments(of: amounts.amount, formatter).lastPayment.text
    default: return nil
    }
  }

  // MARK: Unit prices

  private func unitPrice(
    of amount: Amount,
    _ formatter: CachedFormatter
  ) throws(RowProblem) -> FormattedPrice {
    let (content, reference) = (try fields.string(.content), try fields.string(.unitReference))
    var field = RowField.content
    do throws(PriceTagError) {
      let content = try ProductContent(content ?? "")
      field = .unitReference
      let unitReference = try reference.map(UnitPriceReference.init) ?? content.defaultReference
      field = reference == nil ? .content : .unitReference
      return try formatter.unitPriceFormatter.unitPrice(
        of: amount,
        content: content,
        per: unitReference,
        convertsSystems: convertsUnits
      )
    } catch {
      switch error.code {
      case .malformedContent, .unitMismatch: throw RowProblem(error, field: field.name)
      // A price below zero has no unit price.
      case .invalidOption:
        let source = [RowField.amountMinor, .amountMicros].first { fields[$0].kind != .absent } ?? .amount
        throw RowProblem(.noUnitPrice, error.problem, fix: error.fix, field: source.name)
      default: throw RowProblem(error, field: RowField.content.name)
      }
    }
  }

  // MARK: Installments

  private func installments(
    of amount: Amount,
    _ formatter: CachedFormatter
  ) throws(RowProblem) -> Installments<FormattedPrice> {
    let count = try paymentCount()
    if let payments, payments.formatter === formatter, payments.amount == amount, payments.count == count {
      return payments.3
    }
    let computed: Installments<FormattedPrice>
    do throws(PriceTagError) {
      // The payments add up to the displayed amount, which a rounding mode may have changed.
      let displayed = try formatter.formatter.format(amount).displayedAmount
      let rounding = formatter.formatter.style.rounding
      computed = try formatter.formatter.format(displayed).installments(count, rounding: rounding)
    } catch {
      let name = RowField.installments.name
      guard error.code == .invalidOption else { throw RowProblem(error, field: name) }
      throw RowProblem(.invalidInstallments, error.problem, fix: error.fix, field: name)
    }
    payments = (formatter, amount, count, computed)
    return computed
  }

  /// Returns the number of payments, which `installments` has as text or as a number.
  private func paymentCount() throws(RowProblem) -> Int {
    let value = fields[.installments]
    let name = RowField.installments.name
    guard value.kind != .other else {
      throw RowProblem(
        .wrongType,
        "the field \(quoted(name)) must be an integer, not \(value.typeName)",
        fix: "write the number of payments, such as 6",
        field: name
      )
    }
    guard let number = Amount(decimalUTF8: value.bytes) ?? (try? Amount(decimal: value.text)),
      number.scale == 0
    else {
      throw RowProblem(
        .invalidInstallments,
        "the field \(quoted(name)) must be an integer, not \(quoted(value.text))",
        fix: "write the number of payments, such as 6",
        field: name
      )
    }
    return Int(number.coefficient)
  }
}
