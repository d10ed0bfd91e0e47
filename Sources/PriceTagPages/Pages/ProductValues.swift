import PriceTag
import PriceTagCatalog
import PriceTagStrings

/// Creates the template values of a store's products.
struct ProductValues {
  let pages: StorePages
  let store: Store
  let language: PageLanguage
  /// The page that shows the products.
  let page: PagePath
  /// The label about tax of a product that states nothing; `nil` if the shop does not show one or the storefront has none.
  private let storeTaxLabel: String?

  /// - Throws: `.stringsFailed`.
  init(pages: StorePages, store: Store, language: PageLanguage, page: PagePath) throws(PagesError) {
    (self.pages, self.store, self.language, self.page) = (pages, store, language, page)
    let label = pages.shop.showsTaxLabels ? try language.taxLabel(for: store.storefront) : nil
    storeTaxLabel = label.map { PriceMarkup.html($0) }
  }

  /// Returns the label about the tax of a product; `nil` if it is not known or the shop shows no labels.
  private func taxLabel(of product: Product) throws(PagesError) -> String? {
    guard let stated = product.taxInclusion, pages.shop.showsTaxLabels else { return storeTaxLabel }
    return try language.taxLabel(for: store.storefront, stated: stated).map { PriceMarkup.html($0) }
  }

  /// Returns the values of a product in a list or on its own page.
  ///
  /// - Parameters:
  ///   - isOwnPage: Whether to include offers to existing and former subscribers.
  ///   - isShortened: Whether to shorten a long description.
  func card(
    _ product: Product,
    isOwnPage: Bool = false,
    isShortened: Bool = false
  ) throws(PagesError) -> TemplateValues {
    let isSubscription = product.subscription != nil
    let prices = try price(of: product)
    // A picture whose file is missing is omitted.
    let picture = product.images.lazy.compactMap { image in
      pages.address(of: image.address, on: page).map { (image: image, address: $0) }
    }.first
    let image = picture?.address
    let unitPrice = product.unitPrice.map { unitPrice in
      unitPrice.pieceText.map { PriceMarkup.html($0) } ?? PriceMarkup.perUnit(unitPrice.price)
    }
    let initial = image == nil ? StorePages.initial(of: product.displayName) : nil
    let card = TemplateValues(capacity: 48)
    card[.id] = pageText(product.identifier)
    card[.href] = href(to: product)
    card[.name] = name(of: product)
    card[.description] = description(of: product, isShortened: isShortened)
    card[.image] = image
    card[.srcset] = picture.flatMap { sourceSet(of: $0.image, $0.address) }
    card[.initial] = initial
    card[.pattern] = initial.map(StorePages.pattern)
    card[.kind] = product.kind.map { pageText(language.word($0)) }
    (card[.price], card[.was]) = (prices.now, prices.was)
    card[.reduction] = try reduction(of: product)
    card[.increase] = try increase(of: product)
    card[.unitPrice] = unitPrice
    card[.taxLabel] = product.isFree ? nil : try taxLabel(of: product)
    card[.buy] = try buy(product)
    card[.buyHref] = pages.shop.checkout(of: product.identifier, store.storefront, store.language).map {
      pageText($0)
    }
    card[.offers] = try offers(of: product, isOwnPage: isOwnPage)
    card[.otherLanguage] = try otherLanguage(product)
    (card[.isSubscription], card[.renews]) = (isSubscription, product.kind == .autoRenewable)
    card[.duration] = product.subscription.map { PriceMarkup.html($0.durationText) }
    (card[.storefrontId], card[.language]) = (store.storefront.id, store.language.identifier)
    card[.own] = ownMessages(of: product)
    (card[.amount], card[.currency]) = (
      product.price.amount.description, pageText(product.price.currency.code)
    )
    card[.ownPriceLocale] =
      product.price.locale == store.storefront.priceLocale ? nil : product.price.locale.identifier
    (card[.priceLocale], card[.display]) = (product.price.locale.identifier, pageText(product.price.text))
    (card[.period], card[.kindCode]) = (product.subscription?.period.description, product.kind?.rawValue)
    (card[.isCurrent], card[.isBest], card[.isHero]) = (false, false, false)
    for name in [TemplateName.saving, .monthly, .quantity, .picture, .gallery] {
      card[name] = TemplateValue.none
    }
    return card
  }

  func href(to product: Product) -> String {
    pageText(page.href(to: .product(product.identifier, store.storefront, store.language)))
  }

  func description(of product: Product, isShortened: Bool = false) -> TemplateValues? {
    guard let text = product.text, let description = text.description else { return nil }
    return TemplateValues([
      .text: pageText(balancedBidi(isShortened ? Self.shortened(description) : description)),
      .lang: pageText(text.language), .dir: direction(of: text.language),
    ])
  }

