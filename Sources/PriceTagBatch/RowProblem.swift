import PriceTag

/// The reason why a row is rejected. A class, so that a throwing call returns it in a register.
package final class RowProblem: Error, Sendable {
  private enum Content {
    case text(problem: String, fix: String)
    /// The text is created only when it is read: of a million such rows, the command may print twenty.
    case unknownStorefront(String, LocaleData)
  }

  let code: String
  /// The field with the problem; `nil` if the problem is in the row.
  let field: String?
  private let content: Content

  init(_ code: BatchReject.Code, _ problem: String, fix: String, field: String? = nil) {
    (self.code, self.field) = (code.rawValue, field)
    content = .text(problem: problem, fix: fix)
  }

  /// Converts an error of the core. Its code determines the field; `field` is the default.
  init(_ error: PriceTagError, field: String?) {
    code = error.code.rawValue
    content = .text(problem: error.problem, fix: error.fix)
    self.field = Self.field(of: error.code) ?? field
  }

  /// Creates the problem of a storefront that is not in the locale data.
  init(unknownStorefront id: String, _ localeData: LocaleData) {
    (code, field) = ("unknown-storefront", "storefront")
    content = .unknownStorefront(id, localeData)
  }

  /// The problem, with the invalid value in quotes.
  var problem: String { described(suggests: true).problem }
  /// What to do, as an imperative.
  var fix: String { described(suggests: true).fix }

  /// Returns the problem and the fix.
  ///
  /// - Parameter suggests: Whether to search the closest match of an unknown storefront.
  func described(suggests: Bool) -> (problem: String, fix: String) {
    switch content {
    case .text(let problem, let fix): (problem, fix)
    case .unknownStorefront(let id, let localeData): localeData.unknownStorefront(id, suggests: suggests)
    }
  }

  private static func field(of code: PriceTagError.Code) -> String? {
    switch code {
    case .unknownStorefront, .missingStorefront: "storefront"
    case .unknownLocale, .malformedLocale, .unexpectedExtension: "priceLocale"
    case .unknownCurrency, .currencyMismatch: "currency"
    case .malformedDate: "at"
    case .unknownProvider: "minorUnits"
    default: nil
    }
  }
}
