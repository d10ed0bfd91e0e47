import PriceTag
import PriceTagReading

/// A change between two packs, and every place that has it.
///
///     change.driftClass     // .separators
///     change.subject        // "group separator"
///     change.pairs          // [("’", "'")]
///     change.storefronts    // ["CHE", "LIE"]
public struct PackChange: Sendable {
  /// What one pack has, and what the other one has instead.
  public struct Pair: Hashable, Sendable {
    /// The text, name or number of the old pack; empty if it has none.
    public let expected: String
    /// That of the new pack; empty if it has none.
    public let actual: String

    init(_ expected: String, _ actual: String) { (self.expected, self.actual) = (expected, actual) }
  }

  /// A price that shows the change.
  public struct Example: Hashable, Sendable {
    /// The storefront, or the price locale.
    public let place: String
    /// The amount.
    public let amount: Amount
    /// The code of the currency.
    public let currency: String
    /// The style.
    public let style: String
    /// What the old pack writes.
    public let expected: String
    /// What the new pack writes, or why it writes nothing.
    public let actual: String
  }

  /// A price locale, and the currencies that change in it.
  public struct LocaleCurrencies: Hashable, Sendable {
    /// The tag of the locale; of phrases, of their language.
    public let locale: String
    /// The codes of the currencies, in the order of the pack; empty if the change is one of the locale itself.
    public let currencies: [String]
  }

  /// The class of the change.
  public let driftClass: DriftClass
  /// What changed: `symbol`, `group separator`, `currency by date`, `phrase price_per_month`.
  public let subject: String
  /// The texts that changed, in the order of the sample amounts.
  public let pairs: [Pair]
  /// A price that shows the change; `nil` for a change that no price shows.
  public let example: Example?
  /// The storefronts that have the change, in the order of the pack.
  public let storefronts: [String]
  /// The price locales that have it, each with its currencies, in the order of the pack.
  public let locales: [LocaleCurrencies]
  /// The currencies that have the change themselves, such as another number of digits.
  public let currencies: [String]
  /// The styles that have it.
  public let styles: [String]
  /// A Boolean value that indicates whether the prices were compared. If not, the class of the change is unknown, because
  /// the packs differ more than ``PackComparison/Limits`` allows.
  public var isCompared: Bool { subject != Self.notComparedSubject }

  static let notComparedSubject = "patterns that were not compared"

  /// Returns whether the change is of one of the classes, or may be.
  package func isOf(_ classes: Set<DriftClass>) -> Bool {
    classes.contains(driftClass) || !isCompared && !classes.isEmpty
  }
}
