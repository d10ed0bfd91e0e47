import PriceTag
import PriceTagStrings

/// A product as shown to a shopper in one storefront and one language, modeled on StoreKit's `Product`.
public struct Product: Sendable {
  /// The localized name and description of a product.
  public struct Text: Hashable, Sendable {
    /// The reason why a text is in its language.
    public enum Origin: String, Hashable, Sendable, Codable {
      /// The language is the shopper's, or a close match.
      case requested = "reader"
      /// The language is the store's default, because the store does not support the shopper's language, or the product
      /// has no text in it.
      case storeDefault = "store-default"
      /// The product has a text in neither language.
      case other
    }

    /// The language (BCP 47).
    public let language: String
    /// The reason why the text is in this language.
    public let origin: Origin
    /// The name of the product.
    public let name: String
    /// The description of the product.
    public let description: String?
  }

  /// A price that starts at a later date.
  public struct ScheduledPrice: Sendable {
    /// The first day of the price.
    public let firstDay: CalendarDate
    /// The price.
    public let price: FormattedPrice
  }

  /// The price of a product per unit of its content, which is required beside the price in many territories (Directive
  /// 98/6/EC, Article 3).
  public struct UnitPrice: Sendable {
    /// The price per unit, formatted for the storefront: `€16.60/L`. The unit is omitted if it is a piece.
    public let price: FormattedPrice
    /// The content of the product: `0.75 L`.
    public let content: ProductContent
    /// The unit that the price is for: `L`, `100 mL`.
    public let reference: UnitPriceReference
    /// The price of a piece, with the text in the shopper's language: `$0.50 per piece`. It is `nil` for other units.
    public let pieceText: FormattedMessage?

    /// The complete text: ``pieceText`` without isolates, or the text of ``price``.
    public var displayText: String { pieceText?.plain ?? price.text }
  }

  /// The subscription details of a product, as in StoreKit's `Product.SubscriptionInfo`.
  public struct Subscription: Sendable {
    /// The billing period.
    public let period: SubscriptionPeriod
    /// The subscription group. A customer can have one of its subscriptions at a time.
    public let group: Group?
    /// The rank within the group; 1 is the highest.
    public let groupLevel: Int?
    /// The length of the period in the shopper's language: `1 month`.
    public let durationText: FormattedMessage
    /// The price per period, with the text in the shopper's language: `$9.99 per month`. It is `nil` for a non-renewing
    /// subscription, which is paid once.
    public let priceText: FormattedMessage?
  }

  /// A subscription group or a category, with its name in the shopper's language or a fallback.
  public struct Group: Hashable, Sendable {
    /// The identifier by which products refer to the group.
    public let identifier: String
    /// The name; `nil` if the group has none.
    public let name: String?
    /// The language of the name (BCP 47).
    public let language: String?
  }

  /// An offer of a subscription that is available in the storefront on the date.
  public struct Offer: Sendable {
    /// A phase of an offer after the first one.
    public struct Phase: Sendable {
      /// How the phase is paid.
      public let paymentMode: CatalogOffer.PaymentMode
      /// The period of one payment.
      public let period: SubscriptionPeriod
      /// The number of periods.
      public let periodCount: Int
      /// The price of one payment; `nil` for a free trial.
      public let price: FormattedPrice?
    }

    /// The customers for whom the offer is intended.
    public let kind: CatalogOffer.Kind
    /// The identifier of the offer.
    public let identifier: String?
    /// How the offer is paid.
    public var paymentMode: CatalogOffer.PaymentMode { first.paymentMode }
    /// The period of one payment.
    public var period: SubscriptionPeriod { first.period }
    /// The number of periods.
    public var periodCount: Int { first.periodCount }
    /// The price of one payment; `nil` for a free trial.
    public var price: FormattedPrice? { first.price }
    let first: Phase
    /// The phases after the first one, which the other properties describe.
    public let laterPhases: [Phase]
    /// The offer and the regular price, with the text in the shopper's language:
    /// `7 days free, then $9.99 per month`.
    public let text: FormattedMessage
  }

  /// A picture of a product, with its text in the shopper's language or a fallback.
  public struct Image: Hashable, Sendable {
    /// The address: an http or https URL, or a path on the shop's site.
    public let address: String
    /// The width in pixels; `nil` if it is unknown.
    public let width: Int?
    /// The height in pixels; `nil` if it is unknown.
    public let height: Int?
    /// What the picture shows; `nil` if the catalog does not describe it.
    public let alternativeText: String?
    /// The language of the text (BCP 47).
    public let textLanguage: String?
    /// Versions of the picture in other sizes.
    public let sources: [ProductImage.Source]
  }

  /// The product identifier, such as `com.example.level1`.
  public let identifier: String
  /// The type of the product; `nil` if no file contains it.
  public let kind: ProductKind?
  /// The name and description; `nil` if the product has no name in any language.
  public let text: Text?
  /// The price, formatted for the storefront.
  public let price: FormattedPrice
  /// The tier that gives the price; `nil` for the product's own price.
  public let tier: String?
  /// What the price, the product or the request states about tax; `nil` if the storefront's fact applies.
  public let taxInclusion: TaxInclusion?
  /// The previous price of a reduced price: the lowest price of the 30 days before the reduction, if the reduction is at
  /// most 30 days old (Directive 98/6/EC, Article 6a). It is `nil` if the price was not reduced, or if the catalog does not know
  /// the prices of these 30 days.
  public let priceBeforeReduction: FormattedPrice?
  /// Whether the price was reduced, but the catalog does not know the prices of the 30 days before.
  package let isReductionUnknown: Bool
  /// The next price that differs from the current one.
  public let scheduledPrice: ScheduledPrice?
  /// The last day of the price; `nil` if the catalog has no end of it.
  public let priceLastDay: CalendarDate?
  /// The category.
  public let category: Group?
  /// The subscription details; `nil` if the product has no subscription period.
  public let subscription: Subscription?
  /// The offers that are available in the storefront on the date.
  public let offers: [Offer]
  /// The address of the main picture.
  public let image: String?
  /// All pictures, the main one first.
  public let images: [Image]
  /// Whether the product is approved.
  public let isApproved: Bool
  /// The content: `0.75 L`, `6 × 330 mL`.
  public let content: ProductContent?
  /// The unit that unit prices of the content are for; `nil` if the product has no content.
  public let unitReference: UnitPriceReference?
  /// The price per unit of the content; `nil` if the request names no rounding for unit prices, the product has no
  /// content, or it is free.
  public let unitPrice: UnitPrice?
  /// The identifiers of the products that the shop shows as related; `nil` if the catalog does not list any.
  public let related: [String]?
  /// The ID of the product's row in its catalog.
  package let row: Int64

  /// The localized name of the product, or its identifier if it has no name.
  public var displayName: String { text?.name ?? identifier }

  /// The price, formatted for the storefront: `$0.99`.
  public var displayPrice: String { price.text }

  /// Returns whether the price includes tax; `nil` if it is not known.
  ///
  ///     product.includesTax(in: try Storefront("DEU"))   // true, unless something else is stated
  ///
  /// - Parameter storefront: The storefront that the product was requested for.
  public func includesTax(in storefront: Storefront) -> Bool? {
    switch taxInclusion {
    case .included?: true
    case .excluded?: false
    case .unknown?: nil
    case nil: storefront.pricesIncludeTax
    }
  }
}
