import PriceTag

/// What changed of one display: of a product, in a storefront, in a language.
public struct DisplayChange: Hashable, Sendable {
  /// A field that changed.
  public struct FieldChange: Hashable, Sendable {
    /// Which one.
    public let field: RecordedDisplay.Field
    /// What was recorded, what is displayed now, and how they differ.
    public let comparison: DisplayComparison
  }

  /// The product's identifier.
  public let productIdentifier: String
  /// The storefront's identifier.
  public let storefront: String
  /// The reader's language; empty where a shop's own display names none.
  public let language: String
  /// The line: of the golden, or of a shop's own rows; `nil` for a display that is new.
  public let line: Int?
  /// The kinds of changes, the worst first.
  public let classes: [DriftClass]
  /// The fields that changed; none of a display that is new or gone.
  public let fields: [FieldChange]
  /// Why it is not displayed any more, where that is known.
  public let reason: String?
  /// What is displayed of a new one, and was of one that is gone.
  public let display: String?

  init(_ key: [String], line: Int?, _ fields: [FieldChange]) {
    (productIdentifier, storefront, language) = Self.names(key)
    (self.line, self.fields) = (line, fields)
    classes = Set(fields.flatMap(\.comparison.classes)).sorted()
    (reason, display) = (nil, nil)
  }

  init(_ key: [String], line: Int?, _ only: DriftClass, display: String?, reason: String? = nil) {
    (productIdentifier, storefront, language) = Self.names(key)
    (self.line, fields, classes) = (line, [], [only])
    (self.reason, self.display) = (reason, display)
  }

  private static func names(_ key: [String]) -> (String, String, String) {
    let name = { (index: Int) in key.indices.contains(index) ? key[index] : "" }
    return (name(0), name(1), name(2))
  }
}
