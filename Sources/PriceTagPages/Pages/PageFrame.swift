import PriceTag
import PriceTagStrings

/// The template values that every page has, for its head, its header, and its footer.
struct PageFrame {
  let pages: StorePages
  let path: PagePath
  let language: PageLanguage

  /// Returns the values of a page in a store, with links to the same page in the store's other languages.
  func values(
    title: String,
    description: String,
    type: String,
    image: String? = nil,
    price: FormattedPrice? = nil,
    alternates store: Store,
    jsonLD: String?,
    page: (UILanguage) -> PagePath
  ) throws(PagesError) -> TemplateValues {
    let values = try values(
      title: title,
      description: description,
      type: type,
      languages: store.languages,
      defaultLanguage: store.defaultLanguage,
      region: store.storefront.alpha2,
      image: image,
      price: price,
      page: page
    )
    values["jsonLD"] = jsonLD
    return values
  }

  /// Returns the values of a page.
  ///
  /// - Parameters:
  ///   - title: The title.
  ///   - description: The description for search engines.
  ///   - type: The Open Graph type.
  ///   - languages: The languages in which the page exists.
  ///   - defaultLanguage: The language for shoppers who prefer none of them.
  ///   - region: The territory of the store, alpha-2.
  ///   - image: The absolute address of an image.
  ///   - price: The price of the product.
  ///   - page: Returns the path of the page in another language.
  func values(
    title: String,
    description: String,
    type: String,
    languages: [UILanguage] = [],
    defaultLanguage: UILanguage? = nil,
    region: String? = nil,
    image: String? = nil,
    price: FormattedPrice? = nil,
    page: (UILanguage) -> PagePath = { .entry($0) }
  ) throws(PagesError) -> TemplateValues {
    let own = language.language
    let shop = pages.shop
    func address(_ other: PagePath) -> String {
      pageText(shop.url.map { "\($0)\(other)" } ?? path.href(to: other))
    }
    var alternates = languages.map { language in
      TemplateValues(["hreflang": language.identifier, "href": address(page(language))])
    }
    if let defaultLanguage, languages.count > 1 {
      alternates.append(TemplateValues(["hreflang": "x-default", "href": address(page(defaultLanguage))]))
    }
    var linked: [TemplateValues] = []
    for language in languages {
      linked.append(
        TemplateValues([
          "lang": language.identifier, "dir": language.direction.rawValue,
          "name": pageText(try pages.language(language).ownName), "href": path.href(to: page(language)),
          "isCurrent": language == own,
        ])
      )
    }
    // The root page is a copy of the entry page in the default language, whose address is canonical.
    let canonical = languages.contains(own) ? page(own) : path
    return TemplateValues([
      "lang": own.identifier, "dir": own.direction.rawValue, "title": attributeText(title),
      "description": attributeText(description), "root": path.root, "css": pages.styleSheet(on: path),
      "script": pages.script(on: path), "quantityScript": nil,
      "canonical": shop.url == nil ? nil : address(canonical),
      "alternates": languages.count > 1 ? alternates : [], "jsonLD": nil, "isHidden": false,
      "openGraph": openGraph(title, description, type, canonical, languages, region, image, price),
      "themeColors": [
        TemplateValues([
          "media": "(prefers-color-scheme: light)", "color": shop.theme.light[.background]?.description,
        ]),
        TemplateValues([
          "media": "(prefers-color-scheme: dark)", "color": shop.theme.dark[.background]?.description,
        ]),
      ],
      "shopName": pageText(balancedBidi(shop.name(in: language))),
      "logo": pages.address(of: shop.logo, on: path),
      "words": language.values,
      "languages": linked, "hasLanguages": languages.count > 1,
    ])
  }

  private func openGraph(
    _ title: String,
    _ description: String,
    _ type: String,
    _ canonical: PagePath,
    _ languages: [UILanguage],
    _ region: String?,
    _ image: String?,
    _ price: FormattedPrice?
  ) -> [TemplateValues] {
    var properties = [
      ("og:type", type), ("og:title", title), ("og:description", description),
      ("og:site_name", pages.shop.name(in: language)),
      ("og:locale", Self.locale(language.language, region)),
    ]
    var locales: Set<String> = [Self.locale(language.language, region)]
    for other in languages {
      let locale = Self.locale(other, region)
      if locales.insert(locale).inserted { properties.append(("og:locale:alternate", locale)) }
    }
    if let url = pages.shop.url { properties.append(("og:url", "\(url)\(canonical)")) }
    if let image { properties.append(("og:image", image)) }
    // The protocol has codes of ISO 4217 only.
    if let price, price.currency.kind != .custom {
      properties += [
        ("product:price:amount", price.amount.description), ("product:price:currency", price.currency.code),
      ]
    }
    return properties.map { TemplateValues(["property": $0.0, "content": attributeText($0.1)]) }
  }

  /// Returns an Open Graph locale, `language_TERRITORY`, with the territory of the language or else of the store.
  private static func locale(_ language: UILanguage, _ region: String?) -> String {
    let parts = language.identifier.split(separator: "-")
    let own = parts.dropFirst().first { $0.utf8.count == 2 }.map(String.init)
    let territory = own ?? region
    return (parts.first.map(String.init) ?? "") + (territory.map { "_\($0)" } ?? "")
  }
}
