import PriceTag
import PriceTagStrings

/// The template values that every page has, for its head, its header, and its footer.
struct PageFrame {
  let pages: StorePages
  let path: PagePath
  let language: PageLanguage
  /// The values of another page of the same store and language, in a folder of the same depth: only those are created that
  /// depend on the page.
  var other: TemplateValues?

  /// The maximum number of languages to which the head of a list links.
  private static let maximumAlternateCount = 20

  /// Returns the values of a page in a store, with links to the same page in the store's other languages.
  func values(
    title: String,
    description: String,
    type: String = "website",
    image: (address: String, text: String)? = nil,
    price: FormattedPrice? = nil,
    alternates store: Store,
    jsonLD: String?,
    page: (UILanguage) -> PagePath
  ) throws(PagesError) -> TemplateValues {
    // A list has many elements already; where it has many languages, too, only the sitemap links them.
    let isList = path.product == nil && pages.layout.isPaged(store.outline.products.count)
    let linksLanguages = !isList || store.languages.count <= Self.maximumAlternateCount
    let values = try values(
      title: title,
      description: description,
      type: type,
      languages: store.languages,
      searchLanguages: linksLanguages ? store.searchLanguages : [],
      locales: linksLanguages ? store.openGraphLocales : store.language.openGraphLocales([]),
      defaultPage: path.choice,
      image: image,
      price: price,
      page: page
    )
    values[.jsonLD] = jsonLD
    values[.likelyStore] = try LikelyStore.values(store, language, on: path)
    if other != nil { return values }
    let home = PagePath.store(store.storefront, store.language)
    values[.storefront] = TemplateValues(
      [.id: store.storefront.id, .name: pageText(store.storefrontName)],
      condition: store.storefront.id
    )
    values[.chooseStoreHref] = path.href(to: .entry(store.language))
    values[.homeHref] = path.href(to: home)
    values[.storeHref] = path == home ? nil : path.href(to: home)
    if !store.canMakePayments {
      values[.notice] = TemplateValues([
        .title: pageText(language.word("payments_not_allowed")),
        .reason: pageText(language.word("payments_not_allowed_reason")),
      ])
    }
    values[.own] = OwnMessages(language) { [pages, language] in
      OwnMessages.arguments(of: store, pages.shop.name(in: language))
    }
    (values[.inEU], values[.inEEA]) = (store.storefront.isInEU, store.storefront.isInEEA)
    // The note is about all prices, so they must agree.
    let taxes = store.outline.taxInclusions
    let labels = try (taxes.isEmpty ? [nil] : Array(taxes)).map { (tax) throws(PagesError) in
      try language.taxLabel(for: store.storefront, stated: tax)
    }
    if pages.shop.showsTaxLabels, Set(labels.map { $0?.plain }).count == 1, let label = labels.first ?? nil {
      values[.taxNote] = try language.html("tax_note", ["tax": .message(label)])
    }
    if pages.shop.showsPriceDate, store.canMakePayments, !store.outline.products.isEmpty {
      values[.priceDate] = try language.html("prices_as_of", ["date": .date(store.date)])
    }
    return values
  }

  /// Returns the values of a page.
  ///
  /// - Parameters:
  ///   - title: The title.
  ///   - description: The description for search engines.
  ///   - type: The Open Graph type.
  ///   - languages: The languages in which the page exists.
  ///   - searchLanguages: The languages in the links for search engines, with their `hreflang`.
  ///   - locales: The properties of Open Graph for the languages; `nil` if they are not known yet.
  ///   - defaultPage: The page for shoppers with another language; `nil` if the page has no links for search engines.
  ///   - image: The absolute address of the picture for link previews, and what it shows; `nil` for no picture.
  ///   - price: The price of the product.
  ///   - page: Returns the path of the page in another language.
  func values(
    title: String,
    description: String,
    type: String = "website",
    languages: [UILanguage] = [],
    searchLanguages: [(language: UILanguage, tag: String)] = [],
    locales: [(String, String)]? = nil,
    defaultPage: PagePath? = nil,
    image: (address: String, text: String)? = nil,
    price: FormattedPrice? = nil,
    page: (UILanguage) -> PagePath = { .entry($0) }
  ) throws(PagesError) -> TemplateValues {
    let own = language.language
    let shop = pages.shop
    func address(_ other: PagePath) -> String {
      pageText(shop.url.map { "\($0)\(other)" } ?? path.href(to: other))
    }
    var alternates = searchLanguages.map { language, tag in
      TemplateValues([.hreflang: tag, .href: address(page(language))])
    }
    if let defaultPage {
      alternates.append(TemplateValues([.hreflang: "x-default", .href: address(defaultPage)]))
    }
    var linked: [TemplateValues] = []
    for (language, name) in pages.namedLanguages(languages, in: self.language) {
      linked.append(
        TemplateValues([
          .lang: language.identifier, .dir: language.direction.rawValue,
          .name: name, .href: path.href(to: page(language)),
          .isCurrent: language == own,
        ])
      )
    }
    let canonical = languages.contains(own) ? page(own) : path
    var properties = [
      ("og:type", type), ("og:title", title), ("og:description", description),
      ("og:site_name", shop.name(in: self.language)),
    ]
    properties += locales ?? own.openGraphLocales(languages)
    if let url = shop.url { properties.append(("og:url", "\(url)\(canonical)")) }
    if let image { properties += [("og:image", image.address), ("og:image:alt", image.text)] }
    // The protocol has codes of ISO 4217 only.
    if let price, price.currency.kind != .custom {
      properties += [
        ("product:price:amount", price.amount.description), ("product:price:currency", price.currency.code),
      ]
    }
    let values = other.map { TemplateValues(copying: $0) } ?? sharedValues(languages)
    (values[.title], values[.description]) = (attributeText(title), attributeText(description))
    values[.canonical] = shop.url == nil ? nil : address(canonical)
    values[.alternates] = defaultPage == nil ? [] : alternates
    values[.openGraph] = properties.map {
      TemplateValues([.property: $0.0, .content: attributeText($0.1)])
    }
    values[.twitterCard] = image == nil ? nil : "summary_large_image"
    values[.languages] = linked
    return values
  }

  /// Returns the values that the pages of a language share, if their folders have the same depth.
  private func sharedValues(_ languages: [UILanguage]) -> TemplateValues {
    let own = language.language
    let shop = pages.shop
    let legal = Shop.LegalLink.allCases.compactMap { link in
      shop.legalLinks[link].map { address in
        TemplateValues([.label: pageText(language.word(link.key)), .href: pageText(address)])
      }
    }
    return TemplateValues([
      .lang: own.identifier, .dir: own.direction.rawValue, .root: path.root,
      .css: pages.address(of: .styleSheet, on: path),
      .script: pages.address(of: .script, on: path),
      .isHidden: false,
      .themeColors: pages.themeColors.map { scheme, color in
        TemplateValues([.media: "(prefers-color-scheme: \(scheme))", .color: color])
      },
      .shopName: pageText(balancedBidi(shop.name(in: language))),
      .logo: pages.address(of: shop.logo, on: path),
      .words: language.values,
      .own: OwnMessages(language) { [language] in ["shop": .text(shop.name(in: language))] },
      .legal: legal,
      .inEU: false, .inEEA: false, .hasLanguages: languages.count > 1,
    ])
  }
}
