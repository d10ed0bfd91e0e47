import PriceTag
import PriceTagStrings

/// Makes a product's listings from its facts, without the catalogue: in each storefront, in each of its languages.
///
///     let maker = try ListingMaker(request)
///     try maker.forEach(facts) { listing in
///       if case .product(let product, let spoken) = listing.answer {
///         print(listing.storefront, listing.language, product.displayPrice, spoken)   // JPN ja ￥160 160円
///       }
///     }
///
/// It keeps formatters and choices of languages from product to product: make one for each thread.
public final class ListingMaker {
  private let mode: ProductsRequest.Mode
  private let strings: StoreStrings
  private let storefronts: [(pricing: StorefrontPricing, places: [Listing.Place])]
  private let textLanguages = TextLanguages()
  private var durations: [Duration: FormattedMessage] = [:]

  /// A length of time in a language, by its number.
  private struct Duration: Hashable {
    let period: SubscriptionPeriod
    let language: Int
  }

  /// How many listings a product has: one in each language of each storefront.
  public let listingsPerProduct: Int

  /// A maker for a request.
  ///
  /// - Throws: `.unknownLanguage` where the registry of storefronts names one that nobody knows.
  public init(_ request: ListingRequest) throws(CatalogError) {
    (mode, strings) = (request.mode, request.strings)
    var storefronts: [(StorefrontPricing, [Listing.Place])] = []
    var numbers: [UILanguage: Int] = [:]
    var count = 0
    for (index, storefront) in request.storefronts.enumerated() {
      var places: [Listing.Place] = []
      for language in try request.languages(of: storefront) {
        let number = numbers[language] ?? numbers.count
        numbers[language] = number
        places.append(Listing.Place(count, storefront, language, languageNumber: number))
        textLanguages.add(storefront, language)
        count += 1
      }
      let pricing = StorefrontPricing(storefront, index: index, on: request.date, request.style)
      storefronts.append((pricing, places))
    }
    self.storefronts = storefronts
    listingsPerProduct = count
  }

  /// Makes a product's listings one by one, in the order of the storefronts, and in each of its languages.
  ///
  /// - Throws: `CatalogError` with `.stringsFailed` where there are no words in a language; and what the body throws.
  public func forEach(_ facts: ProductFacts, _ body: (Listing) throws -> Void) throws {
    for storefront in storefronts.indices { try forEach(facts, inStorefront: storefront, body) }
  }

  /// Makes a product's listings in one storefront, by its number among those of the request: for whoever puts a
  /// storefront's products together.
  ///
  /// - Throws: as `forEach(_:_:)`; nothing is made for a number that no storefront has.
  public func forEach(
    _ facts: ProductFacts,
    inStorefront number: Int,
    _ body: (Listing) throws -> Void
  ) throws {
    guard storefronts.indices.contains(number) else { return }
    let (pricing, places) = storefronts[number]
    guard !places.isEmpty else { return }
    let answer = refusal(of: facts).map { .failure($0) } ?? pricing.cost(of: facts)
    switch answer {
    case .failure(let refusal):
      let invalid = refusal.about(facts.identifier)
      for place in places { try body(Listing(place: place, answer: .invalid(invalid))) }
    case .success(let cost):
      let texts = textLanguages.choices(among: facts.languages)
      let spoken = cost.price.spoken
      for place in places {
        try body(
          Listing(place: place, answer: .product(try product(facts, cost, texts, place), spoken: spoken))
        )
      }
    }
  }

  /// The answer of the one storefront and the one language that were asked for.
  func answer(_ facts: ProductFacts) throws -> Result<Product, StorefrontPricing.Refusal> {
    if let refusal = refusal(of: facts) { return .failure(refusal) }
    guard let (pricing, places) = storefronts.first, let place = places.first else {
      throw CatalogError(.invalidRequest, "no storefront was asked for", fix: "give one")
    }
    let texts = textLanguages.choices(among: facts.languages)
    switch pricing.cost(of: facts) {
    case .success(let cost): return .success(try product(facts, cost, texts, place))
    case .failure(let refusal): return .failure(refusal)
    }
  }

  /// The language that the one answer shows a text in, by its number.
  func shownText(among languages: [String]) -> Int? {
    textLanguages.choose(textLanguages.choices(among: languages), for: 0)?.number
  }

  // MARK: Refusals

