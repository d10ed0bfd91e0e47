import PriceTag
import PriceTagStrings
import PriceTagText

/// The response to a `ProductsRequest`: the products, and the invalid product identifiers. It corresponds to StoreKit's
/// `SKProductsResponse`.
public struct ProductsResponse: Sendable {
  /// The products, in the order of the request, or in store order if all were requested.
  public internal(set) var products: [Product]
  /// The requested identifiers whose products cannot be shown, each with the reason.
  public let invalidProductIdentifiers: [InvalidProductIdentifier]
  /// Whether the shopper can make payments. If not, a store shows `paymentsNotice` instead of its products.
  public let canMakePayments: Bool
  /// A notice in the language of the UI strings for a shopper who cannot make payments; otherwise `nil`.
  public let paymentsNotice: PaymentsNotice?
  /// The storefront of the prices.
  public let storefront: Storefront
  /// The language of the UI strings: the shopper's, or the store's default language if there are no strings in the shopper's.
  public let language: UILanguage
  /// The shopper's language.
  public let requestedLanguage: UILanguage
  /// The date of the prices.
  public let date: CalendarDate
  /// The revision of the catalog.
  public let revision: Int

  /// A notice for a shopper who cannot make payments.
  public struct PaymentsNotice: Sendable {
    /// `The store is unavailable`.
    public let title: FormattedMessage
    /// `Payments are not allowed for this account or on this device.`
    public let reason: FormattedMessage
  }
}

/// A requested product identifier whose product cannot be shown, and the reason.
public struct InvalidProductIdentifier: Hashable, Sendable, CustomStringConvertible {
  /// The reason why a product cannot be shown.
  public enum Reason: String, Hashable, Sendable, CaseIterable, Codable {
    /// The identifier is malformed.
    case malformed
    /// The catalog has no such product.
    case unknown
    /// The product is not approved.
    case notApproved = "not-approved"
    /// The product is not cleared for sale in the storefront.
    case notClearedForSale = "not-cleared-for-sale"
    /// The product has no price in the storefront on the date.
    case noPrice = "no-price"
    /// The product is a subscription without a subscription period.
    case noPeriod = "no-period"
    /// The price or unit price has more decimals than the storefront displays, and no rounding mode is named; or the
    /// unit price rounds to zero.
    case notDisplayable = "not-displayable"

    /// Whether the reason is a decision of the shop: its approval or clearance. Every other reason is an error in the
    /// catalog or the request.
    public var isIntended: Bool {
      switch self {
      case .notApproved, .notClearedForSale: true
      case .malformed, .unknown, .noPrice, .noPeriod, .notDisplayable: false
      }
    }
  }

  /// The identifier, as requested.
  public let productIdentifier: String
  /// The reason why the product cannot be shown.
  public let reason: Reason
  /// The reason and a fix, for people.
  public let message: String

  /// The identifier and the message, on one line.
  public var description: String { "\(quoted(productIdentifier)): \(message)" }
}
