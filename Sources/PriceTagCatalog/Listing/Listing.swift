import PriceTag
import PriceTagStrings

/// A product as shown in one storefront and one language, or the reason why it cannot be shown.
public struct Listing: Sendable {
  /// The product, or the reason why it cannot be shown.
  public enum Answer: Sendable {
    /// The product, and its price for speech (`0.99 US dollars`), which is the same in all languages of a storefront.
    case product(Product, spoken: String)
    /// The reason why the product cannot be shown.
    case invalid(InvalidProductIdentifier)
  }

  /// A storefront and a language that many listings share.
  ///
  /// It is a class, so that a listing holds one reference. Copies of its fields would make threads contend for their
  /// reference counts.
  @usableFromInline
  package final class Context: Sendable {
    @usableFromInline package let index: Int
    @usableFromInline package let storefront: Storefront
    @usableFromInline package let language: UILanguage
    @usableFromInline let requestedLanguage: UILanguage
    /// The index of the language among the languages of all storefronts.
    let languageIndex: Int

    init(
      _ index: Int,
      _ storefront: Storefront,
      _ language: UILanguage,
      _ requestedLanguage: UILanguage,
      languageIndex: Int
    ) {
      (self.index, self.storefront, self.language) = (index, storefront, language)
      (self.requestedLanguage, self.languageIndex) = (requestedLanguage, languageIndex)
    }
  }

  @usableFromInline package let context: Context
  /// The product, or the reason why it cannot be shown.
  public let answer: Answer

  // Inlined, so that reading one field of the storefront does not copy all of them.

  /// The storefront.
  @inlinable public var storefront: Storefront { context.storefront }
  /// The language of the UI strings: the shopper's, or the store's default language if there are no strings in the shopper's.
  @inlinable public var language: UILanguage { context.language }
  /// The shopper's language.
  @inlinable public var requestedLanguage: UILanguage { context.requestedLanguage }
  /// The index of the listing among the listings of a product, starting at 0. Equal indices mean the same storefront
  /// and language, so callers can use them to cache values that all products share.
  @inlinable public var index: Int { context.index }
}