  /// Why no product can have an identifier.
  static let malformed = StorefrontPricing.Refusal(
    reason: .malformed,
    message: "no product can have this identifier: give letters, digits, \".\", \"_\", \"-\" and \":\""
  )

  /// Why a product cannot be shown anywhere.
  private func refusal(of facts: ProductFacts) -> StorefrontPricing.Refusal? {
    guard ProductIdentifier.isWellFormed(facts.identifier) else { return Self.malformed }
    guard facts.isApproved || mode == .development else {
      return StorefrontPricing.Refusal(
        reason: .notApproved,
        message: "the product was not approved: ask in development mode to see it"
      )
    }
    return nil
  }

  // MARK: Products

  private func product(
    _ facts: ProductFacts,
    _ cost: StorefrontPricing.Cost,
    _ texts: TextLanguages.Choices,
    _ place: Listing.Place
  ) throws(CatalogError) -> Product {
    let text = text(of: facts, texts, place)
    do throws(StringsError) {
      return Product(
        identifier: facts.identifier,
        kind: facts.kind,
        text: text,
        price: cost.price,
        tier: cost.tier,
        priceBeforeReduction: cost.beforeReduction,
        scheduledPrice: cost.scheduled,
        category: facts.category.map { group($0, place) },
        subscription: try subscription(facts, cost, place),
        offers: try offers(cost, facts.subscriptionPeriod, place),
        image: facts.image,
        isApproved: facts.isApproved
      )
    } catch { throw CatalogError(.stringsFailed, error) }
  }

  private func text(
    of facts: ProductFacts,
    _ texts: TextLanguages.Choices,
    _ place: Listing.Place
  ) -> Product.Text? {
    guard let (number, origin) = textLanguages.choose(texts, for: place.index),
      let name = facts.texts[number].name
    else { return nil }
    return Product.Text(
      language: facts.languages[number],
      origin: origin,
      name: name,
      description: facts.texts[number].description
    )
  }

  /// A group by its name in the reader's language, or what stands for it, as a product's text has it.
  private func group(_ facts: GroupFacts, _ place: Listing.Place) -> Product.Group {
    let chosen = textLanguages.choose(textLanguages.choices(among: facts.languages), for: place.index)
    let language = chosen.map { facts.languages[$0.number] }
    return Product.Group(
      identifier: facts.identifier,
      name: language.flatMap { facts.names[$0] },
      language: language
    )
  }

  private func subscription(
    _ facts: ProductFacts,
    _ cost: StorefrontPricing.Cost,
    _ place: Listing.Place
  ) throws(StringsError) -> Product.Subscription? {
    guard let period = facts.subscriptionPeriod else { return nil }
    return Product.Subscription(
      period: period,
      group: facts.subscriptionGroup.map { group($0, place) },
      groupLevel: facts.groupLevel,
      durationText: try duration(period, place),
      priceText: facts.kind == .nonRenewable
        ? nil : try strings.price(cost.price, every: period, in: place.language)
    )
  }

  private func duration(
    _ period: SubscriptionPeriod,
    _ place: Listing.Place
  ) throws(StringsError) -> FormattedMessage {
    let key = Duration(period: period, language: place.languageNumber)
    if let known = durations[key] { return known }
    let text = try strings.duration(period, in: place.language)
    durations[key] = text
    return text
  }

  private func offers(
    _ cost: StorefrontPricing.Cost,
    _ period: SubscriptionPeriod?,
    _ place: Listing.Place
  ) throws(StringsError) -> [Product.Offer] {
    guard let period, !cost.offers.isEmpty else { return [] }
    var offers: [Product.Offer] = []
    for offer in cost.offers {
      let facts = offer.facts
      let terms: OfferTerms =
        switch (facts.paymentMode, offer.price) {
        case (.payAsYouGo, let price?): .payAsYouGo(price, every: facts.period, count: facts.periodCount)
        case (.payUpFront, let price?): .payUpFront(price, facts.period)
        default: .free(facts.period)
        }
      offers.append(
        Product.Offer(
          kind: facts.kind,
          identifier: facts.identifier,
          paymentMode: facts.paymentMode,
          period: facts.period,
          periodCount: facts.periodCount,
          price: offer.price,
          text: try strings.offer(terms, then: cost.price, every: period, in: place.language)
        )
      )
    }
    return offers
  }
}
