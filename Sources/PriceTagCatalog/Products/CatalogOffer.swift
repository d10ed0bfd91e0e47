import PriceTag

/// An offer of a subscription in a catalog: a discount for new, existing or returning subscribers.
public struct CatalogOffer: Hashable, Sendable {
  /// The customers for whom the offer is intended: StoreKit's offer types.
  public enum Kind: String, Hashable, Sendable, CaseIterable, Codable {
    /// Customers who never subscribed in the subscription group.
    case introductory
    /// Customers whom the shop selects.
    case promotional
    /// Customers with an offer code.
    case code
    /// Customers whose subscription has ended.
    case winBack = "win-back"
  }

  /// How the offer is paid: StoreKit's payment modes.
  public enum PaymentMode: String, Hashable, Sendable, CaseIterable, Codable {
    /// The offer is free.
    case freeTrial = "free-trial"
    /// The customer pays in each period.
    case payAsYouGo = "pay-as-you-go"
    /// The customer pays once for the complete offer.
    case payUpFront = "pay-up-front"
  }

  /// The customers for whom the offer is intended.
  public let kind: Kind
  /// The identifier of the offer; an introductory offer may have none.
  public let identifier: String?
  /// How the offer is paid.
  public let paymentMode: PaymentMode
  /// The period of one payment. For a free trial and a payment up front, the length of the complete offer.
  public let period: SubscriptionPeriod
  /// The number of periods; always 1 unless the offer is pay-as-you-go.
  public let periodCount: Int
  /// The storefronts that have the offer.
  public var clearedForSale: Clearance
  /// The dates on which the offer is available.
  public var days: DateRange
  /// The prices of one payment; empty for a free trial.
  public var prices: PriceTable
  /// The tiers that give the price in storefronts where `prices` has none.
  public var tiers: [TierPeriod]

  /// Creates an offer.
  ///
  /// - Throws: `.invalidField` if the period count is outside 1...999, or if it is not 1 although the offer is not
  ///   pay-as-you-go.
  public init(
    _ kind: Kind,
    identifier: String? = nil,
    paymentMode: PaymentMode,
    period: SubscriptionPeriod,
    periodCount: Int = 1,
    clearedForSale: Clearance = .everywhere,
    days: DateRange = .always,
    prices: PriceTable = PriceTable(),
    tiers: [TierPeriod] = []
  ) throws(CatalogError) {
    guard (1...999).contains(periodCount), paymentMode == .payAsYouGo || periodCount == 1 else {
      throw CatalogError(
        .invalidField,
        "an offer with the payment mode \(paymentMode.rawValue) cannot have \(periodCount) periods",
        fix: paymentMode == .payAsYouGo ? "use 1 to 999" : "use one period of the complete length"
      )
    }
    (self.kind, self.identifier, self.paymentMode) = (kind, identifier, paymentMode)
    (self.period, self.periodCount) = (period, periodCount)
    (self.clearedForSale, self.days, self.prices, self.tiers) = (clearedForSale, days, prices, tiers)
  }
}
