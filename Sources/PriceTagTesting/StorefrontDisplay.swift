import PriceTag
import PriceTagCatalog
import PriceTagReading
import PriceTagStrings
import PriceTagText

/// The display of a product in a storefront and a UI language.
public struct StorefrontDisplay: Sendable, CustomStringConvertible {
  /// The product, with its price, texts, subscription, and offers.
  public let product: Product
  /// The spoken form of the price.
  public let spoken: String
  /// The storefront.
  public let storefront: Storefront
  /// The UI language.
  public let language: UILanguage
  /// The language of the expectation. The UI language is the store's default if there are no strings in it.
  let requestedLanguage: UILanguage
  /// A reader of the product's price.
  let reader: PriceReader
  /// The symbols of all currencies that stores charge, in any locale.
  let readers: PriceReaders
  /// The UI strings of the messages.
  let strings: StoreStrings

  /// The formatted price.
  public var price: FormattedPrice { product.price }

  /// The messages around the prices of the subscription and its offers.
  public var messages: [FormattedMessage] {
    [product.subscription?.durationText, product.subscription?.priceText].compactMap(\.self)
      + product.offers.map(\.text)
  }

  /// The product, the storefront, the language, and the formatted price.
  public var description: String {
    "\(product.identifier) in \(storefront.id) (\(language)): \(quoted(price.text))"
  }
}
