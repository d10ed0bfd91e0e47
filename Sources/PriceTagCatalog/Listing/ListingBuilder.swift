import PriceTag
import PriceTagStrings

/// Builds the listings of a product from its record, for every storefront and language of a request.
///
///     let builder = try ListingBuilder(request)
///     try builder.forEach(record) { listing in
///       if case .product(let product, let spoken) = listing.answer {
///         print(listing.storefront, listing.language, product.displayPrice, spoken)   // JPN ja ￥160 160円
///       }
///     }
///
/// A builder does not access the catalog. It caches formatters and language matches between products, and must be used
/// by one thread at a time: create one per thread.
public final class ListingBuilder {
  private let mode: ProductsRequest.Mode
  private let taxInclusion: TaxInclusion?
  private let strings: StoreStrings
  private let storefronts: [(pricing: StorefrontPricing, contexts: [Listing.Context])]
  private let textLanguages = TextLanguages()
  private var durations: [Duration: FormattedMessage] = [:]

  /// The cache key of a formatted duration.
  private struct Duration: Hashable {
    let period: SubscriptionPeriod
    let languageIndex: Int
  }

  /// The number of listings of each product: one per storefront and language.
  public let listingsPerProduct: Int

  /// Creates a builder for a request.
  ///
  /// - Throws: `.unknownLanguage` if the locale data contain an unknown language; `.stringsFailed` if there are no UI strings
  ///   for a language, and the request is strict or there are none in the store's default language either.
  public convenience init(_ request: ListingRequest) throws(CatalogError) {
    try self.init(request, StoredFormatters())
  }

  /// Creates a builder that shares formatters with others.
  init(_ request: ListingRequest, _ formatters: StoredFormatters) throws(CatalogError) {
    (mode, taxInclusion, strings) = (request.mode, request.taxInclusion, request.strings)
    var storefronts: [(StorefrontPricing, [Listing.Context])] = []
    var languageIndices: [UILanguage: Int] = [:]
    var count = 0
    for (index, storefront) in request.storefronts.enumerated() {
      var contexts: [Listing.Context] = []
      for (language, requested) in try request.shoppers(of: storefront) {
        let languageIndex = languageIndices[language] ?? languageIndices.count
        languageIndices[language] = languageIndex
        contexts.append(Listing.Context(count, storefront, language, requested, languageIndex: languageIndex))
        textLanguages.add(storefront, requested)
        count += 1
      }
      let pricing = StorefrontPricing(
        storefront,
        index: index,
        on: try request.date(in: storefront),
        request.style,
        unitPriceRounding: request.unitPriceRounding,
        formatters
      )
      storefronts.append((pricing, contexts))
    }
    self.storefronts = storefronts
    listingsPerProduct = count
  }

  /// Calls the body with each listing of a product, ordered by storefront, then by language.
  ///
  /// - Parameters:
  ///   - record: The product.
  ///   - body: A closure called with each listing.
  /// - Throws: `CatalogError` with the code `.stringsFailed` if a language has no UI strings; and the errors of the body.
  public func forEach(_ record: ProductRecord, _ body: (Listing) throws -> Void) throws {
    for storefront in storefronts.indices { try forEach(record, inStorefront: storefront, body) }
  }

  /// Calls the body with each listing of a product in one storefront.
  ///
  /// - Parameters:
  ///   - record: The product.
  ///   - index: The index of the storefront in the request. An invalid index has no listings.
  ///   - body: A closure called with each listing.
  /// - Throws: The same errors as `forEach(_:_:)`.
  public func forEach(
    _ record: ProductRecord,
    inStorefront index: Int,
    _ body: (Listing) throws -> Void
  ) throws {
    guard storefronts.indices.contains(index) else { return }
    let (pricing, contexts) = storefronts[index]
    guard !contexts.isEmpty else { return }
    let result = unavailability(of: record.terms).map { .failure($0) } ?? pricing.price(record)
    switch result {
    case .failure(let unavailability):
      let invalid = unavailability.invalidIdentifier(record.identifier)
      for context in contexts { try body(Listing(context: context, answer: .invalid(invalid))) }
    case .success(let priced):
      let texts = textLanguages.choices(among: record.languages)
      let spoken = priced.price.spoken
      for context in contexts {
        try body(
          Listing(
            context: context,
            answer: .product(try product(record, priced, texts, context), spoken: spoken)
          )
        )
      }
    }
  }