  /// The maximum length of a description on pages of lists, in characters, whose size would not be limited otherwise.
  private static let maximumListedLength = 240

  /// Returns the start of a long text, up to a space if there is one.
  static func shortened(_ text: String) -> String {
    // A character has at least one byte.
    guard text.utf8.count > maximumListedLength, text.count > maximumListedLength else { return text }
    let start = text.prefix(maximumListedLength)
    let end = start.dropFirst(maximumListedLength / 2).lastIndex(where: \.isWhitespace) ?? start.endIndex
    return "\(start[..<end])…"
  }

  // MARK: Words

  /// Returns the messages of the shop's own, with the values of a product; `nil` if the shop has none.
  private func ownMessages(of product: Product) -> OwnMessages? {
    guard language.hasOwnMessages else { return nil }
    return OwnMessages(language) { [pages, language, store] in
      OwnMessages.arguments(of: store, pages.shop.name(in: language)).merging(
        OwnMessages.arguments(of: product)
      ) { $1 }
    }
  }

  func name(of product: Product) -> String {
    name(product.displayName, in: product.text?.language)
  }

  func name(of group: Product.Group) -> String { name(group.name ?? group.identifier, in: group.language) }

  /// Returns a name as HTML. Its language may differ from the page's.
  private func name(_ name: String, in tag: String?) -> String {
    let lang = tag.map { " lang=\"\(pageText($0))\"" } ?? ""
    return "<bdi\(lang) dir=\"\(direction(of: tag))\">\(pageText(balancedBidi(name)))</bdi>"
  }

  private func direction(of tag: String?) -> String {
    tag.flatMap { pages.textLanguage($0) }?.direction.rawValue ?? "auto"
  }

  /// Returns the note about a description that is not in the page's language.
  private func otherLanguage(_ product: Product) throws(PagesError) -> String? {
    guard let text = product.text, text.description != nil, text.origin != .requested,
      let other = pages.textLanguage(text.language),
      other != store.language
    else { return nil }
    return try language.note(ofTextIn: other)
  }

  // MARK: Prices

  /// Returns the price, and the price before a reduction.
  func price(of product: Product) throws(PagesError) -> (now: String, was: String?) {
    let before = product.priceBeforeReduction
    // Screen readers read the words about the lowest price instead, because a strike is not audible.
    let was = before.map { "<s class=\"was\" aria-hidden=\"true\">\(PriceMarkup.visible($0))</s>" }
    func spoken(_ price: MessageArgument) throws(PagesError) -> String {
      PriceMarkup.spoken(try language.format("price_now_spoken", ["price": price]))
    }
    if let text = product.subscription?.priceText {
      guard was != nil else { return (PriceMarkup.html(text), nil) }
      return (try spoken(.message(text)) + PriceMarkup.visible(text), was)
    }
    if product.isFree { return ("<span class=\"free\">\(pageText(language.word("free")))</span>", was) }
    guard was != nil else { return (PriceMarkup.html(product.price), nil) }
    return (try spoken(.price(product.price)) + PriceMarkup.visible(product.price), was)
  }

  /// Returns the words about a reduced price: the percentage, the lowest price before, and the last day.
  private func reduction(of product: Product) throws(PagesError) -> TemplateValues? {
    guard let before = product.priceBeforeReduction else { return nil }
    var (badge, until): (String?, String?) = (nil, nil)
    if let percent = product.reductionPercent {
      badge = try language.html("percent_off", ["percent": .percent(Amount(integerLiteral: Int64(percent)))])
    }
    // An increase that is announced for the next day implies the last one.
    if let lastDay = product.reductionLastDay,
      pages.shop.announcedIncrease(of: product)?.firstDay.previous != lastDay
    {
      until = try language.html("price_until", ["date": .date(lastDay)])
    }
    return TemplateValues([
      .badge: badge, .until: until,
      .percent: product.reductionPercent.map(String.init), .amount: before.amount.description,
      .lastDay: product.reductionLastDay?.description,
      .lowestPrice: try language.html("lowest_price_in_30_days", ["price": .price(before)]),
    ])
  }

  /// Returns the announcement of a higher price; `nil` without one, or if the shop does not announce it.
  private func increase(of product: Product) throws(PagesError) -> String? {
    guard let next = pages.shop.announcedIncrease(of: product) else { return nil }
    let period = product.kind == .autoRenewable ? product.subscription?.period : nil
    let price = try language.price(next.price, every: period)
    return try language.html("price_from_date", ["date": .date(next.firstDay), "price": price])
  }

