import GRDB
import PriceTag

/// Reads what products need to be shown in some storefronts, from one state of a catalogue.
///
/// It belongs to one connection, and is used by its thread alone.
final class ProductFactsReading {
  private let storefronts: [Storefront]
  private let localeData: LocaleData
  /// The number of each storefront, by its identifier.
  private let numbers: [String: Int]
  /// The language of several that a text is shown in, by its number, where one alone is shown.
  private let shownText: ((_ languages: [String]) -> Int?)?

  private let findProduct: Statement
  private let findLanguages: Statement
  private let findText: Statement
  private let findTexts: Statement
  private let findLocales: Statement
  private let findOffers: Statement
  private let findPrices: Statement
  private let findTiers: Statement
  private let findTier: Statement
  private let findNames: Statement

  /// By the bytes of the name: two that look alike are two tiers. `nil` for one that the catalogue does not have.
  private var tiers = BoundedCache<[UInt8], StorefrontPrices?>(limit: 1000)
  private var groups = BoundedCache<[UInt8], GroupFacts>(limit: 10_000)
  private var currencies: [String: String] = [:]
  private var locales = BoundedCache<String, PriceLocale>(limit: 1000)

  /// What `product(_:)` reads of a row.
  static let columns = """
    id, list, kind, category, subscription_group, group_level, subscription_period, is_approved, cleared_for_sale, \
    image, identifier, sort_order
    """

  /// - Parameters:
  ///   - database: The connection.
  ///   - storefronts: Whose prices are read.
  ///   - localeData: The registry of currencies.
  ///   - shownText: Chooses the one language in which texts are shown; `nil` where all are.
  init(
    _ database: Database,
    _ storefronts: [Storefront],
    _ localeData: LocaleData,
    shownText: ((_ languages: [String]) -> Int?)? = nil
  ) throws {
    (self.storefronts, self.localeData, self.shownText) = (storefronts, localeData, shownText)
    numbers = Dictionary(storefronts.enumerated().map { ($1.id, $0) }) { first, _ in first }
    func statement(_ sql: String) throws -> Statement { try database.cachedStatement(sql: sql) }
    findProduct = try statement("SELECT \(Self.columns) FROM product WHERE identifier = ?")
    findLanguages = try statement(
      "SELECT language FROM product_text WHERE product = ? AND name IS NOT NULL ORDER BY language"
    )
    findText = try statement("SELECT name, description FROM product_text WHERE product = ? AND language = ?")
    findTexts = try statement(
      """
      SELECT language, name, description FROM product_text WHERE product = ? AND name IS NOT NULL ORDER BY language
      """
    )
    // One storefront's rows are found without passing over the others'.
    let isOfStorefront = storefronts.count == 1 ? "AND storefront = ?" : ""
    findLocales = try statement(
      "SELECT locale, storefront FROM price_locale WHERE product = ? \(isOfStorefront)"
    )
    findOffers = try statement(
      """
      SELECT list, kind, identifier, payment_mode, period, period_count, cleared_for_sale, first_day, last_day \
      FROM offer WHERE product = ? ORDER BY position
      """
    )
    findPrices = try statement(
      """
      SELECT storefront, amount, currency, first_day, last_day FROM price WHERE list = ? \(isOfStorefront) \
      ORDER BY storefront, first_day
      """
    )
    findTiers = try statement(
      "SELECT tier, first_day, last_day FROM tier_period WHERE list = ? ORDER BY first_day"
    )
    findTier = try statement("SELECT list FROM tier WHERE name = ?")
    findNames = try statement(
      "SELECT language, name FROM product_group WHERE kind = ? AND identifier = ? AND language != ''"
    )
  }

  /// The arguments of a statement that looks for one storefront's rows where there is one.
  private func arguments(_ number: Int64) -> StatementArguments {
    if storefronts.count == 1, let only = storefronts.first { [number, only.id] } else { [number] }
  }

  // MARK: Products

  /// The product of an identifier; `nil` where there is none.
  func product(_ identifier: String) throws -> ProductFacts? {
    try Row.fetchOne(findProduct, arguments: [identifier]).map(product)
  }

  /// The product of a row of `columns`.
  func product(_ row: Row) throws -> ProductFacts {
    let id: Int64 = try row.decode(atIndex: 0)
    let (languages, texts) = try texts(of: id)
    let period = try stored(row.decode(atIndex: 6)) { try? SubscriptionPeriod($0) }
    return ProductFacts(
      identifier: try row.decode(atIndex: 10),
      kind: try stored(row.decode(atIndex: 2), ProductKind.init),
      isApproved: try row.decode(Bool?.self, atIndex: 7) ?? true,
      clearedForSale: try stored(row.decode(atIndex: 8), Clearance.init(stored:)) ?? .everywhere,
      category: try group(.category, row.decode(atIndex: 3)),
      subscriptionGroup: try group(.subscriptionGroup, row.decode(atIndex: 4)),
      groupLevel: try row.decode(atIndex: 5),
      subscriptionPeriod: period,
      image: try row.decode(atIndex: 9),
      schedule: try schedule(of: row.decode(atIndex: 1)),
      priceLocales: try priceLocales(of: id),
      languages: languages,
      texts: texts,
      // An offer leads to a price of a period: without one there is none to show.
      offers: period == nil ? [] : try offers(of: id)
    )
  }

