import PriceTag

/// What is wrong with one row. One reference, so that a throwing call returns it in a register.
final class RowProblem: Error, Sendable {
  private enum Content {
    case text(problem: String, fix: String)
    /// Its text is made where it is read: of a million such rows that may be twenty.
    case unknownStorefront(String, LocaleData)
  }

  let code: String
  /// The field that it is about; `nil` where it is the whole row.
  let field: String?
  private let content: Content

  init(_ code: BatchReject.Code, _ problem: String, fix: String, field: String? = nil) {
    (self.code, self.field) = (code.rawValue, field)
    content = .text(problem: problem, fix: fix)
  }

  /// What the core found wrong, in the field that it speaks of.
  init(_ error: PriceTagError, field: String?) {
    code = error.code.rawValue
    content = .text(problem: error.problem, fix: error.fix)
    self.field = Self.field(of: error.code) ?? field
  }

  /// A storefront that the data does not have.
  init(unknownStorefront id: String, _ localeData: LocaleData) {
    (code, field) = ("unknown-storefront", "storefront")
    content = .unknownStorefront(id, localeData)
  }

  /// What is wrong.
  var problem: String { described(suggests: true).problem }
  /// What to do.
  var fix: String { described(suggests: true).fix }

  /// What is wrong, and what to do.
  ///
  /// - Parameter suggests: Whether the closest match of an unknown storefront is searched for.
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
