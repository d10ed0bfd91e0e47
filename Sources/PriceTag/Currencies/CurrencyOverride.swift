import CICU
import PriceTagText

/// A merchant's changes to CLDR's display of a currency: an entry of `currency-overrides.json`, or several merged.
struct CurrencyOverride: Hashable, Sendable {
  /// The symbol in the standard, narrow and unambiguous widths.
  let symbol: String?
  /// The number of displayed digits, which replaces CLDR's standard digits.
  let digits: Int?
  /// The numbering system, such as `latn`.
  let numberingSystem: String?
  /// The place of the symbol, the spaces and the separators.
  let layout: PriceLayout

  /// This override without changes of the symbol and of the number of digits.
  var withoutSymbolAndDigits: CurrencyOverride {
    CurrencyOverride(symbol: nil, digits: nil, numberingSystem: numberingSystem, layout: layout)
  }

  /// Returns this override, with the fields of a less specific one for the fields that are missing.
  func merged(over other: CurrencyOverride?) -> CurrencyOverride {
    CurrencyOverride(
      symbol: symbol ?? other?.symbol,
      digits: digits ?? other?.digits,
      numberingSystem: numberingSystem ?? other?.numberingSystem,
      layout: PriceLayout(
        position: layout.position ?? other?.layout.position,
        space: layout.space ?? other?.layout.space,
        group: layout.group ?? other?.layout.group,
        decimal: layout.decimal ?? other?.layout.decimal,
        minimumGrouping: layout.minimumGrouping ?? other?.layout.minimumGrouping
      )
    )
  }
}

/// Changes to CLDR's layout of a price, of a merchant or of a store's web form; `nil` for CLDR's own.
struct PriceLayout: Hashable, Sendable {
  /// The place of the symbol or code.
  enum Position: String, Sendable, CaseIterable {
    case before, after
  }

  /// The place of the symbol or code.
  var position: Position?
  /// The space beside the symbol or code, also where CLDR has none.
  var space: String?
  /// The separator between groups of digits.
  var group: String?
  /// The separator before the fraction.
  var decimal: String?
  /// The minimum number of digits in the first group, as in CLDR: with 2, 1234 has no groups, and 12,345 has.
  var minimumGrouping: Int?
  /// The number of digits in the groups before the last one: 2 in India, where CLDR writes 12,34,567.
  var secondaryGroupSize: Int?

  /// The allowed values of `minimumGrouping`.
  static let minimumGroupings = 1...9

  /// A Boolean value that indicates whether the layout is CLDR's own.
  var isEmpty: Bool { self == PriceLayout() }
}

extension CurrencyOverride {
  /// An entry of the file: for a storefront, for a currency, or for a currency of a storefront.
  struct Entry: Sendable {
    let storefront: String?
    let currency: String?
    let override: CurrencyOverride
    private let source: LocaleDataEntry

    init(_ entry: LocaleDataEntry) throws(PriceTagError) {
      try entry.checkFields([
        "storefront", "currency", "symbol", "digits", "numbering", "position", "space", "group", "decimal",
        "minimumGrouping", "reason",
      ])
      source = entry
      storefront = try entry.optionalString("storefront")
      currency = try entry.optionalString("currency")
      override = CurrencyOverride(
        symbol: try entry.optionalString("symbol"),
        digits: try entry.optionalInteger("digits", in: PriceStyle.fractionDigits),
        numberingSystem: try entry.optionalString("numbering"),
        layout: PriceLayout(
          position: try Self.position(entry),
          space: try Self.space(entry),
          group: try Self.separator("group", entry),
          decimal: try Self.separator("decimal", entry),
          minimumGrouping: try entry.optionalInteger("minimumGrouping", in: PriceLayout.minimumGroupings)
        )
      )
      if storefront == nil, currency == nil {
        throw entry.invalid(
          "the storefront and the currency are missing",
          "storefront",
          fix: "add a storefront, a currency, or both"
        )
      }
      if override.symbol == nil, override.digits == nil, override.numberingSystem == nil,
        override.layout.isEmpty
      {
        throw entry.invalid(
          "the override has no changes",
          "symbol",
          fix: "add a symbol, digits, numbering, a position, a space, a separator or minimumGrouping"
        )
      }
      if let group = override.layout.group, group == override.layout.decimal {
        throw entry.invalid(
          "groups and the fraction have the same separator \(quoted(group))",
          "decimal",
          fix: "use two different separators"
        )
      }
      if let symbol = override.symbol { try Self.check(symbol, "symbol", entry) }
      if let numbering = override.numberingSystem {
        try entry.checked("numbering") { () throws(PriceTagError) in
          try LocaleTag.checkNumberingSystem(numbering, .invalidLocaleData)
        }
      }
      try entry.checkReason(fix: "write why the currency is displayed so")
    }

