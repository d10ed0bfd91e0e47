import PriceTag
import PriceTagCatalog
import PriceTagStrings

/// An order: what was bought in a storefront on a date, and what was charged for it.
///
///     var order = Order(storefront: try Storefront("USA"), date: try CalendarDate("2026-11-23"), charged: "9.98")
///     order.lines = [Order.Line(productIdentifier: "com.example.level1", quantity: 2, unitPrice: "4.99")]
///
/// Amounts are exact decimals in the currency of the order. ``Receipt`` checks that they add up.
public struct Order: Sendable {
  /// What became of the payment.
  public enum State: String, Hashable, Sendable, CaseIterable, Codable {
    /// The payment was received.
    case paid
    /// The payment is not yet confirmed.
    case pending
    /// The complete payment was returned.
    case refunded
    /// A part of the payment was returned.
    case partiallyRefunded = "partially-refunded"
    /// The products were taken back without a refund.
    case revoked
    /// A test of the shop, such as in the App Store's sandbox, and was not paid.
    case test
  }

  /// A tax, and whether the prices include it.
  public struct Tax: Hashable, Sendable {
    /// The amount of the tax.
    public var amount: Amount
    /// Whether the price includes the tax. Otherwise, it is added to the price.
    public var isIncluded: Bool
    /// The name, such as `QST`; `nil` for the usual name of the storefront's tax.
    public var name: String?
    /// The rate in percent; `nil` if the order does not state it. The amount is not calculated from it.
    public var rate: Amount?
    /// Whether only the amount is known. A single such tax is the field `tax` of the order's JSON.
    var isPlain: Bool { name == nil && rate == nil }

    /// Creates a tax.
    ///
    ///     Order.Tax("1.90", isIncluded: true, rate: 19)
    public init(_ amount: Amount, isIncluded: Bool, name: String? = nil, rate: Amount? = nil) {
      (self.amount, self.isIncluded, self.name, self.rate) = (amount, isIncluded, name, rate)
    }
  }

  /// A product, its quantity and its price.
  public struct Line: Hashable, Sendable {
    /// The identifier of the product in the catalog.
    public var productIdentifier: String?
    /// The name of the product; `nil` for the catalog's name, or else the identifier.
    public var name: String?
    /// The quantity, such as 2 items or 2.5 hours, which is negative for a return. It is not zero.
    public var quantity: Amount
    /// The price of one item; `nil` if the line has only a subtotal, which the quantity does not divide exactly.
    public var unitPrice: Amount?
    /// The subtotal that the source of the order states for the line; `nil` for the quantity times the price of one item.
    public var subtotal: Amount?
    /// The discount on the complete line. It has the sign of the line, and is not larger.
    public var discount: Amount
    /// The taxes on the complete line.
    public var taxes: [Tax]
    /// The total that the source of the order states for the line; `nil` if it states none.
    public var total: Amount?
    /// The kind of offer that gave the price; `nil` for the regular price.
    public var offer: CatalogOffer.Kind?

    /// Creates a line.
    public init(
      productIdentifier: String? = nil,
      name: String? = nil,
      quantity: Amount = 1,
      unitPrice: Amount?,
      subtotal: Amount? = nil,
      discount: Amount = .zero,
      taxes: [Tax] = [],
      total: Amount? = nil,
      offer: CatalogOffer.Kind? = nil
    ) {
      (self.productIdentifier, self.name, self.quantity) = (productIdentifier, name, quantity)
      (self.unitPrice, self.subtotal, self.discount, self.taxes) = (unitPrice, subtotal, discount, taxes)
      (self.total, self.offer) = (total, offer)
    }
  }

  /// A discount on the complete order.
  public struct Discount: Hashable, Sendable {
    /// The name, such as that of a coupon; `nil` if it has none.
    public var name: String?
    /// The amount, which is subtracted.
    public var amount: Amount

    /// Creates a discount.
    public init(_ amount: Amount, name: String? = nil) {
      (self.amount, self.name) = (amount, name)
    }
  }

  /// A charge for the complete order: shipping.
  public struct Shipping: Hashable, Sendable {
    /// The amount, after discounts.
    public var amount: Amount
    /// The taxes on the amount.
    public var taxes: [Tax]

    /// Creates a charge.
    public init(_ amount: Amount, taxes: [Tax] = []) {
      (self.amount, self.taxes) = (amount, taxes)
    }
  }

  /// The number of the order, or the identifier of the transaction.
  public var identifier: String?
  /// The name of the seller.
  public var seller: String?
  /// The name or address of the buyer.
  public var buyer: String?
  /// The storefront, which determines how amounts are written.
  public var storefront: Storefront
  /// The buyer's country (ISO 3166-1 alpha-2) if its storefront is another one, by `LocaleData.storefront(forBuyerIn:)` or an
  /// option; `nil` otherwise. The storefront's tax is then not the buyer's, so its names and labels do not apply.
  public var country: String?
  /// The date, which determines the storefront's currency and the catalog's prices.
  public var date: CalendarDate
  /// The buyer's language; `nil` for the default language of the storefront.
  public var language: UILanguage?
  /// The currency; `nil` for the storefront's currency on the date.
  public var currency: Currency?
  /// The lines.
  public var lines: [Line]
  /// The discounts on the complete order.
  public var discounts: [Discount]
  /// Whether the first discount is the field `discount` of the order's JSON, and not an item of `discounts`.
  var hasDiscountField = false
  /// The shipping.
  public var shipping: Shipping?
  /// The taxes on the complete order, beside those of lines and shipping.
  public var taxes: [Tax]
  /// The subtotal that the source of the order states; `nil` if it states none.
  public var subtotal: Amount?
  /// The amount that was charged.
  public var charged: Amount
  /// What became of the payment.
  public var state: State
  /// The amount that was returned; `nil` if nothing was, or if the amount is not known.
  public var refunded: Amount?
  /// Whether the storefront's label about tax (`incl. VAT`, `plus tax`) applies, because the store collects the tax and
  /// the order does not state it.
  public var hasStoreTax: Bool
  /// Whether the currency may be one that the storefront does not charge, because the seller's own checkout chose it, as at
  /// Stripe. Amounts are then written in the storefront's price locale.
  public var allowsAnyCurrency: Bool

  /// Creates an order without lines.
  public init(
    storefront: Storefront,
    date: CalendarDate,
    charged: Amount,
    state: State = .paid
  ) {
    (self.storefront, self.date, self.charged, self.state) = (storefront, date, charged, state)
    (lines, discounts, taxes, hasStoreTax, allowsAnyCurrency) = ([], [], [], false, false)
  }
}
