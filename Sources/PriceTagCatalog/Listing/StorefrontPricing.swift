import PriceTag
import PriceTagText

/// Prices products in one storefront: computes the part of a listing that does not depend on the language.
final class StorefrontPricing {
  let storefront: Storefront
  let storefrontID: String
  /// The index of the storefront in the request.
  let index: Int
  private let date: CalendarDate
  private let style: PriceStyle
  /// The style of unit prices; `nil` for no unit prices.
  private let unitPriceStyle: PriceStyle?
  /// The code of the currency that the storefront charges on the date.
  private let currencyCode: String
  /// The formatter for the date's currency and the storefront's own price locale.
  @exclusivity(unchecked) private var defaultFormatter: PriceFormatter?
  /// The formatters of prices and unit prices, by locale and currency.
  private var formatters: [String: PriceFormatter] = [:]
  private let storedFormatters: StoredFormatters

  init(
    _ storefront: Storefront,
    index: Int,
    on date: CalendarDate,
    _ style: PriceStyle,
    unitPriceRounding: RoundingMode?,
    _ storedFormatters: StoredFormatters
  ) {
    (self.storefront, self.index, self.date, self.style) = (storefront, index, date, style)
    self.storedFormatters = storedFormatters
    unitPriceStyle = unitPriceRounding.map { rounding in
      var unitPriceStyle = style
      unitPriceStyle.rounding = rounding
      // A unit price is a figure of its own, and a compact notation has no unit prices.
      unitPriceStyle.notation = .standard
      return unitPriceStyle
    }
    storefrontID = storefront.id
    currencyCode = storefront.currency(on: date).code
  }

  /// The formatted prices and offers of a product.
  struct PricedProduct {
    let price: FormattedPrice
    /// The price per the unit of reference.
    let unitPrice: FormattedPrice?
    let tier: String?
    let beforeReduction: FormattedPrice?
    /// Whether the price was reduced, but the history does not have the 30 days before.
    let isReductionUnknown: Bool
    let scheduled: Product.ScheduledPrice?
    let lastDay: CalendarDate?
    let offers: [Offer]
  }

  /// An offer that is available in the storefront on the date.
  struct Offer {
    let record: OfferRecord
    /// The prices of the phases; `nil` for a free trial.
    let prices: [FormattedPrice?]
  }

  /// The reason why a product cannot be shown.
  struct Unavailability: Error {
    let reason: InvalidProductIdentifier.Reason
    let message: String

    func invalidIdentifier(_ identifier: String) -> InvalidProductIdentifier {
      InvalidProductIdentifier(productIdentifier: identifier, reason: reason, message: message)
    }
  }

  /// The price of a product without what belongs to it.
  private struct BasicPrice {
    let price: FormattedPrice
    let unitPrice: FormattedPrice?
    let custom: Currency?
    let tier: String?
  }

  /// Returns the reason why a product cannot be shown; `nil` if it can.
  ///
  /// It is the reason of `price(_:)`, unless a pack formats the prices: the pack may lack what an offer or an earlier price needs.
  ///
  /// - Parameters:
  ///   - terms: The product's terms.
  ///   - schedule: The product's prices.
  ///   - locale: The price locale that replaces the storefront's own.
  func unavailability(
    of terms: SaleTerms,
    _ schedule: PriceSchedule,
    _ locale: PriceLocale?
  ) -> Unavailability? {
    if case .failure(let unavailability) = basicPrice(terms, schedule, locale) { unavailability } else { nil }
  }

  /// Returns the formatted prices of a product, or the reason why it cannot be shown.
  func price(_ record: ProductRecord) -> Result<PricedProduct, Unavailability> {
    let basic: BasicPrice
    let locale = record.priceLocales.isEmpty ? nil : record.priceLocales[storefrontID]
    switch basicPrice(record.terms, record.schedule, locale) {
    case .success(let found): basic = found
    case .failure(let unavailability): return .failure(unavailability)
    }
    do throws(PriceTagError) {
      // The text of an offer includes the regular price per period.
      let reduction = record.schedule.reduction(in: index, on: date) { storefront.currency(on: $0).code }
      let hasOffers = !record.offers.isEmpty && record.terms.subscriptionPeriod != nil
      return .success(
        PricedProduct(
          price: basic.price,
          unitPrice: basic.unitPrice,
          tier: basic.tier,
          beforeReduction: try beforeReduction(reduction, basic.custom, locale),
          isReductionUnknown: reduction == .unknown,
          scheduled: try scheduled(record.schedule, locale),
          lastDay: record.schedule.lastDay(in: index, on: date) { storefront.currency(on: $0).code },
          offers: hasOffers ? try offers(record.offers, locale) : []
        )
      )
    } catch { return .failure(Unavailability(reason: .notDisplayable, message: "\(error)")) }
  }

