/// A product's name and description in one language.
public struct ProductText: Hashable, Sendable {
  /// The name; `nil` if no file contains one in this language.
  public var name: String?
  /// The description; `nil` if no file contains one in this language.
  public var description: String?

  /// Creates a text. Empty strings are treated as `nil`.
  public init(name: String?, description: String? = nil) {
    self.name = name.flatMap { $0.isEmpty ? nil : $0 }
    self.description = description.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Whether the text has neither a name nor a description.
  package var isEmpty: Bool { name == nil && description == nil }

  /// Returns the text updated with the fields of another one.
  package func updated(by other: ProductText) -> ProductText {
    ProductText(name: other.name ?? name, description: other.description ?? description)
  }
}

/// A subscription group or a category, with its localized names.
public struct ProductGroup: Hashable, Sendable {
  /// The kind of a group.
  public enum Kind: String, Hashable, Sendable, Codable {
    /// A group of subscriptions of which a customer can have one at a time.
    case subscriptionGroup = "subscription-group"
    /// A category of products in a store.
    case category
  }

  /// The kind of the group.
  public let kind: Kind
  /// The identifier by which products refer to the group.
  public let identifier: String
  /// The names, by language (BCP 47).
  public var names: [String: String]

  /// Creates a group.
  public init(_ kind: Kind, _ identifier: String, names: [String: String] = [:]) {
    (self.kind, self.identifier, self.names) = (kind, identifier, names)
  }
}