  /// Calls one of two bodies with each listing of a product, ordered by storefront, then by language.
  ///
  /// - Parameters:
  ///   - record: The product.
  ///   - price: A closure called with the price of a listing of which a row shows only the texts and the price, without a
  ///     `Product`. It returns false if it cannot write the price; `other` is then called with the listing.
  ///   - other: A closure called with each other listing.
  /// - Throws: The same errors as `forEach(_:_:)`.
  package func forEach(
    _ record: ProductRecord,
    price: (Listing.Context, Amount, PriceFormatter) throws -> Bool,
    other: (Listing) throws -> Void
  ) throws {
    let mayHavePriceAlone =
      record.terms.subscriptionPeriod == nil && record.terms.kind != .autoRenewable
      && unavailability(of: record.terms) == nil
    for index in storefronts.indices {
      if mayHavePriceAlone, let (amount, formatter) = storefronts[index].pricing.priceAlone(record),
        try storefronts[index].contexts.allSatisfy({ try price($0, amount, formatter) })
      {
        continue
      }
      try forEach(record, inStorefront: index, other)
    }
  }

  /// Returns the index of the text of a product that a listing shows, or `nil`.
  package func textIndex(_ record: ProductRecord, _ context: Listing.Context) -> Int? {
    textLanguages.choose(textLanguages.choices(among: record.languages), for: context.index)?.index
  }

  /// Returns what is stated about the tax of a product in a storefront.
  package func taxInclusion(_ record: ProductRecord, _ storefront: Storefront) -> TaxInclusion? {
    record.terms.tax?[storefront.id] ?? taxInclusion
  }

  /// Returns the product of a request with one storefront and one language.
  func product(_ record: ProductRecord) throws -> Result<Product, StorefrontPricing.Unavailability> {
    if let unavailability = unavailability(of: record.terms) { return .failure(unavailability) }
    guard let (pricing, contexts) = storefronts.first, let context = contexts.first else {
      throw CatalogError(.invalidRequest, "the request has no storefront", fix: "add one")
    }
    let texts = textLanguages.choices(among: record.languages)
    switch pricing.price(record) {
    case .success(let priced): return .success(try product(record, priced, texts, context))
    case .failure(let unavailability): return .failure(unavailability)
    }
  }

  /// Returns the index of the language in which a request with one storefront and one language shows a text.
  func shownLanguageIndex(among languages: [String]) -> Int? {
    textLanguages.choose(textLanguages.choices(among: languages), for: 0)?.index
  }

  /// Returns the reason why a product cannot be shown in the first storefront of the request; `nil` if it can.
  ///
  /// - Parameters:
  ///   - terms: The product's terms.
  ///   - schedule: The product's prices.
  ///   - locale: The price locale that replaces the storefront's own.
  func unavailability(
    of terms: SaleTerms,
    _ schedule: PriceSchedule,
    _ locale: PriceLocale?
  ) -> StorefrontPricing.Unavailability? {
    unavailability(of: terms) ?? storefronts.first?.pricing.unavailability(of: terms, schedule, locale)
  }

  /// Returns the reason why a product, whose prices a pack formats, cannot be shown in the first storefront of the request;
  /// `nil` if it can.
  func unavailability(ofPinned record: ProductRecord) -> StorefrontPricing.Unavailability? {
    if let unavailability = unavailability(of: record.terms) { return unavailability }
    guard case .failure(let unavailability) = storefronts.first?.pricing.price(record) else { return nil }
    return unavailability
  }

  // MARK: Products that cannot be shown

  static let malformed = StorefrontPricing.Unavailability(
    reason: .malformed,
    message: "the identifier is malformed; use letters, digits, \".\", \"_\", \"-\" and \":\""
  )

  /// Returns the reason why a product cannot be shown in any storefront.
  private func unavailability(of terms: SaleTerms) -> StorefrontPricing.Unavailability? {
    guard ProductIdentifier.isWellFormed(terms.identifier) else { return Self.malformed }
    guard terms.isApproved || mode == .development else {
      return StorefrontPricing.Unavailability(
        reason: .notApproved,
        message: "the product is not approved; use development mode to show it"
      )
    }
    return nil
  }

  // MARK: Products

  private func product(
    _ record: ProductRecord,
    _ priced: StorefrontPricing.PricedProduct,
    _ texts: TextLanguages.Choices,
    _ context: Listing.Context
  ) throws(CatalogError) -> Product {
    let text = text(of: record, texts, context)
    do throws(StringsError) {
      return Product(
        identifier: record.identifier,
        kind: record.terms.kind,
        text: text,
        price: priced.price,
        tier: priced.tier,
        taxInclusion: taxInclusion(record, context.storefront),
        priceBeforeReduction: priced.beforeReduction,
        isReductionUnknown: priced.isReductionUnknown,
        scheduledPrice: priced.scheduled,
        priceLastDay: priced.lastDay,
        category: record.category.map { group($0, context) },
        subscription: try subscription(record, priced, context),
        offers: try offers(priced, record.terms.subscriptionPeriod, context),
        image: record.image,
        images: record.images.map { image($0, context) },
        isApproved: record.terms.isApproved,
        content: record.terms.content,
        unitReference: record.terms.unitPriceReference,
        unitPrice: try unitPrice(record, priced, context),
        related: record.related,
        row: record.row
      )
    } catch { throw CatalogError(.stringsFailed, error) }
  }

