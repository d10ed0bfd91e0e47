import PriceTag
import PriceTagStrings

/// A product as one storefront shows it to one reader: StoreKit's `Product`.
public struct Product: Sendable {
  /// The product's own text, and which language it is in.
  public struct Text: Hashable, Sendable {
    /// Why the text is in this language.
    public enum Origin: String, Hashable, Sendable, Codable {
      /// It is the reader's, or near to it.
      case reader
      /// It is the store's default: the store does not support the reader's, or the product does not have it.
      case storeDefault = "store-default"
      /// The product has neither of them.
      case other
    }

    /// The language, BCP 47.
    public let language: String
    /// Why it is this one.
    public let origin: Origin
    /// What the product is called.
    public let name: String
    /// What it is.
    public let description: String?
  }

  /// A price that holds from a day to come.
  public struct ScheduledPrice: Sendable {
    /// The first day that it holds.
    public let firstDay: CalendarDate
    /// The price.
    public let price: FormattedPrice
  }

  /// What is known of a subscription.
  public struct Subscription: Sendable {
    /// What a payment pays for.
    public let period: SubscriptionPeriod
    /// The group of which a person has one at a time.
    public let group: Group?
    /// The rank within the group; 1 is the highest.
    public let groupLevel: Int?
    /// How long that is, in the reader's words: `1 month`.
    public let durationText: FormattedMessage
    /// What it costs, in the reader's words and the store's price: `$9.99 per month`; `nil` for a subscription that
    /// ends, which is paid once.
    public let priceText: FormattedMessage?
  }

  /// A subscription group or a category, by its name in the reader's language, or in what stands for it.
  public struct Group: Hashable, Sendable {
    /// What products call it by.
    public let identifier: String
    /// What it is called; `nil` where it has no name.
    public let name: String?
    /// The language of the name, BCP 47.
    public let language: String?
  }

  /// An offer that a subscription has here on this day.
  public struct Offer: Sendable {
    /// Who gets it.
    public let kind: CatalogOffer.Kind
    /// What the shop calls it.
    public let identifier: String?
    /// How it is paid.
    public let paymentMode: CatalogOffer.PaymentMode
    /// What a payment pays for.
    public let period: SubscriptionPeriod
    /// How many periods it lasts.
    public let periodCount: Int
    /// What a payment costs; `nil` for a free trial.
    public let price: FormattedPrice?
    /// The offer and what follows it, in the reader's words: `7 days free, then $9.99 per month`.
    public let text: FormattedMessage
  }

  /// The identifier, such as `com.example.level1`.
  public let identifier: String
  /// What buying it gives; `nil` where no source says.
  public let kind: ProductKind?
  /// Its name and description; `nil` where it has none in any language.
  public let text: Text?
  /// What it costs, as its storefront writes it.
  public let price: FormattedPrice
  /// The tier that the price is of; `nil` for a price of the product's own.
  public let tier: String?
  /// What it cost before its price was reduced: the lowest price of the 30 days before, as long as the reduction is at
  /// most 30 days old (Directive 98/6/EC, Article 6a); `nil` where it was not.
  public let priceBeforeReduction: FormattedPrice?
  /// The next price that is another one.
  public let scheduledPrice: ScheduledPrice?
  /// The category it stands in.
  public let category: Group?
  /// What is known of a subscription; `nil` for other products.
  public let subscription: Subscription?
  /// The offers that it has here on this day.
  public let offers: [Offer]
  /// The address of a picture.
  public let image: String?
  /// Whether it was approved.
  public let isApproved: Bool

  /// What the product is called, or its identifier where it has no name.
  public var displayName: String { text?.name ?? identifier }

  /// What it costs, as its storefront writes it: `$0.99`.
  public var displayPrice: String { price.text }
}
