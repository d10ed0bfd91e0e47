import PriceTag

/// Checks the prices of a catalog against rules for their endings, one item at a time.
///
///     let rules = try PriceEndingRules(CatalogFile(path: "rules.json"))
///     let check = PriceEndingCheck(rules, storefronts: LocaleData.embedded.storefronts)
///     try catalog.forEachItem { item in try check.check(item) { finding in print(finding) } }
///
/// It checks every price that products, offers and tiers have in the storefronts, if the price applies on the date or
/// later, in a currency that the storefront charges then. Whether a product is approved or cleared for sale has no effect.
/// Free prices are always allowed.
///
/// Prices only change in the item that ``check(_:correcting:onFinding:)`` returns.
public final class PriceEndingCheck {
  /// The number of prices that were compared with a rule.
  public private(set) var checkedCount = 0
  /// The number of prices in currencies without a rule.
  public private(set) var uncheckedCount = 0
  /// The number of prices whose ending is not allowed.
  public private(set) var findingCount = 0
  /// The number of prices that were replaced in returned items.
  public private(set) var correctedCount = 0

  /// The identifiers of storefronts with findings that the registry's pack cannot write, in alphabetical order. These
  /// findings have the amount and the currency's code in place of the formatted price.
  public var unwrittenStorefronts: [String] { unwritten.sorted() }

  private var unwritten: Set<String> = []
  private let rules: PriceEndingRules
  private let storefronts: [String: Storefront]
  private let day: StoreDay
  private var formatters = BoundedCache<String, PriceFormatter?>(limit: 1000)

  /// Creates a check.
  ///
  /// - Parameters:
  ///   - rules: The rules.
  ///   - storefronts: The storefronts whose prices are checked.
  ///   - day: The day. Prices that ended before its date in their storefront are not checked.
  public init(_ rules: PriceEndingRules, storefronts: [Storefront], at day: StoreDay = .now) {
    (self.rules, self.day) = (rules, day)
    self.storefronts = Dictionary(storefronts.map { ($0.id, $0) }) { first, _ in first }
  }

  /// Checks the prices of an item.
  ///
  /// - Parameters:
  ///   - item: The item. Groups have no prices.
  ///   - direction: Which allowed amount replaces an amount that is not allowed; `nil` to replace none.
  ///   - onFinding: Called with each price whose ending is not allowed.
  /// - Returns: The item with the replaced prices. A price without an allowed amount in the direction stays.
  /// - Throws: `.tooManyDigits` if the default rule does not fit a currency; `.invalidField` if ICU cannot format prices.
  ///   A price that the pack of the registry does not have is checked like any other.
  @discardableResult
  public func check(
    _ item: ImportedItem,
    correcting direction: PriceEndingRule.Direction? = nil,
    onFinding: (PriceEndingFinding) -> Void
  ) throws(CatalogError) -> ImportedItem {
    switch item {
    case .group: return item
    case .tier(var tier):
      tier.prices = try check(tier.prices, .tier(tier.name), [:], direction, onFinding)
      return .tier(tier)
    case .product(var product):
      let (identifier, locales) = (product.identifier, product.priceLocales)
      product.prices = try check(product.prices, .product(identifier), locales, direction, onFinding)
      guard var offers = product.offers else { return .product(product) }
      for index in offers.indices {
        let offer = offers[index]
        let source = PriceEndingFinding.Source.offer(product: identifier, offer.kind, offer.identifier)
        offers[index].prices = try check(offer.prices, source, locales, direction, onFinding)
        for (phase, later) in offer.laterPhases.enumerated() {
          offers[index].laterPhases[phase].prices =
            try check(later.prices, source, locales, direction, onFinding)
        }
      }
      product.offers = offers
      return .product(product)
    }
  }

