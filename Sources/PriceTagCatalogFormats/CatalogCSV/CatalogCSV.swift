import PriceTag
import PriceTagCatalog
import PriceTagText

/// The column names of PriceTag's own CSV, and the syntax of cells with more than one word.
enum CatalogCSV {
  /// The columns other than localized texts, in the order in which they are written.
  enum Column: String, CaseIterable {
    case productIdentifier, kind, referenceName, category, subscriptionGroup, groupLevel, subscriptionPeriod
    case approved, clearedForSale, image, sortOrder, tier, content, unitReference, related
    case storefront, amount, currency, priceLocale, from, until, taxIncluded

    /// The columns that describe a price; the others describe the product. In a row without a price, `taxIncluded` describes
    /// the product.
    static let ofPrices: Set<Column> = [
      .storefront, .amount, .currency, .priceLocale, .from, .until, .taxIncluded,
    ]
  }

  /// A column of localized texts: `name[en-US]`, `description[en-US]`, and the names of the product's groups.
  enum TextField: String, CaseIterable {
    case name, description, categoryName, subscriptionGroupName

    /// The kind of group that a name belongs to; `nil` for a text of the product itself.
    var kind: ProductGroup.Kind? {
      let kinds: [Self: ProductGroup.Kind] = [
        .categoryName: .category, .subscriptionGroupName: .subscriptionGroup,
      ]
      return kinds[self]
    }

    func label(_ language: String) -> String { "\(rawValue)[\(language)]" }
  }

  /// The cell value for an empty list of storefronts or tiers.
  static let none = "none"

  // MARK: Clearance for sale

  private static let all = "all"
  private static let allBut = "all but"

  /// Returns a clearance in the syntax of a cell: `all`, `none`, `JPN USA`, `all but CHN HKG`.
  static func text(of clearance: Clearance) -> String {
    switch clearance {
    case .everywhere: all
    case .only(let storefronts): storefronts.isEmpty ? none : storefronts.sorted().joined(separator: " ")
    case .except(let storefronts):
      storefronts.isEmpty ? all : allBut + " " + storefronts.sorted().joined(separator: " ")
    }
  }

  static func clearance(_ text: String, _ session: ImportSession) throws(CatalogError) -> Clearance {
    let lowered = text.lowercased()
    if lowered == all { return .everywhere }
    if lowered == none { return .nowhere }
    let isExcepted = lowered.hasPrefix(allBut)
    var storefronts: Set<String> = []
    for id in text.dropFirst(isExcepted ? allBut.count : 0).split(separator: " ") {
      storefronts.insert(try session.storefront(String(id)).id)
    }
    guard !storefronts.isEmpty else {
      throw CatalogError(
        .invalidField,
        "\(quoted(text)) names no storefront",
        fix: "write all, none, storefronts such as USA JPN, or all but CHN HKG"
      )
    }
    return isExcepted ? .except(storefronts) : .only(storefronts)
  }

  // MARK: Tiers

  private static let maximumTierCount = 1000

  /// Returns tiers in the syntax of a cell: `3`, or `1 until 2026-12-31; 3 from 2027-01-01`. An ambiguous name is
  /// quoted.
  static func text(of tiers: [TierPeriod]) -> String {
    if tiers.isEmpty { return none }
    return tiers.map { period in
      let isPlain =
        period.tier != none && period.tier.unicodeScalars.allSatisfy { $0 != ";" && $0 != "\"" && $0 != " " }
      return (isPlain ? period.tier : quotedForCSV(period.tier))
        + (period.days.first.map { " from \($0)" } ?? "")
        + (period.days.last.map { " until \($0)" } ?? "")
    }.joined(separator: "; ")
  }

  static func tiers(_ text: String, _ session: ImportSession) throws(CatalogError) -> [TierPeriod] {
    if text == none { return [] }
    var tiers: [TierPeriod] = []
    var rest = text.unicodeScalars[...]
    while tiers.count < maximumTierCount {
      let name = try tierName(&rest)
      try CatalogName.check(name)
      let first = try date("from", &rest, session)
      let last = try date("until", &rest, session)
      tiers.append(TierPeriod(name, days: try DateRange(from: first, until: last)))
      if rest.isEmpty { return try TierPeriod.sorted(tiers) }
      guard rest.first == ";" else { throw malformedTiers(text) }
      rest = rest.dropFirst()
    }
    throw CatalogError(
      .tooLarge,
      "the cell has more than \(maximumTierCount) tiers",
      fix: "remove tiers that have expired"
    )
  }

  private static func malformedTiers(_ text: String) -> CatalogError {
    CatalogError(
      .invalidField,
      "\(quoted(text)) is not a tier or a list of tiers with dates",
      fix: "write a tier name, or a list such as: 1 until 2026-12-31; 3 from 2027-01-01"
    )
  }

  /// Removes the tier name from the start of the rest and returns it.
  private static func tierName(_ rest: inout Substring.UnicodeScalarView) throws(CatalogError) -> String {
    rest = rest.drop { $0 == " " }
    guard rest.first == "\"" else {
      let name = rest.prefix { $0 != ";" && $0 != " " }
      rest = rest[name.endIndex...].drop { $0 == " " }
      return String(name)
    }
    let start = rest
    var name = String.UnicodeScalarView()
    rest = rest.dropFirst()
    while let scalar = rest.popFirst() {
      if scalar == "\"" {
        guard rest.first == "\"" else {
          rest = rest.drop { $0 == " " }
          return String(name)
        }
        rest = rest.dropFirst()
      }
      name.append(scalar)
    }
    throw malformedTiers(String(start))
  }

  /// Removes a word and the date after it from the start of the rest and returns the date, or `nil` without the word.
  private static func date(
    _ word: String,
    _ rest: inout Substring.UnicodeScalarView,
    _ session: ImportSession
  ) throws(CatalogError) -> CalendarDate? {
    guard rest.starts(with: (word + " ").unicodeScalars) else { return nil }
    let text = rest.dropFirst(word.utf8.count).drop { $0 == " " }.prefix { $0 != ";" && $0 != " " }
    rest = rest[text.endIndex...].drop { $0 == " " }
    return try session.date(String(text))
  }
}

extension CatalogProduct {
  /// Returns the identifier of the product's group of a kind.
  func identifier(of kind: ProductGroup.Kind) -> String? { kind == .category ? category : subscriptionGroup }
}