  /// Returns the price of a product, and its formatter, if a row shows nothing else of the product; `nil` for other products,
  /// and for those that cannot be shown.
  func priceAlone(_ record: ProductRecord) -> (amount: Amount, formatter: PriceFormatter)? {
    guard record.terms.clearedForSale.contains(storefrontID),
      record.terms.content == nil || unitPriceStyle == nil,
      case .price(let amount, let custom, _) = record.schedule.price(
        in: index,
        on: date,
        currency: currencyCode
      )
    else { return nil }
    let locale = record.priceLocales.isEmpty ? nil : record.priceLocales[storefrontID]
    // A pack may lack what an earlier or later price needs, which makes the product unavailable.
    guard let formatter = try? formatter(locale, custom, on: date), !formatter.isPinned else { return nil }
    return (amount, formatter)
  }

  private func basicPrice(
    _ terms: SaleTerms,
    _ schedule: PriceSchedule,
    _ locale: PriceLocale?
  ) -> Result<BasicPrice, Unavailability> {
    guard terms.clearedForSale.contains(storefrontID) else {
      return unavailable(
        .notClearedForSale,
        "the product is not cleared for sale in \(storefrontID); clear it there, or do not request it"
      )
    }
    // Without its billing period, the price would look like a single payment.
    if terms.kind == .autoRenewable, terms.subscriptionPeriod == nil {
      return unavailable(.noPeriod, "the subscription has no period; import its period")
    }
    let amount: Amount
    let custom: Currency?
    let tier: String?
    switch schedule.price(in: index, on: date, currency: currencyCode) {
    case .price(let found, let foundCustom, let foundTier):
      (amount, custom, tier) = (found, foundCustom, foundTier)
    case .missing(let reason):
      return unavailable(
        .noPrice,
        "the product has no price in \(storefrontID) on \(date): \(description(of: reason)); \(fix(for: reason))"
      )
    }
    let price: FormattedPrice
    do throws(PriceTagError) {
      price = try formatter(locale, custom, on: date).format(amount)
    } catch { return unavailable(.notDisplayable, "\(error)") }
    // Where a unit price is required, the price must not be shown without it.
    let unitPrice: FormattedPrice?
    do throws(PriceTagError) {
      unitPrice = try self.unitPrice(amount, custom, terms, locale)
    } catch { return unavailable(.notDisplayable, "unit price: \(error)") }
    return .success(BasicPrice(price: price, unitPrice: unitPrice, custom: custom, tier: tier))
  }

  private func unavailable(
    _ reason: InvalidProductIdentifier.Reason,
    _ message: String
  ) -> Result<BasicPrice, Unavailability> {
    .failure(Unavailability(reason: reason, message: message))
  }

  private func description(of reason: PriceSchedule.MissingReason) -> String {
    switch reason {
    case .startsOn(let date): "its next price starts on \(date)"
    case .hasEnded: "its last price has ended"
    case .isMissing: "no price was imported"
    case .unknownTier(let tier): "the catalog has no tier \(quoted(tier))"
    case .isMissingInTier(let tier): "its tier \(quoted(tier)) has no price there"
    case .isInAnotherCurrency(let currency, _):
      "its price is in \(currency), but the storefront charges \(currencyCode)"
    }
  }

  private func fix(for reason: PriceSchedule.MissingReason) -> String {
    if case .isInAnotherCurrency(let currency, isCustom: true) = reason {
      return "add the storefront to those of \(currency) in custom-currencies.json"
    }
    return "import one"
  }

