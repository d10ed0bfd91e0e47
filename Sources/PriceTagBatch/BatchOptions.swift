import PriceTag
import PriceTagText

/// A format of rows.
public enum BatchFormat: String, Hashable, Sendable, CaseIterable, Codable {
  /// JSON Lines: one object per line. As an input, also a JSON array of objects.
  case jsonl
  /// CSV (RFC 4180) with a header.
  case csv
}

/// An output field that can be written in addition to `display`.
public enum BatchField: String, Hashable, Sendable, CaseIterable, Codable {
  /// The spoken form: `1.00 US dollars`.
  case spoken
  /// The formatted price between U+2068 and U+2069, for text of any direction.
  case isolated
  /// The formatted price in a `<bdi>` element with language and direction.
  case html
  /// The parts of the formatted price: `[{"type":"symbol","value":"$"},…]`.
  case parts
  /// The price per reference unit of the content of the row or product: `7,00 €/l`. It is null without a content.
  case unitPrice
  /// Each of the equal payments if the price is paid in the row's number of `installments`: `16,67 €`.
  case installment
  /// The last payment, which makes the sum exact: `16,65 €`.
  case lastInstallment
  /// Whether the price of a catalog's product includes tax: true, false, or `"unknown"` where this is stated, else the
  /// storefront's fact. It is null if the storefront has none.
  case taxIncluded

  /// Whether the field is computed from a field of a row that a catalog does not have.
  package var requiresRows: Bool { self == .installment || self == .lastInstallment }

  /// Whether only products of a catalog have the field.
  var requiresCatalog: Bool { self == .taxIncluded }
}

/// How a batch reads, formats and writes rows.
public struct BatchOptions: Sendable {
  /// The format of the input; `nil` to detect it: input that starts with a brace is JSON Lines, and input that starts with
  /// a bracket a JSON array.
  public var input: BatchFormat?
  /// The format of the output; `nil` for the format of the input.
  public var output: BatchFormat?
  /// The delimiter of CSV input: an ASCII character other than a quote, a letter, a digit or a line break; `nil` for that
  /// of a first line such as `sep=;`, else the most frequent of comma, semicolon and tab in the header.
  public var delimiter: UInt8?
  /// The columns that have other names than the fields of a row, or the prices of one storefront.
  public var columns: [BatchColumn] = []
  /// Whether texts of `amount` and `amountTo` have a decimal comma: `49,99`. A text with a point is then rejected, such as
  /// `1.234,50`. Numbers of JSON always have a decimal point.
  public var usesDecimalComma = false
  /// The delimiter of CSV output; `nil` for the input's delimiter, and for a comma if the input is JSON.
  public var outputDelimiter: UInt8?
  /// The fields to append after `display`, in this order.
  public var fields: [BatchField] = []
  /// Whether output fields replace fields of the same name in the input. If false, such rows are rejected.
  public var overwrites = false
  /// Whether metric and US customary units are converted into each other for unit prices.
  public var convertsUnits = false
  /// Who defines the minor units of `amountMinor` in rows without `minorUnits`: `iso` (ISO 4217), or a payment provider
  /// such as `stripe`.
  public var minorUnits = "iso"
  /// How prices are written.
  public var style = PriceStyle()
  /// The day of rows without `at`; `nil` for the instant at which the batch starts.
  public var day: StoreDay?
  /// The storefronts and currencies.
  public var localeData = LocaleData.embedded
  /// The number of threads. The output does not depend on it.
  public var jobs = 1
  /// Whether the first rejected row ends the batch with an error.
  public var isStrict = false
  /// Whether the output is compressed with gzip.
  public var compresses = false

  /// Creates the default options: the output has the format of the input.
  public init() {}

  /// The fields to write for each price, in order.
  var outputFields: [RowField] { [.display] + fields.map(RowField.init) }

  /// Returns the field with a problem, by its name in the input.
  func inputName(of problem: RowProblem) -> String? {
    guard let name = problem.field else { return nil }
    return columns.first { $0.field.name == name && $0.storefront == nil }?.name ?? name
  }

  /// Returns the name under which the input has a field; `nil` if the column of that name has another field.
  func inputName(of field: RowField) -> String? {
    let name = field.name
    guard field.isInput else { return name }
    if let column = columns.first(where: { $0.field == field && $0.storefront == nil }) { return column.name }
    return columns.contains { $0.name == name } ? nil : name
  }

  /// Checks options for rows.
  ///
  /// - Throws: `.invalidOption`.
  func checkForRows() throws(BatchError) {
    try check()
    guard let field = fields.first(where: \.requiresCatalog) else { return }
    throw BatchError(
      .invalidOption,
      "the field \(quoted(field.rawValue)) requires a catalog, but the input is rows",
      fix: "remove it"
    )
  }

  /// - Throws: `.invalidOption`.
  package func check() throws(BatchError) {
    for byte in [delimiter, outputDelimiter].compactMap(\.self) where !isCSVDelimiter(byte) {
      throw BatchError(
        .invalidOption,
        "\(quoted(String(Unicode.Scalar(byte)))) is not a delimiter",
        fix: "use a comma, a semicolon or a tab"
      )
    }
    try columns.check(localeData)
    if let duplicate = fields.first(where: { field in fields.count { $0 == field } > 1 }) {
      throw BatchError(
        .invalidOption,
        "the field \(quoted(duplicate.rawValue)) appears twice",
        fix: "remove one"
      )
    }
    // Every currency has the same providers.
    guard let currency = localeData.currencies.first else { return }
    do throws(PriceTagError) { _ = try currency.minorUnitDigits(for: minorUnits) } catch {
      if error.code == .unknownProvider { throw BatchError(.invalidOption, error) }
    }
  }
}

/// A field that a batch reads or writes.
package enum RowField: Int, CaseIterable {
  case storefront, priceLocale, currency, at, amount, amountMinor, amountMicros, amountTo, minorUnits,
    writtenAs
  case display, spoken, isolated, html, parts
  // The other forms of a price, and the fields that they are computed from.
  case content, unitReference, unitPrice, installments, installment, lastInstallment

  /// Returns the fields that a batch recognizes. A field of another form of the price is passed through, like any
  /// unknown field, unless such a form is written.
  static func recognized(_ outputFields: [RowField]) -> ArraySlice<RowField> {
    let writesForms = outputFields.contains(where: \.isForm)
    return allCases.prefix(writesForms ? allCases.count : content.rawValue)
  }

  /// Whether a batch reads the field.
  var isInput: Bool {
    switch self {
    case .display, .spoken, .isolated, .html, .parts, .unitPrice, .installment, .lastInstallment: false
    default: true
    }
  }

  /// Whether the field is an amount that a row has in one of several forms.
  var isAmount: Bool { self == .amount || self == .amountMinor || self == .amountMicros }

  /// Whether the field is another form of the price, which `PriceForms` writes.
  @inline(__always)
  var isForm: Bool { rawValue >= Self.content.rawValue }

  /// The input field that a form is computed from; `nil` for all other fields.
  var source: RowField? {
    switch self {
    case .unitPrice: .content
    case .installment, .lastInstallment: .installments
    default: nil
    }
  }

  package init(_ field: BatchField) { self = Self.allCases.first { $0.name == field.rawValue } ?? .display }

  private static let names = allCases.map { "\($0)" }

  /// The key in JSON, and the column in CSV: the name of the case.
  var name: String { Self.names[rawValue] }
}
