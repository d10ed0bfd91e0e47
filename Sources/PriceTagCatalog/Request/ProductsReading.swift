import GRDB
import Logging
import PriceTag
import PriceTagStrings

extension Catalog {
  /// Answers a request: the products that can be shown, and the identifiers that nothing can be shown for.
  ///
  ///     let response = try catalog.products(for: request) { invalid in report(invalid) }
  ///     response.products.map(\.displayPrice)    // ["￥160"]
  ///
  /// - Parameters:
  ///   - request: What is asked.
  ///   - logger: Is told, in production mode, which identifiers were left out and why.
  ///   - onInvalid: Is handed the identifiers that nothing can be shown for, in both modes and where there are any, so
  ///     that a backend can report them home.
  /// - Throws: `.invalidProductIdentifiers` in development mode, listing them all; `.databaseFailed`; `.stringsFailed`
  ///   where there are no words in the language.
  public func products(
    for request: ProductsRequest,
    logger: Logger? = nil,
    onInvalid: ([InvalidProductIdentifier]) -> Void = { _ in }
  ) throws(CatalogError) -> ProductsResponse {
    let response = try read { try ProductsReading($0, request, localeData).response() }
    let invalid = response.invalidProductIdentifiers
    // Nobody asked for what is left out of all.
    guard !invalid.isEmpty, request.productIdentifiers != nil else { return response }
    onInvalid(invalid)
    guard request.mode == .development else {
      for identifier in invalid {
        logger?.warning(
          "a product cannot be shown",
          metadata: [
            "productIdentifier": "\(printable(identifier.productIdentifier))",
            "storefront": "\(request.storefront.id)",
            "reason": "\(identifier.reason.rawValue)",
          ]
        )
      }
      return response
    }
    throw CatalogError(
      .invalidProductIdentifiers,
      "nothing can be shown for \(invalid.map(\.description).joined(separator: "; "))",
      fix: "correct the identifiers or the catalogue, or ask in production mode, which leaves them out"
    )
  }
}

/// Answers one request in one state of the catalogue.
private final class ProductsReading {
  private let database: Database
  private let request: ProductsRequest
  private let storefront: Storefront
  private let schedules: ScheduleReading
  private let languages: TextLanguages
  private var formatters: [String: PriceFormatter] = [:]
  private var groups: [[UInt8]: Product.Group] = [:]

  private let findProduct: Statement
  private let findLanguages: Statement
  private let findText: Statement
  private let findLocale: Statement
  private let findOffers: Statement
  private let findNames: Statement

  init(_ database: Database, _ request: ProductsRequest, _ localeData: LocaleData) throws {
    (self.database, self.request, storefront) = (database, request, request.storefront)
    schedules = try ScheduleReading(database, request.storefront, localeData)
    languages = TextLanguages(request.storefront, request.language)
    findProduct = try database.cachedStatement(
      sql: """
        SELECT id, list, kind, category, subscription_group, group_level, subscription_period, is_approved, \
        cleared_for_sale, image FROM product WHERE identifier = ?
        """
    )
    findLanguages = try database.cachedStatement(
      sql: "SELECT language FROM product_text WHERE product = ? AND name IS NOT NULL"
    )
    findText = try database.cachedStatement(
      sql: "SELECT name, description FROM product_text WHERE product = ? AND language = ?"
    )
    findLocale = try database.cachedStatement(
      sql: "SELECT locale FROM price_locale WHERE product = ? AND storefront = ?"
    )
    findOffers = try database.cachedStatement(
      sql: """
        SELECT list, kind, identifier, payment_mode, period, period_count, cleared_for_sale, first_day, last_day \
        FROM offer WHERE product = ? ORDER BY position
        """
    )
    findNames = try database.cachedStatement(
      sql: "SELECT language, name FROM product_group WHERE kind = ? AND identifier = ? AND language != ''"
    )
  }

