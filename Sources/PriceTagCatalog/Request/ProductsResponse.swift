import PriceTag
import PriceTagStrings
import PriceTagText

/// What a catalogue answers: the products that can be shown, and the identifiers that nothing can be shown for.
public struct ProductsResponse: Sendable {
  /// The products, in the order of the request, or of the catalogue where all were asked for.
  public let products: [Product]
  /// The identifiers that nothing can be shown for, each with its reason.
  public let invalidProductIdentifiers: [InvalidProductIdentifier]
  /// Whether the reader may pay. Where not, a store shows `paymentsNotice` in place of itself.
  public let canMakePayments: Bool
  /// What a store tells a reader who may not pay: a title and its reason, in the reader's language; `nil` for one who
  /// may.
  public let paymentsNotice: PaymentsNotice?
  /// Whose prices they are.
  public let storefront: Storefront
  /// The reader's language.
  public let language: UILanguage
  /// The day that the prices are those of.
  public let date: CalendarDate
  /// The catalogue's revision that answered.
  public let revision: Int

  /// What a store tells a reader who may not pay.
  public struct PaymentsNotice: Sendable {
    /// `The store is not available`.
    public let title: FormattedMessage
    /// `Payments are not allowed for this account or on this device.`
    public let reason: FormattedMessage
  }
}

/// An identifier that a store asked for and that nothing can be shown for.
public struct InvalidProductIdentifier: Hashable, Sendable, CustomStringConvertible {
  /// Why nothing can be shown.
  public enum Reason: String, Hashable, Sendable, CaseIterable, Codable {
    /// No product can have such an identifier.
    case malformed
    /// The catalogue has no such product.
    case unknown
    /// The product was not approved.
    case notApproved = "not-approved"
    /// The product is not cleared for sale in this storefront.
    case notClearedForSale = "not-cleared-for-sale"
    /// The product has no price here on this day.
    case noPrice = "no-price"
    /// The product is a subscription, and no source says what a payment pays for.
    case noPeriod = "no-period"
    /// The product's price has digits that the storefront does not display, and no rounding was asked for.
    case notDisplayable = "not-displayable"

    /// Whether the shop has decided so, by its approval and its clearance; any other reason is a mistake in a catalogue
    /// or in a request.
    public var isIntended: Bool {
      switch self {
      case .notApproved, .notClearedForSale: true
      case .malformed, .unknown, .noPrice, .noPeriod, .notDisplayable: false
      }
    }
  }

  /// The identifier, as it was asked for.
  public let productIdentifier: String
  /// Why nothing can be shown.
  public let reason: Reason
  /// The same for people, with what can be done.
  public let message: String

  /// One line: the identifier and why.
  public var description: String { "\(quoted(productIdentifier)): \(message)" }
}
