import PriceTag
import PriceTagCatalog
import PriceTagDrift
import PriceTagStrings
import PriceTagText

/// What one storefront displays of one product to a reader of one language.
public struct StorefrontDisplay: Sendable, CustomStringConvertible {
  /// The product, with its price, its texts, its subscription and its offers.
  public let product: Product
  /// The price for the ear.
  public let spoken: String
  /// Whose price it is.
  public let storefront: Storefront
  /// The reader's language.
  public let language: UILanguage
  /// Reads its price back.
  let reader: PriceReader
  /// Knows what the currencies that stores charge are called elsewhere.
  let readers: PriceReaders
  /// Where its words are from.
  let strings: StoreStrings

  /// The price.
  public var price: FormattedPrice { product.price }

  /// The words around its prices: those of the subscription and of each offer.
  public var messages: [FormattedMessage] {
    [product.subscription?.durationText, product.subscription?.priceText].compactMap(\.self)
      + product.offers.map(\.text)
  }

  /// Product, storefront, language and display.
  public var description: String {
    "\(product.identifier) in \(storefront.id) (\(language)): \(quoted(price.text))"
  }
}