  func response() throws -> ProductsResponse {
    var products: [Product] = []
    var invalid: [InvalidProductIdentifier] = []
    let identifiers = try request.productIdentifiers ?? String.fetchAll(database, sql: Catalog.inOrder)
    for identifier in identifiers {
      switch try answer(identifier) {
      case .success(let product): products.append(product)
      case .failure(let reason): invalid.append(reason.about(identifier))
      }
    }
    return ProductsResponse(
      products: products,
      invalidProductIdentifiers: invalid,
      canMakePayments: request.canMakePayments,
      paymentsNotice: request.canMakePayments
        ? nil
        : .init(
          title: try request.strings.format("payments_not_allowed", in: request.language),
          reason: try request.strings.format("payments_not_allowed_reason", in: request.language)
        ),
      storefront: storefront,
      language: request.language,
      date: request.date,
      revision: try Int.fetchOne(database, sql: "SELECT revision FROM catalog") ?? 0
    )
  }

  /// Why a product cannot be shown.
  private struct Refusal: Error {
    let reason: InvalidProductIdentifier.Reason
    let message: String

    func about(_ identifier: String) -> InvalidProductIdentifier {
      InvalidProductIdentifier(productIdentifier: identifier, reason: reason, message: message)
    }
  }

  private func answer(_ identifier: String) throws -> Result<Product, Refusal> {
    func refused(_ reason: InvalidProductIdentifier.Reason, _ message: String) -> Result<Product, Refusal> {
      .failure(Refusal(reason: reason, message: message))
    }
    guard ProductIdentifier.isWellFormed(identifier) else {
      return refused(
        .malformed,
        "no product can have this identifier: give letters, digits, \".\", \"_\", \"-\" and \":\""
      )
    }
    guard let row = try Row.fetchOne(findProduct, arguments: [identifier]) else {
      return refused(.unknown, "the catalogue has no such product: import it, or correct the identifier")
    }
    let isApproved = try row.decode(Bool?.self, atIndex: 7) ?? true
    guard isApproved || request.mode == .development else {
      return refused(.notApproved, "the product was not approved: ask in development mode to see it")
    }
    guard try stored(row.decode(atIndex: 8), Clearance.init(stored:))?.contains(storefront.id) ?? true else {
      return refused(
        .notClearedForSale,
        "the product is not cleared for sale in \(storefront.id): clear it, or leave it out there"
      )
    }
    let kind = try stored(row.decode(atIndex: 2), ProductKind.init)
    let period = try stored(row.decode(atIndex: 6)) { try? SubscriptionPeriod($0) }
    // A price that says nothing of its period would be taken for all there is to pay.
    if kind == .autoRenewable, period == nil {
      return refused(
        .noPeriod,
        "the product is a subscription, and no source says what a payment pays for: import its period"
      )
    }
    let id: Int64 = try row.decode(atIndex: 0)
    let schedule = try schedules.schedule(of: row.decode(atIndex: 1))
    guard case .price(let price, let tier) = schedule.answer(on: request.date) else {
      guard case .none(let reason) = schedule.answer(on: request.date) else {
        throw DamagedCatalog(problem: "no price")
      }
      return refused(
        .noPrice,
        "the product has no price in \(storefront.id) on \(request.date), for \(reason): import one"
      )
    }
    let formatted: FormattedPrice
    let locale = try stored(String.fetchOne(findLocale, arguments: [id, storefront.id])) {
      try? PriceLocale($0, allowsNumberingSystem: true)
    }
    do throws(PriceTagError) {
      formatted = try formatter(locale, on: request.date).format(price.amount)
    } catch {
      return refused(.notDisplayable, "\(error)")
    }
    let text = try text(of: id)
    return .success(
      Product(
        identifier: identifier,
        kind: kind,
        text: text,
        price: formatted,
        tier: tier,
        scheduledPrice: try scheduledPrice(schedule, locale),
        category: try group(.category, row.decode(atIndex: 3), text),
        subscription: try period.map { period in
          Product.Subscription(
            period: period,
            group: try group(.subscriptionGroup, row.decode(atIndex: 4), text),
            groupLevel: try row.decode(atIndex: 5),
            durationText: try request.strings.duration(period, in: request.language),
            priceText: kind == .nonRenewable
              ? nil : try request.strings.price(formatted, every: period, in: request.language)
          )
        },
        offers: try period.map { try offers(of: id, then: formatted, every: $0, locale) } ?? [],
        image: try row.decode(atIndex: 9),
        isApproved: isApproved
      )
    )
  }

