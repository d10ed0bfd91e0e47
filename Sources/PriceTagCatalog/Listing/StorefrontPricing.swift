import PriceTag
import PriceTagText

/// What products cost in one storefront, as it writes it: all of a listing that no language changes.
final class StorefrontPricing {
  let storefront: Storefront
  let storefrontID: String
  /// The number of the storefront among those asked for.
  let index: Int
  private let date: CalendarDate
  private let style: PriceStyle
  /// The code of the currency that is charged on the day.
  private let charged: String
  /// Writes the day's prices in the storefront's own locale.
  private var usual: PriceFormatter?
  /// By locale and currency.
  private var formatters: [String: PriceFormatter] = [:]

  init(_ storefront: Storefront, index: Int, on date: CalendarDate, _ style: PriceStyle) {
    (self.storefront, self.index, self.date, self.style) = (storefront, index, date, style)
    storefrontID = storefront.id
    charged = storefront.currency(on: date).code
  }

  /// What a product costs.
  struct Cost {
    let price: FormattedPrice
    let tier: String?
    let beforeReduction: FormattedPrice?
    let scheduled: Product.ScheduledPrice?
    let offers: [Offer]
  }

  /// An offer that is made here on the day.
  struct Offer {
    let facts: OfferFacts
    let price: FormattedPrice?
  }

  /// Why a product cannot be shown.
  struct Refusal: Error {
    let reason: InvalidProductIdentifier.Reason
    let message: String

    func about(_ identifier: String) -> InvalidProductIdentifier {
      InvalidProductIdentifier(productIdentifier: identifier, reason: reason, message: message)
    }
  }

  func cost(of facts: ProductFacts) -> Result<Cost, Refusal> {
    guard facts.clearedForSale.contains(storefrontID) else {
      return refused(
        .notClearedForSale,
        "the product is not cleared for sale in \(storefrontID): clear it, or leave it out there"
      )
    }
    // A price that says nothing of its period would be taken for all there is to pay.
    if facts.kind == .autoRenewable, facts.subscriptionPeriod == nil {
      return refused(
        .noPeriod,
        "the product is a subscription, and no source says what a payment pays for: import its period"
      )
    }
    let amount: Amount
    let tier: String?
    switch facts.schedule.answer(in: index, on: date, charging: charged) {
    case .price(let found, let foundTier): (amount, tier) = (found, foundTier)
    case .none(let gap):
      return refused(
        .noPrice,
        "the product has no price in \(storefrontID) on \(date), for \(reason(of: gap)): import one"
      )
    }
    let locale = facts.priceLocales.isEmpty ? nil : facts.priceLocales[storefrontID]
    let price: FormattedPrice
    do throws(PriceTagError) { price = try formatter(locale, on: date).format(amount) } catch {
      return refused(.notDisplayable, "\(error)")
    }
    return .success(
      Cost(
        price: price,
        tier: tier,
        beforeReduction: beforeReduction(facts.schedule, locale),
        scheduled: scheduled(facts.schedule, locale),
        // What an offer leads to is the subscription's price of a period.
        offers: facts.offers.isEmpty || facts.subscriptionPeriod == nil ? [] : offers(facts.offers, locale)
      )
    )
  }

  private func refused(
    _ reason: InvalidProductIdentifier.Reason,
    _ message: String
  ) -> Result<Cost, Refusal> {
    .failure(Refusal(reason: reason, message: message))
  }

  private func reason(of gap: PriceSchedule.Gap) -> String {
    switch gap {
    case .startsOn(let day): "its first price there is of \(day)"
    case .hasEnded: "its last price there has ended"
    case .isMissing: "it has none there"
    case .unknownTier(let tier): "the catalogue has no tier \(quoted(tier))"
    case .isMissingInTier(let tier): "its tier \(quoted(tier)) has none there"
    case .isInAnotherCurrency(let currency):
      "its price is in \(currency), and \(storefrontID) charges \(charged) then"
    }
  }

  private func scheduled(_ schedule: PriceSchedule, _ locale: PriceLocale?) -> Product.ScheduledPrice? {
    let change = schedule.change(in: index, after: date) { storefront.currency(on: $0).code }
    // One that cannot be displayed is told on its day.
    guard let (firstDay, amount) = change,
      let price = try? formatter(locale, on: firstDay).format(amount)
    else { return nil }
    return Product.ScheduledPrice(firstDay: firstDay, price: price)
  }

  private func beforeReduction(_ schedule: PriceSchedule, _ locale: PriceLocale?) -> FormattedPrice? {
    let amount = schedule.amountBeforeReduction(in: index, on: date) { storefront.currency(on: $0).code }
    return amount.flatMap { try? formatter(locale, on: date).format($0) }
  }

  private func offers(_ offers: [OfferFacts], _ locale: PriceLocale?) -> [Offer] {
    offers.compactMap { facts in
      guard facts.clearedForSale.contains(storefrontID), facts.days.contains(date) else { return nil }
      guard let schedule = facts.schedule else { return Offer(facts: facts, price: nil) }
      // An offer without a price here is not offered here.
      guard case .price(let amount, _) = schedule.answer(in: index, on: date, charging: charged),
        let price = try? formatter(locale, on: date).format(amount)
      else { return nil }
      return Offer(facts: facts, price: price)
    }
  }

  private func formatter(_ locale: PriceLocale?, on day: CalendarDate) throws(PriceTagError) -> PriceFormatter
  {
    if locale == nil, day == date, let usual { return usual }
    let key = "\(locale?.identifier ?? "") \(storefront.currency(on: day))"
    if let known = formatters[key] { return known }
    let formatter = try PriceFormatter(storefront: storefront, locale: locale, on: day, style: style)
    formatters[key] = formatter
    if locale == nil, day == date { usual = formatter }
    return formatter
  }
}
