import PriceTag

/// A class of changes in a display, from the most to the least severe.
public enum DriftClass: String, Hashable, Sendable, CaseIterable, Comparable, Codable {
  /// Another amount is displayed.
  case amount
  /// Another or an unknown currency is named.
  case currency
  /// The text is not a price, or not only a price: it has no number, several, or words beside it that name no currency.
  case notAPrice = "not-a-price"
  /// The product is no longer displayed.
  case gone
  /// The same currency has another symbol, code, or name, or the sign is another character.
  case symbol
  /// The symbol, the sign, and the number are in another order.
  case order
  /// The same amount has more or fewer decimals, or digits of another script.
  case digits
  /// The group or decimal separator is another character.
  case separators
  /// The digits are grouped differently.
  case grouping
  /// Text changed: a name, a description, or a UI string.
  case text
  /// The product was not displayed before.
  case new
  /// Only spaces differ, in kind or number.
  case spacing
  /// Only invisible direction marks differ.
  case directionMarks = "direction-marks"

  /// Returns whether the first class is more severe.
  public static func < (first: DriftClass, second: DriftClass) -> Bool { first.rank < second.rank }

  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// The classes of differences that an expectation allows.
///
///     expectPrice("4.99", in: "FRA", displays: "4,99 €", tolerating: [.spacing, .bidi])
public struct DisplayTolerance: OptionSet, Hashable, Sendable {
  /// One bit for each allowed class.
  public let rawValue: Int

  /// Creates a tolerance from its bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  private init(of classes: some Sequence<DriftClass>) {
    let bits = DriftClass.allCases.enumerated().filter { classes.contains($0.element) }.map { 1 << $0.offset }
    rawValue = bits.reduce(0, |)
  }

  /// Allows no differences.
  public static let strict: DisplayTolerance = []
  /// Allows differences in spaces.
  public static let spacing = DisplayTolerance(of: [.spacing])
  /// Allows differences in direction marks.
  public static let bidi = DisplayTolerance(of: [.directionMarks])
  /// Allows all differences except those in the amount, the currency, the digits, and text, and a text that is not a price.
  public static let meaning = DisplayTolerance(
    of: [.symbol, .order, .separators, .grouping, .spacing, .directionMarks]
  )

  /// Returns whether differences of a class are allowed.
  public func allows(_ drift: DriftClass) -> Bool { isSuperset(of: DisplayTolerance(of: [drift])) }
}