  private func buy(_ product: Product) throws(PagesError) -> String {
    if product.isFree { return pageText(language.word("get")) }
    if pages.shop.shownOffers.contains(.introductory) {
      if let trial = product.freeTrial { return PriceMarkup.html(try language.freeTrialButton(trial)) }
      // The offer above the button has another price than the product.
      if product.offers.contains(where: { $0.kind == .introductory }) {
        return pageText(language.word("subscribe"))
      }
    }
    let key = product.kind == .autoRenewable ? "subscribe_for_price" : "buy_for_price"
    return try language.html(key, ["price": .price(product.price)])
  }

  /// Returns the offers of the kinds that the shop shows: those to new subscribers and, on the product's own page, those to
  /// current and former ones.
  func offers(of product: Product, isOwnPage: Bool) throws(PagesError) -> [TemplateValues] {
    var values: [TemplateValues] = []
    for offer in product.offers {
      guard pages.shop.shownOffers.contains(offer.kind), isOwnPage || offer.kind == .introductory else {
        continue
      }
      let (label, audience): (String, String)
      switch offer.kind {
      case .introductory: (label, audience) = ("introductory_offer", "offer_for_new_subscribers")
      case .promotional: (label, audience) = ("promotional_offer", "offer_for_current_and_former_subscribers")
      case .winBack: (label, audience) = ("win_back_offer", "offer_for_former_subscribers")
      case .code: continue
      }
      values.append(
        TemplateValues([
          .label: pageText(language.word(label)), .text: PriceMarkup.html(offer.text),
          .audience: pageText(language.word(audience)),
          .kindCode: offer.kind.rawValue, .paymentMode: offer.paymentMode.rawValue,
          .amount: offer.price?.amount.description, .period: offer.period.description,
          .periodCount: String(offer.periodCount),
        ])
      )
    }
    return values
  }

  // MARK: Comparisons

  /// Returns the subscriptions of a group that its comparison shows; none of fewer than two.
  ///
  /// - Parameter current: The product whose page shows the comparison.
  static func compared(_ group: [Product], current: String? = nil) -> [Product] {
    guard group.count > 1 else { return [] }
    let first = Array(group.prefix(PageLayout.maximumComparisonCount))
    return first + group.dropFirst(first.count).filter { $0.identifier == current }
  }

  /// Returns the place of a product on the page of a store: in the comparison of its group, else in its category.
  static func anchor(of product: Product, in group: [Product]) -> String? {
    compared(group).contains { $0.identifier == product.identifier }
      ? product.subscription?.group.map(anchor(ofGroup:)) : product.category.map(StorePages.anchor)
  }

  private static func anchor(ofGroup group: Product.Group) -> String {
    "compare-\(fragment(of: group.identifier))"
  }

  /// Returns the comparison of a subscription group; `nil` for fewer than two subscriptions.
  ///
  /// - Parameter current: The product whose page shows the comparison.
  func comparison(of group: [Product], current: String? = nil) throws(PagesError) -> TemplateValues? {
    let group = Self.compared(group, current: current)
    guard let name = group.first?.subscription?.group else { return nil }
    let comparison = SubscriptionComparison(group)
    var plans: [TemplateValues] = []
    for plan in comparison.plans {
      let values = try card(plan.product)
      values[.monthly] = plan.monthly.map { PriceMarkup.html($0) }
      if let saving = plan.saving {
        let percent = MessageArgument.percent(Amount(integerLiteral: Int64(saving)))
        values[.saving] = try language.html("save_percent", ["percent": percent])
      }
      values[.isBest] = plan.isBest
      values[.isCurrent] = plan.product.identifier == current
      plans.append(values)
    }
    let periods = periods(of: comparison.plans, current: current)
    var labels: [String?] = []
    for plan in comparison.plans { labels.append(try taxLabel(of: plan.product)) }
    let agree = Set(labels).count == 1
    if !agree { for (plan, label) in zip(plans, labels) { plan[.planTaxLabel] = label } }
    return TemplateValues([
      .id: Self.anchor(ofGroup: name), .name: self.name(of: name),
      .taxLabel: agree ? labels.first ?? nil : nil, .plans: plans,
      .hasSavings: comparison.plans.contains { $0.saving != nil },
      .hasMonthly: comparison.plans.contains { $0.monthly != nil },
      .periods: periods, .hasPeriods: !periods.isEmpty,
    ])
  }
}

extension Product {
  /// Whether the product costs nothing and is not a subscription.
  var isFree: Bool { price.amount == .zero && subscription == nil }

  /// The free trial for new subscribers, or `nil`.
  var freeTrial: SubscriptionPeriod? {
    guard kind == .autoRenewable else { return nil }
    return offers.lazy.filter { $0.kind == .introductory }.compactMap(\.freePeriod).first
  }
}

extension Product.Offer {
  /// The period of the first phase if it is free; a price of zero is worded as free.
  fileprivate var freePeriod: SubscriptionPeriod? {
    guard paymentMode == .freeTrial || price?.amount == .zero else { return nil }
    return try? period.multiplied(by: periodCount)
  }
}
