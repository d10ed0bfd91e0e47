import PriceTag

/// What changed in a display, the worst first.
public enum DriftClass: String, Hashable, Sendable, CaseIterable, Comparable, Codable {
  /// It shows another amount.
  case amount
  /// It names another currency, or none that is known.
  case currency
  /// It is not displayed any more.
  case gone
  /// The symbol, code or name is another one of the same currency; or the sign is another character.
  case symbol
  /// Symbol, sign and number stand in another order.
  case order
  /// Other digits are displayed: more or fewer decimals of the same amount, or those of another script.
  case digits
  /// Another character separates groups, or stands before the fraction.
  case separators
  /// Digits are grouped that were not, or otherwise.
  case grouping
  /// Words changed: a name, a description, the words around a price.
  case text
  /// It was not displayed before.
  case new
  /// Only spaces differ: other kinds of them, more or fewer.
  case spacing
  /// Only marks of direction differ, which are not seen.
  case directionMarks = "direction-marks"

  /// Whether the first is worse.
  public static func < (first: DriftClass, second: DriftClass) -> Bool { first.rank < second.rank }

  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// Which differences a comparison lets pass.
///
///     expectPrice("4.99", in: "FRA", displays: "4,99 €", tolerating: [.spacing, .bidi])
public struct DisplayTolerance: OptionSet, Hashable, Sendable {
  /// A bit for each class that may differ.
  public let rawValue: Int

  /// A tolerance of its bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  private init(of classes: some Sequence<DriftClass>) {
    let bits = DriftClass.allCases.enumerated().filter { classes.contains($0.element) }.map { 1 << $0.offset }
    rawValue = bits.reduce(0, |)
  }

  /// Every byte counts.
  public static let strict: DisplayTolerance = []
  /// Spaces may be of any kind.
  public static let spacing = DisplayTolerance(of: [.spacing])
  /// Marks of direction may be there or not.
  public static let bidi = DisplayTolerance(of: [.directionMarks])
  /// Only the amount, the currency and the digits count.
  public static let meaning = DisplayTolerance(
    of: [.symbol, .order, .separators, .grouping, .spacing, .directionMarks]
  )

  /// Whether a difference may be.
  public func allows(_ drift: DriftClass) -> Bool { isSuperset(of: DisplayTolerance(of: [drift])) }
}
