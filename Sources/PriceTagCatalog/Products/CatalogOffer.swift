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

  /// A phase of an offer after the first one, such as months at a reduced price after a free trial.
  public struct Phase: Hashable, Sendable {
    /// How the phase is paid.
    public let paymentMode: PaymentMode
    /// The period of one payment. For a free trial and a payment up front, the length of the complete phase.
    public let period: SubscriptionPeriod
    /// The number of periods; always 1 unless the phase is pay-as-you-go.
    public let periodCount: Int
    /// The prices of one payment; empty for a free trial.
    public var prices: PriceTable
    /// The tiers that give the price in storefronts where `prices` has none.
    public var tiers: [TierPeriod]

    /// Creates a phase.
    ///
    /// - Throws: `.invalidField` if the period count is outside 1...999, or if it is not 1 although the phase is not
    ///   pay-as-you-go.
    public init(
      _ paymentMode: PaymentMode,
      period: SubscriptionPeriod,
      periodCount: Int = 1,
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
      (self.paymentMode, self.period, self.periodCount) = (paymentMode, period, periodCount)
      (self.prices, self.tiers) = (prices, tiers)
    }
  }

  /// The customers for whom the offer is intended.
  public let kind: Kind
  /// The identifier of the offer; an introductory offer may have none.
  public let identifier: String?
  /// The storefronts that have the offer.
  public var clearedForSale: Clearance
  /// The dates on which the offer is available.
  public var days: DateRange
  /// The first phase, which the properties from `paymentMode` to `tiers` describe.
  package private(set) var first: Phase
  /// The phases after the first one, in order.
  public var laterPhases: [Phase]

  /// How the offer is paid.
  public var paymentMode: PaymentMode { first.paymentMode }
  /// The period of one payment. For a free trial and a payment up front, the length of the complete offer.
  public var period: SubscriptionPeriod { first.period }
  /// The number of periods; always 1 unless the offer is pay-as-you-go.
  public var periodCount: Int { first.periodCount }
  /// The prices of one payment; empty for a free trial.
  public var prices: PriceTable {
    get { first.prices }
    set { first.prices = newValue }
  }
  /// The tiers that give the price in storefronts where `prices` has none.
  public var tiers: [TierPeriod] {
    get { first.tiers }
    set { first.tiers = newValue }
  }

  /// All phases, in order.
  package var phases: [Phase] { [first] + laterPhases }

  /// The largest number of phases.
  package static let maximumPhaseCount = 5

  /// Creates an offer.
  ///
  /// - Throws: `.invalidField` if the period count is outside 1...999, if it is not 1 although the offer is not
  ///   pay-as-you-go, or if there are more than 4 later phases.
  public init(
    _ kind: Kind,
    identifier: String? = nil,
    paymentMode: PaymentMode,
    period: SubscriptionPeriod,
    periodCount: Int = 1,
    clearedForSale: Clearance = .everywhere,
    days: DateRange = .always,
    prices: PriceTable = PriceTable(),
    tiers: [TierPeriod] = [],
    laterPhases: [Phase] = []
  ) throws(CatalogError) {
    let first = try Phase(paymentMode, period: period, periodCount: periodCount, prices: prices, tiers: tiers)
    try self.init(
      kind,
      identifier: identifier,
      phases: [first] + laterPhases,
      clearedForSale: clearedForSale,
      days: days
    )
  }

  /// Creates an offer of one to five phases.
  ///
  /// - Throws: `.invalidField` for another number of phases.
  package init(
    _ kind: Kind,
    identifier: String?,
    phases: [Phase],
    clearedForSale: Clearance = .everywhere,
    days: DateRange = .always
  ) throws(CatalogError) {
    guard let first = phases.first, phases.count <= Self.maximumPhaseCount else {
      throw CatalogError(
        .invalidField,
        "an offer with \(phases.count) phases is not supported",
        fix: "write an offer with 1 to \(Self.maximumPhaseCount) phases"
      )
    }
    (self.kind, self.identifier, self.first) = (kind, identifier, first)
    (self.clearedForSale, self.days) = (clearedForSale, days)
    laterPhases = Array(phases.dropFirst())
  }
}
