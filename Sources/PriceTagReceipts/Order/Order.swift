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

    /// Creates a tax.
    public init(_ amount: Amount, isIncluded: Bool) {
      (self.amount, self.isIncluded) = (amount, isIncluded)
    }
  }

  /// A product, its quantity and its price.
  public struct Line: Hashable, Sendable {
    /// The identifier of the product in the catalog.
    public var productIdentifier: String?
    /// The name of the product; `nil` for the catalog's name, or else the identifier.
    public var name: String?
    /// The number of items, which is negative if they were returned. It is not zero.
    public var quantity: Int
    /// The price of one item.
    public var unitPrice: Amount
    /// The discount on the complete line. It has the sign of the line, and is not larger.
    public var discount: Amount
    /// The tax on the complete line.
    public var tax: Tax?
    /// The total that the source of the order states for the line; `nil` if it states none.
    public var total: Amount?
    /// The kind of offer that gave the price; `nil` for the regular price.
    public var offer: CatalogOffer.Kind?

    /// Creates a line.
    public init(
      productIdentifier: String? = nil,
      name: String? = nil,
      quantity: Int = 1,
      unitPrice: Amount,
      discount: Amount = .zero,
      tax: Tax? = nil,
      total: Amount? = nil,
      offer: CatalogOffer.Kind? = nil
    ) {
      (self.productIdentifier, self.name, self.quantity) = (productIdentifier, name, quantity)
      (self.unitPrice, self.discount, self.tax) = (unitPrice, discount, tax)
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
    /// The tax on the amount.
    public var tax: Tax?

    /// Creates a charge.
    public init(_ amount: Amount, tax: Tax? = nil) {
      (self.amount, self.tax) = (amount, tax)
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
  /// The tax on the complete order, beside that of lines and shipping.
  public var tax: Tax?
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
    (lines, discounts, hasStoreTax, allowsAnyCurrency) = ([], [], false, false)
  }
}