  // MARK: Prices

  private func formatter(_ locale: PriceLocale?, on date: CalendarDate) throws(PriceTagError)
    -> PriceFormatter
  {
    let key = "\(locale?.identifier ?? "") \(storefront.currency(on: date))"
    if let known = formatters[key] { return known }
    let formatter = try PriceFormatter(
      storefront: storefront,
      locale: locale,
      on: date,
      style: request.style
    )
    formatters[key] = formatter
    return formatter
  }

  private func scheduledPrice(_ schedule: PriceSchedule, _ locale: PriceLocale?) throws -> Product
    .ScheduledPrice?
  {
    guard let (firstDay, price) = schedule.change(after: request.date) else { return nil }
    // One that cannot be displayed is told on its day.
    guard let formatted = try? formatter(locale, on: firstDay).format(price.amount) else { return nil }
    return Product.ScheduledPrice(firstDay: firstDay, price: formatted)
  }

  // MARK: Texts

  private func text(of product: Int64) throws -> Product.Text? {
    let tags = try String.fetchAll(findLanguages, arguments: [product])
    guard let (language, origin) = languages.choose(among: tags),
      let row = try Row.fetchOne(findText, arguments: [product, language])
    else { return nil }
    return try Product.Text(
      language: language,
      origin: origin,
      name: row.decode(atIndex: 0),
      description: row.decode(atIndex: 1)
    )
  }

  /// A group by its name in the language of the product's text.
  private func group(
    _ kind: ProductGroup.Kind,
    _ identifier: String?,
    _ text: Product.Text?
  ) throws -> Product.Group? {
    guard let identifier else { return nil }
    let key = Array("\(kind.rawValue) \(text?.language ?? "") \(identifier)".utf8)
    if let known = groups[key] { return known }
    var names: [String: String] = [:]
    let found = try Row.fetchCursor(findNames, arguments: [kind.rawValue, identifier])
    while let row = try found.next() { names[try row.decode(atIndex: 0)] = try row.decode(atIndex: 1) }
    let own = text.flatMap { names[$0.language] }
    let chosen = languages.choose(among: names.keys.sorted()).flatMap { names[$0.language] }
    let group = Product.Group(identifier: identifier, name: own ?? chosen)
    groups[key] = group
    return group
  }

  private func offers(
    of product: Int64,
    then price: FormattedPrice,
    every period: SubscriptionPeriod,
    _ locale: PriceLocale?
  ) throws -> [Product.Offer] {
    var offers: [Product.Offer] = []
    for row in try Row.fetchAll(findOffers, arguments: [product]) {
      guard let kind = try stored(row.decode(atIndex: 1), CatalogOffer.Kind.init),
        let mode = try stored(row.decode(atIndex: 3), CatalogOffer.PaymentMode.init),
        let length = try stored(row.decode(atIndex: 4), { try? SubscriptionPeriod($0) })
      else { throw DamagedCatalog(problem: "an offer is not whole") }
      let isOffered =
        try stored(row.decode(atIndex: 6), Clearance.init(stored:))?.contains(storefront.id) ?? true
        && Days.stored(row, at: 7).contains(request.date)
      guard isOffered else { continue }
      let count: Int = try row.decode(atIndex: 5)
      var offered: FormattedPrice?
      if mode != .freeTrial {
        // An offer without a price here is not offered here.
        guard
          case .price(let found, _) = try schedules.schedule(of: row.decode(atIndex: 0)).answer(
            on: request.date
          ),
          let formatted = try? formatter(locale, on: request.date).format(found.amount)
        else { continue }
        offered = formatted
      }
      let terms: OfferTerms =
        switch (mode, offered) {
        case (.payAsYouGo, let offered?): .payAsYouGo(offered, every: length, count: count)
        case (.payUpFront, let offered?): .payUpFront(offered, length)
        default: .free(length)
        }
      offers.append(
        Product.Offer(
          kind: kind,
          identifier: try row.decode(atIndex: 2),
          paymentMode: mode,
          period: length,
          periodCount: count,
          price: offered,
          text: try request.strings.offer(terms, then: price, every: period, in: request.language)
        )
      )
    }
    return offers
  }
}
