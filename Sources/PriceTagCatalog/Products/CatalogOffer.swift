import PriceTag

/// An offer of a subscription, as a catalogue keeps it: what somebody pays at first, or for coming back.
public struct CatalogOffer: Hashable, Sendable {
  /// Who gets it: StoreKit's offer types.
  public enum Kind: String, Hashable, Sendable, CaseIterable, Codable {
    /// Somebody who never had the subscription's group.
    case introductory
    /// Whom the shop gives it to.
    case promotional
    /// Who has a code.
    case code
    /// Somebody who had the subscription once.
    case winBack = "win-back"
  }

  /// How it is paid: StoreKit's payment modes.
  public enum PaymentMode: String, Hashable, Sendable, CaseIterable, Codable {
    /// Not at all.
    case freeTrial = "free-trial"
    /// A price each period.
    case payAsYouGo = "pay-as-you-go"
    /// One price for all of it.
    case payUpFront = "pay-up-front"
  }

  /// Who gets it.
  public let kind: Kind
  /// What the shop calls it; an introductory offer may have none.
  public let identifier: String?
  /// How it is paid.
  public let paymentMode: PaymentMode
  /// What a payment pays for; of a free trial and of one payment up front, all of it.
  public let period: SubscriptionPeriod
  /// How many periods it lasts: 1 but where one pays as one goes.
  public let periodCount: Int
  /// The storefronts it is offered in.
  public var clearedForSale: Clearance
  /// The days it is offered.
  public var days: Days
  /// What a payment costs; of a free trial, nothing.
  public var prices: PriceTable
  /// The tiers that give a price where `prices` has none.
  public var tiers: [TierPeriod]

  /// An offer of its parts.
  ///
  /// - Throws: `.invalidField` where the count is outside 1...999, or is another one than 1 for an offer that is not
  ///   paid as one goes.
  public init(
    _ kind: Kind,
    identifier: String? = nil,
    paymentMode: PaymentMode,
    period: SubscriptionPeriod,
    periodCount: Int = 1,
    clearedForSale: Clearance = .everywhere,
    days: Days = .always,
    prices: PriceTable = PriceTable(),
    tiers: [TierPeriod] = []
  ) throws(CatalogError) {
    guard (1...999).contains(periodCount), paymentMode == .payAsYouGo || periodCount == 1 else {
      throw CatalogError(
        .invalidField,
        "\(periodCount) periods of an offer that is \(paymentMode.rawValue)",
        fix: paymentMode == .payAsYouGo ? "give 1 to 999" : "give one period of the whole length"
      )
    }
    (self.kind, self.identifier, self.paymentMode) = (kind, identifier, paymentMode)
    (self.period, self.periodCount) = (period, periodCount)
    (self.clearedForSale, self.days, self.prices, self.tiers) = (clearedForSale, days, prices, tiers)
  }
}