  private func scheduled(
    _ schedule: PriceSchedule,
    _ locale: PriceLocale?
  ) throws(PriceTagError) -> Product.ScheduledPrice? {
    let change = schedule.change(in: index, after: date) { storefront.currency(on: $0).code }
    // A scheduled price that cannot be formatted is omitted. It is reported once it applies.
    guard let (firstDay, amount, custom) = change,
      let price = try optionalPrice(amount, locale, custom, on: firstDay)
    else { return nil }
    return Product.ScheduledPrice(firstDay: firstDay, price: price)
  }

  /// Returns a price that is omitted if it cannot be formatted.
  ///
  /// - Throws: The error of a price that the pack of the prices does not have, because a pack can be completed.
  private func optionalPrice(
    _ amount: Amount,
    _ locale: PriceLocale?,
    _ custom: Currency?,
    on day: CalendarDate
  ) throws(PriceTagError) -> FormattedPrice? {
    do throws(PriceTagError) {
      return try formatter(locale, custom, on: day).format(amount)
    } catch {
      guard error.code != .missingFromPack, error.code != .packMismatch else { throw error }
      return nil
    }
  }

  private func beforeReduction(
    _ reduction: PriceSchedule.Reduction,
    _ custom: Currency?,
    _ locale: PriceLocale?
  ) throws(PriceTagError) -> FormattedPrice? {
    guard case .from(let amount) = reduction else { return nil }
    return try optionalPrice(amount, locale, custom, on: date)
  }

  private func offers(_ offers: [OfferRecord], _ locale: PriceLocale?) throws(PriceTagError) -> [Offer] {
    var available: [Offer] = []
    for record in offers where record.clearedForSale.contains(storefrontID) && record.days.contains(date) {
      var prices: [FormattedPrice?] = []
      for phase in record.phases {
        guard let schedule = phase.schedule else {
          prices.append(nil)
          continue
        }
        // An offer that lacks a price in this storefront is not available there.
        guard
          case .price(let amount, let custom, _) = schedule.price(in: index, on: date, currency: currencyCode),
          let price = try optionalPrice(amount, locale, custom, on: date)
        else { break }
        prices.append(price)
      }
      if prices.count == record.phases.count { available.append(Offer(record: record, prices: prices)) }
    }
    return available
  }

  /// Returns the unit price of a product with a content, if unit prices are requested. A free product has none.
  private func unitPrice(
    _ amount: Amount,
    _ custom: Currency?,
    _ terms: SaleTerms,
    _ locale: PriceLocale?
  ) throws(PriceTagError) -> FormattedPrice? {
    guard let unitPriceStyle, let content = terms.content, amount != .zero else { return nil }
    let price = try formatter(locale, custom, on: date, unitPriceStyle: unitPriceStyle)
      .unitPrice(of: amount, content: content, per: terms.unitPriceReference)
    try price.formatter.checkSpokenForms()
    return price
  }

  /// Returns the formatter of prices or, with a style of unit prices, that of unit prices.
  private func formatter(
    _ locale: PriceLocale?,
    _ custom: Currency?,
    on day: CalendarDate,
    unitPriceStyle: PriceStyle? = nil
  ) throws(PriceTagError) -> PriceFormatter {
    let isDefault = unitPriceStyle == nil && locale == nil && custom == nil && day == date
    if isDefault, let defaultFormatter { return defaultFormatter }
    let prefix = unitPriceStyle == nil ? "" : "unit "
    let currency = custom ?? storefront.currency(on: day)
    let key = "\(prefix)\(locale?.identifier ?? "") \(currency)"
    if let cached = formatters[key] { return cached }
    let style = unitPriceStyle ?? style
    let storedKey = StoredFormatters.Key(
      storefront: storefront,
      locale: locale,
      currency: currency.identity,
      date: day,
      style: style
    )
    let formatter = try storedFormatters.formatter(storedKey) { () throws(PriceTagError) in
      let formatter = try PriceFormatter(
        storefront: storefront,
        locale: locale,
        currency: custom,
        on: day,
        style: style
      )
      // Every listing has a spoken form.
      try formatter.checkSpokenForms()
      return formatter
    }
    formatters[key] = formatter
    if isDefault { defaultFormatter = formatter }
    return formatter
  }
}