    /// Reads a separator. It must be a character that some locale uses as a separator, so that it cannot look like a digit
    /// or change the direction of the text.
    private static func separator(
      _ field: String,
      _ entry: LocaleDataEntry
    ) throws(PriceTagError) -> String? {
      guard let separator = try entry.optionalString(field) else { return nil }
      let isSpace = separator.unicodeScalars.first?.properties.generalCategory == .spaceSeparator
      let separators: Set<Unicode.Scalar> = [
        ".", ",", "'", "\u{2019}", "\u{2018}", "\u{2BC}", "\u{66B}", "\u{66C}", "\u{B7}", "\u{2D9}",
        "\u{2E41}",
      ]
      guard separator.unicodeScalars.count == 1,
        isSpace || separators.isSuperset(of: separator.unicodeScalars)
      else {
        throw entry.invalid(
          "\(quoted(separator)) is not a separator",
          field,
          fix: "use one of . , ' ’ ‘ ʼ ٫ ٬ · ˙ ⹁, or a space"
        )
      }
      return separator
    }

    private static func position(_ entry: LocaleDataEntry) throws(PriceTagError) -> PriceLayout.Position? {
      guard let position = try entry.optionalString("position") else { return nil }
      guard let position = PriceLayout.Position(rawValue: position) else {
        throw entry.invalid(
          "unknown position \(quoted(position))",
          "position",
          fix: "use \(PriceLayout.Position.allCases.map(\.rawValue).joined(separator: " or "))"
        )
      }
      return position
    }

    /// Reads the space beside the symbol: one space, or an empty text.
    private static func space(_ entry: LocaleDataEntry) throws(PriceTagError) -> String? {
      guard let space = try entry.optionalString("space") else { return nil }
      guard space.unicodeScalars.count <= 1,
        space.unicodeScalars.allSatisfy({ $0.properties.generalCategory == .spaceSeparator })
      else {
        throw entry.invalid(
          "\(quoted(space)) is not a space",
          "space",
          fix: "use one space character, or \"\" for no space"
        )
      }
      return space
    }

    /// Checks that a symbol cannot be read as part of the amount, and does not change the direction of the text.
    static func check(
      _ symbol: String,
      _ field: String,
      _ entry: LocaleDataEntry
    ) throws(PriceTagError) {
      guard (1...32).contains(symbol.utf8.count) else {
        throw entry.invalid(
          symbol.isEmpty ? "the symbol is empty" : "the symbol \(quoted(symbol)) is longer than 32 bytes",
          field,
          fix: "use 1 to 32 bytes"
        )
      }
      for scalar in symbol.unicodeScalars where isForbidden(scalar) {
        throw entry.invalid(
          "the symbol \(quoted(symbol)) contains \(quoted(String(scalar)))",
          field,
          fix: "use a symbol without digits, signs and control characters"
        )
      }
      // Spaces, marks and punctuation alone could be read as part of the number.
      guard symbol.unicodeScalars.contains(where: isLetterOrSymbol) else {
        throw entry.invalid(
          "the symbol \(quoted(symbol)) has no letter or symbol",
          field,
          fix: "use a visible symbol, such as $ or kr"
        )
      }
    }

    private static func isLetterOrSymbol(_ scalar: Unicode.Scalar) -> Bool {
      switch scalar.properties.generalCategory {
      case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
        .currencySymbol,
        .mathSymbol, .modifierSymbol, .otherSymbol:
        true
      default: false
      }
    }

    /// Returns whether a character is a digit, a sign, or a control character other than a direction mark.
    static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
      if ["\u{200E}", "\u{200F}", "\u{61C}"].contains(scalar) { return false }
      let categories: Set<Unicode.GeneralCategory> = [
        .decimalNumber, .letterNumber, .otherNumber, .control, .format, .lineSeparator, .paragraphSeparator,
      ]
      return categories.contains(scalar.properties.generalCategory)
        || "+-\u{2212}".unicodeScalars.contains(scalar)
    }

    /// Checks that the entry's currency and storefront exist, and returns the storefront's identifier.
    ///
    /// - Parameters:
    ///   - ids: The identifiers of storefronts by their alpha-3 and alpha-2 codes.
    ///   - currencies: All currencies.
    ///   - charges: Returns whether a storefront has ever charged a currency.
    func checkedStorefront(
      ids: [String: String],
      currencies: LocaleData.CurrencyTable,
      charges: (_ id: String, _ currency: String) -> Bool
    ) throws(PriceTagError) -> String? {
      if let currency, try currencies.currency(currency) == nil {
        throw source.unknown("currency", currency, "currency", fix: "use a code from currencies.json")
      }
      guard let storefront else { return nil }
      guard let id = ids[storefront] else {
        throw source.unknown("storefront", storefront, "storefront", fix: "use a code from storefronts.json")
      }
      if let currency, !charges(id, currency) {
        throw source.invalid("the \(id) store never charges \(currency)", "currency", fix: "remove the entry")
      }
      return id
    }

    /// The error for a second entry with the same storefront and currency.
    var duplicateError: PriceTagError {
      source.invalid(
        "the override for this storefront and currency appears twice",
        "storefront",
        fix: "remove one"
      )
    }
  }
}