  private func text(
    of record: ProductRecord,
    _ texts: TextLanguages.Choices,
    _ context: Listing.Context
  ) -> Product.Text? {
    guard let (index, origin) = textLanguages.choose(texts, for: context.index),
      let name = record.texts[index].name
    else { return nil }
    return Product.Text(
      language: record.languages[index],
      origin: origin,
      name: name,
      description: record.texts[index].description
    )
  }

  /// Returns a group with its name in the language that a product's text would have.
  private func group(_ record: GroupRecord, _ context: Listing.Context) -> Product.Group {
    let language = language(among: record.languages, context)
    return Product.Group(
      identifier: record.identifier,
      name: language.flatMap { record.names[$0] },
      language: language
    )
  }

  /// Returns the language whose text is shown.
  private func language(among languages: [String], _ context: Listing.Context) -> String? {
    let chosen = textLanguages.choose(textLanguages.choices(among: languages), for: context.index)
    return chosen.map { languages[$0.index] }
  }

  /// Returns a picture with its text in the language that a product's text would have.
  private func image(_ image: ProductImage, _ context: Listing.Context) -> Product.Image {
    var text: (language: String, text: String)?
    if !image.alternativeTexts.isEmpty {
      let language = language(among: image.alternativeTexts.keys.sorted(), context)
      text = language.flatMap { language in image.alternativeTexts[language].map { (language, $0) } }
    }
    return Product.Image(
      address: image.address,
      width: image.width,
      height: image.height,
      alternativeText: text?.text,
      textLanguage: text?.language,
      sources: image.sources
    )
  }

  private func subscription(
    _ record: ProductRecord,
    _ priced: StorefrontPricing.PricedProduct,
    _ context: Listing.Context
  ) throws(StringsError) -> Product.Subscription? {
    guard let period = record.terms.subscriptionPeriod else { return nil }
    return Product.Subscription(
      period: period,
      group: record.subscriptionGroup.map { group($0, context) },
      groupLevel: record.groupLevel,
      durationText: try duration(period, context),
      priceText: record.terms.kind == .nonRenewable
        ? nil : try strings.price(priced.price, every: period, in: context.language)
    )
  }

  private func unitPrice(
    _ record: ProductRecord,
    _ priced: StorefrontPricing.PricedProduct,
    _ context: Listing.Context
  ) throws(StringsError) -> Product.UnitPrice? {
    guard let price = priced.unitPrice, let content = record.terms.content,
      let reference = record.terms.unitPriceReference
    else { return nil }
    return Product.UnitPrice(
      price: price,
      content: content,
      reference: reference,
      pieceText: reference.isPiece
        ? try strings.pricePerPiece(price, count: reference.quantity, in: context.language) : nil
    )
  }

  private func duration(
    _ period: SubscriptionPeriod,
    _ context: Listing.Context
  ) throws(StringsError) -> FormattedMessage {
    let key = Duration(period: period, languageIndex: context.languageIndex)
    if let cached = durations[key] { return cached }
    let text = try strings.duration(period, in: context.language)
    durations[key] = text
    return text
  }

  private func offers(
    _ priced: StorefrontPricing.PricedProduct,
    _ period: SubscriptionPeriod?,
    _ context: Listing.Context
  ) throws(StringsError) -> [Product.Offer] {
    guard let period, !priced.offers.isEmpty else { return [] }
    var offers: [Product.Offer] = []
    for offer in priced.offers {
      let phases = zip(offer.record.phases, offer.prices).map { phase, price in
        Product.Offer.Phase(
          paymentMode: phase.terms.paymentMode,
          period: phase.terms.period,
          periodCount: phase.terms.periodCount,
          price: price
        )
      }
      guard let first = phases.first else { continue }
      offers.append(
        Product.Offer(
          kind: offer.record.kind,
          identifier: offer.record.identifier,
          first: first,
          laterPhases: Array(phases.dropFirst()),
          text: try strings.offer(
            phases.map(\.terms),
            then: priced.price,
            every: period,
            in: context.language
          )
        )
      )
    }
    return offers
  }
}

extension Product.Offer.Phase {
  fileprivate var terms: OfferTerms {
    switch (paymentMode, price) {
    case (.payAsYouGo, let price?): .payAsYouGo(price, every: period, count: periodCount)
    case (.payUpFront, let price?): .payUpFront(price, period)
    default: .free(period)
    }
  }
}
