import PriceTag
import PriceTagStrings

/// A product in one storefront and one language: as it is shown there, or why it is not.
public struct Listing: Sendable {
  /// What there is to show.
  public enum Answer: Sendable {
    /// The product, and its price for the ear (`0.99 US dollars`), which is the same in all languages of a storefront.
    case product(Product, spoken: String)
    /// Why it cannot be shown.
    case invalid(InvalidProductIdentifier)
  }

  /// A storefront and a language, which many listings have in common: one reference in each of them, where copies
  /// would make threads wait for each other.
  @usableFromInline
  final class Place: Sendable {
    @usableFromInline let index: Int
    @usableFromInline let storefront: Storefront
    @usableFromInline let language: UILanguage
    /// The number of the language among those of all storefronts.
    let languageNumber: Int

    init(_ index: Int, _ storefront: Storefront, _ language: UILanguage, languageNumber: Int) {
      (self.index, self.storefront, self.language) = (index, storefront, language)
      self.languageNumber = languageNumber
    }
  }

  @usableFromInline let place: Place
  /// What there is to show.
  public let answer: Answer

  // Inlined, so that who asks for an identifier does not copy all that is known of the storefront.

  /// Whose price it is.
  @inlinable public var storefront: Storefront { place.storefront }
  /// The reader's language.
  @inlinable public var language: UILanguage { place.language }
  /// The number of the storefront and language among a product's listings, from 0: for whoever keeps what is the same
  /// for all products.
  @inlinable public var index: Int { place.index }
}
