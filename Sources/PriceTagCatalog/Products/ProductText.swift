/// A product's name and description in one language: the store's own text, not the words around it.
public struct ProductText: Hashable, Sendable {
  /// What the product is called; `nil` where the source has none in this language.
  public var name: String?
  /// What it is; `nil` where the source has none in this language.
  public var description: String?

  /// A text of its parts; an empty one is none.
  public init(name: String?, description: String? = nil) {
    self.name = name.flatMap { $0.isEmpty ? nil : $0 }
    self.description = description.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Whether it says nothing.
  package var isEmpty: Bool { name == nil && description == nil }

  /// The text with what another says of it.
  package func updated(by other: ProductText) -> ProductText {
    ProductText(name: other.name ?? name, description: other.description ?? description)
  }
}

/// A subscription group or a category, with its name in several languages.
public struct ProductGroup: Hashable, Sendable {
  /// What a group is for.
  public enum Kind: String, Hashable, Sendable, Codable {
    /// Subscriptions of which a person has one at a time.
    case subscriptionGroup = "subscription-group"
    /// Products that stand together in a store.
    case category
  }

  /// What it is for.
  public let kind: Kind
  /// What products call it by.
  public let identifier: String
  /// Its name by language, BCP 47.
  public var names: [String: String]

  /// A group of its parts.
  public init(_ kind: Kind, _ identifier: String, names: [String: String] = [:]) {
    (self.kind, self.identifier, self.names) = (kind, identifier, names)
  }
}
