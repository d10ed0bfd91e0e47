import PriceTag

/// What is wrong with one row. One reference, so that a throwing call returns it in a register.
final class RowProblem: Error, Sendable {
  let code: String
  let problem: String
  let fix: String
  /// The field that it is about; `nil` where it is the whole row.
  let field: String?

  init(_ code: BatchReject.Code, _ problem: String, fix: String, field: String? = nil) {
    (self.code, self.problem, self.fix, self.field) = (code.rawValue, problem, fix, field)
  }

  /// What the core found wrong, in the field that it speaks of.
  init(_ error: PriceTagError, field: String?) {
    (code, problem, fix) = (error.code.rawValue, error.problem, error.fix)
    self.field = Self.field(of: error.code) ?? field
  }

  /// What is wrong, and what to do.
  var message: String { "\(problem): \(fix)" }

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