  private func texts(of product: Int64) throws -> ([String], [ProductText]) {
    if let shownText {
      let languages = try String.fetchAll(findLanguages, arguments: [product])
      guard let index = shownText(languages) else { return ([], []) }
      var texts = Array(repeating: ProductText(name: nil), count: languages.count)
      if let row = try Row.fetchOne(findText, arguments: [product, languages[index]]) {
        texts[index] = try ProductText(name: row.decode(atIndex: 0), description: row.decode(atIndex: 1))
      }
      return (languages, texts)
    }
    var (languages, texts): ([String], [ProductText]) = ([], [])
    let found = try Row.fetchCursor(findTexts, arguments: [product])
    while let row = try found.next() {
      languages.append(try row.decode(atIndex: 0))
      texts.append(try ProductText(name: row.decode(atIndex: 1), description: row.decode(atIndex: 2)))
    }
    return (languages, texts)
  }

  private func priceLocales(of product: Int64) throws -> [String: PriceLocale] {
    if storefronts.count == 1, let only = storefronts.first {
      let tag = try String.fetchOne(findLocales, arguments: [product, only.id])
      return try tag.flatMap(locale).map { [only.id: $0] } ?? [:]
    }
    var found: [String: PriceLocale] = [:]
    let rows = try Row.fetchCursor(findLocales, arguments: [product])
    while let row = try rows.next() {
      let storefront: String = try row.decode(atIndex: 1)
      if numbers[storefront] != nil { found[storefront] = try locale(row.decode(atIndex: 0)) }
    }
    return found
  }

  private func locale(_ tag: String) throws -> PriceLocale? {
    if let known = locales[tag] { return known }
    let locale = try stored(tag) { try? PriceLocale($0, allowsNumberingSystem: true) }
    if let locale { locales.keep(locale, for: tag) }
    return locale
  }

  private func offers(of product: Int64) throws -> [OfferFacts] {
    try Row.fetchAll(findOffers, arguments: [product]).map { row in
      guard let kind = try stored(row.decode(atIndex: 1), CatalogOffer.Kind.init),
        let mode = try stored(row.decode(atIndex: 3), CatalogOffer.PaymentMode.init),
        let period = try stored(row.decode(atIndex: 4), { try? SubscriptionPeriod($0) })
      else { throw DamagedCatalog(problem: "an offer is not whole") }
      return try OfferFacts(
        kind: kind,
        identifier: row.decode(atIndex: 2),
        paymentMode: mode,
        period: period,
        periodCount: row.decode(atIndex: 5),
        clearedForSale: stored(row.decode(atIndex: 6), Clearance.init(stored:)) ?? .everywhere,
        days: .stored(row, at: 7),
        schedule: mode == .freeTrial ? nil : schedule(of: row.decode(atIndex: 0))
      )
    }
  }

  private func group(_ kind: ProductGroup.Kind, _ identifier: String?) throws -> GroupFacts? {
    guard let identifier else { return nil }
    let key = Array("\(kind.rawValue) \(identifier)".utf8)
    if let known = groups[key] { return known }
    var names: [String: String] = [:]
    let found = try Row.fetchCursor(findNames, arguments: [kind.rawValue, identifier])
    while let row = try found.next() { names[try row.decode(atIndex: 0)] = try row.decode(atIndex: 1) }
    let group = GroupFacts(identifier, names: names)
    groups.keep(group, for: key)
    return group
  }

  // MARK: Prices

  /// A list of prices and its tiers.
  private func schedule(of list: Int64) throws -> PriceSchedule {
    var periods: [TierPeriod] = []
    let found = try Row.fetchCursor(findTiers, arguments: [list])
    while let row = try found.next() {
      periods.append(TierPeriod(try row.decode(atIndex: 0), days: try .stored(row, at: 1)))
    }
    return PriceSchedule(
      own: try prices(of: list),
      tiers: try periods.map { period in
        PriceSchedule.Tier(name: period.tier, days: period.days, prices: try prices(ofTier: period.tier))
      }
    )
  }

  private func prices(ofTier name: String) throws -> StorefrontPrices? {
    let key = Array(name.utf8)
    if let known = tiers[key] { return known }
    let found = try Int64.fetchOne(findTier, arguments: [name]).map(prices)
    tiers.keep(found, for: key)
    return found
  }

  private func prices(of list: Int64) throws -> StorefrontPrices {
    var prices = StorefrontPrices(storefronts: storefronts.count)
    let found = try Row.fetchCursor(findPrices, arguments: arguments(list))
    while let row = try found.next() {
      guard let number = try numbers[row.decode(String.self, atIndex: 0)] else { continue }
      prices.append(
        StorefrontPrices.Price(
          amount: try Amount(decimal: row.decode(atIndex: 1)),
          currency: try currency(row.decode(atIndex: 2)),
          days: try .stored(row, at: 3)
        ),
        in: number
      )
    }
    return prices
  }

  /// A currency's code as the registry writes it.
  private func currency(_ code: String) throws -> String {
    if let known = currencies[code] { return known }
    let currency = try Currency(code, in: localeData).code
    currencies[code] = currency
    return currency
  }
}