  private func check(
    _ table: PriceTable,
    _ source: PriceEndingFinding.Source,
    _ locales: [String: PriceLocale],
    _ direction: PriceEndingRule.Direction?,
    _ onFinding: (PriceEndingFinding) -> Void
  ) throws(CatalogError) -> PriceTable {
    var corrections: [Int: Amount] = [:]
    for (index, price) in table.prices.enumerated() {
      guard let storefront = storefronts[price.storefront], let day = try firstDay(of: price, in: storefront)
      else { continue }
      guard let entry = try rules.entry(for: price.currency) else {
        uncheckedCount += 1
        continue
      }
      checkedCount += 1
      if entry.rule.allows(price.amount) { continue }
      findingCount += 1
      let correction = direction.flatMap { entry.rule.corrected(price.amount, $0) }
      if let correction {
        corrections[index] = correction
        correctedCount += 1
      }
      let formatter = try formatter(storefront, locales[storefront.id], price.currency, on: day)
      onFinding(finding(source, price, entry, correction, formatter))
    }
    return table.replacingAmounts(corrections)
  }

  /// Returns the first day from the check's date on which the price applies and the storefront charges its currency,
  /// or `nil`.
  private func firstDay(of price: CatalogPrice, in storefront: Storefront) throws(CatalogError)
    -> CalendarDate?
  {
    let date = try withCatalogErrors { () throws(PriceTagError) in try day.date(in: storefront) }
    let start = price.days.first.map { max($0, date) } ?? date
    let starts = [start] + storefront.currencyPeriods.compactMap(\.firstDay).filter { $0 > start }
    return starts.first { price.days.contains($0) && storefront.charges(price.currency, on: $0) }
  }

  private func finding(
    _ source: PriceEndingFinding.Source,
    _ price: CatalogPrice,
    _ entry: PriceEndingRules.Entry,
    _ correction: Amount?,
    _ formatter: PriceFormatter?
  ) -> PriceEndingFinding {
    func written(_ amount: Amount?) -> PriceEndingFinding.WrittenAmount? {
      amount.map { .init(amount: $0, display: display($0, price.currency, formatter)) }
    }
    return PriceEndingFinding(
      source: source,
      price: price,
      display: display(price.amount, price.currency, formatter),
      rule: entry.rule,
      ruleName: entry.name,
      below: written(entry.rule.amount(below: price.amount)),
      above: written(entry.rule.amount(above: price.amount)),
      correction: written(correction)
    )
  }

  /// Returns the formatted price. An amount with more decimals than the store displays is not rounded.
  private func display(_ amount: Amount, _ currency: Currency, _ formatter: PriceFormatter?) -> String {
    (try? formatter?.string(for: amount)) ?? "\(amount) \(currency.code)"
  }

  /// Returns the formatter of a price; `nil` if the pack of the registry does not have it.
  private func formatter(
    _ storefront: Storefront,
    _ locale: PriceLocale?,
    _ currency: Currency,
    on day: CalendarDate
  ) throws(CatalogError) -> PriceFormatter? {
    let key = "\(storefront.id) \(currency.code) \(locale?.identifier ?? "")"
    if let cached = formatters[key] { return cached }
    do throws(PriceTagError) {
      let formatter = try PriceFormatter(storefront: storefront, locale: locale, currency: currency, on: day)
      formatters.store(formatter, for: key)
      return formatter
    } catch {
      guard error.code == .missingFromPack || error.code == .packMismatch else { throw CatalogError(error) }
      unwritten.insert(storefront.id)
      formatters.store(nil, for: key)
      return nil
    }
  }
}

extension PriceTable {
  /// Returns the table with other amounts for some of its prices, by their indices.
  fileprivate func replacingAmounts(_ amounts: [Int: Amount]) -> PriceTable {
    if amounts.isEmpty { return self }
    return PriceTable(
      sorted: prices.enumerated().map { index, price in
        guard let amount = amounts[index] else { return price }
        return CatalogPrice(
          storefront: price.storefront,
          amount: amount,
          currency: price.currency,
          days: price.days
        )
      }
    )
  }
}
