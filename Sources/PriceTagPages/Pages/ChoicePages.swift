import PriceTag
import PriceTagCatalog
import PriceTagStrings
import PriceTagText

/// The pages on which shoppers choose a store: the entry pages, the page of a product in all stores, and the page for an
/// address that does not exist.
extension StorePages {
  /// Returns the entry page, where shoppers choose a store and a language. The language changes every UI string but no
  /// price.
  ///
  /// - Parameters:
  ///   - path: The path of the page.
  ///   - language: The language of the page.
  ///   - storefronts: The storefronts with pages, and the languages of each.
  ///   - languages: The languages of the entry pages.
  ///   - day: The day that decides the currencies.
  /// - Throws: `.stringsFailed`, `.invalidTemplate`.
  public func entryPage(
    at path: PagePath,
    in language: UILanguage,
    storefronts: [(storefront: Storefront, languages: [UILanguage])],
    languages: [UILanguage],
    on day: StoreDay
  ) throws(PagesError) -> String {
    let words = try self.language(language)
    let frame = PageFrame(pages: self, path: path, language: words)
    let values = try frame.values(
      title: "\(titlePart(shop.name(in: words))) – \(try entryTitle(at: path, words, languages))",
      description: words.word("choose_store"),
      languages: languages,
      searchLanguages: languages.map { ($0, $0.identifier) },
      defaultPage: languages.count > 1 ? .root : nil
    ) { .entry($0, isDefault: $0 == languages.first) }
    values[.jsonLD] = StructuredData.organization(
      shop,
      shop.name(in: words),
      logo: absoluteAddress(of: shop.logo) ?? shop.url.map { $0 + Self.iconPath }
    )
    values[.homeHref] = "./"
    let choice = try StoreChoice(of: storefronts, in: language, on: day)
    values[.regions] = choice.values(on: path) { .store($0.storefront, $0.language) }
    values[.chooseScript] = address(of: .chooseScript, on: path)
    values[.productsHref] = "\(path.root)choose/products/"
    return try templates.render(.entry, values)
  }

  /// Returns the title of an entry page, with the name of its language if another entry page has the same words: that of
  /// the root, or of a language such as British English.
  private func entryTitle(
    at path: PagePath,
    _ words: PageLanguage,
    _ languages: [UILanguage]
  ) throws(PagesError) -> String {
    let (title, language) = (words.word("choose_store"), words.language)
    if path == .root { return title }
    var isAmbiguous = language == languages.first
    for other in languages where other != language && !isAmbiguous {
      isAmbiguous = try self.language(other).word("choose_store") == title
    }
    return isAmbiguous ? "\(title), \(language.name(of: language))" : title
  }

  /// Returns the page of a product in all stores, where shoppers choose one. It shows no price, because no store is chosen.
  ///
  /// - Parameters:
  ///   - identifier: The product identifier.
  ///   - text: The name and description of the product; `nil` if it has none.
  ///   - image: The product's picture.
  ///   - choice: The stores, in the language of the page.
  ///   - isSold: Returns whether a store has the product.
  /// - Throws: `.stringsFailed`, `.invalidTemplate`.
  package func productEntryPage(
    _ identifier: String,
    _ text: Product.Text?,
    image: String?,
    _ choice: StoreChoice,
    isSold: (Storefront) -> Bool
  ) throws(PagesError) -> String {
    let path = PagePath.productEntry(identifier)
    let words = try language(choice.language)
    let name = text?.name ?? identifier
    let values = try PageFrame(pages: self, path: path, language: words).values(
      title: "\(titlePart(name)) – \(titlePart(shop.name(in: words))) – \(words.word("choose_store"))",
      description: text?.description ?? words.word("choose_store"),
      image: linkPicture(image, named: name)
    )
    values[.homeHref] = path.href(to: .root)
    values[.product] = TemplateValues([
      .id: pageText(identifier), .name: pageText(balancedBidi(name)),
      .lang: text.map { pageText($0.language) },
      .image: address(of: image, on: path),
    ])
    values[.regions] = choice.values(on: path) { entry in
      isSold(entry.storefront) ? .product(identifier, entry.storefront, entry.language) : nil
    }
    values[.chooseScript] = address(of: .chooseScript, on: path)
    return try templates.render(.productEntry, values)
  }

  /// Returns the page for an address that does not exist.
  ///
  /// - Parameters:
  ///   - root: The address of the site's folder, relative to the requested address or absolute: `../../` or `/shop/`.
  ///   - choice: The stores, in the language of the page.
  ///   - languages: The languages of the entry pages.
  ///   - requested: The store that the requested address names, with the language in which to link it.
  ///   - isStatic: Whether one file answers all addresses. It contains its texts in all languages, and a script shows the
  ///     one that suits the visitor.
  /// - Throws: `.stringsFailed`, `.invalidTemplate`.
  package func notFoundPage(
    root: String,
    _ choice: StoreChoice,
    languages: [UILanguage],
    requested: (storefront: Storefront, language: UILanguage)? = nil,
    isStatic: Bool
  ) throws(PagesError) -> String {
    let path = PagePath.notFound(root: root)
    let words = try language(choice.language)
    let values = try PageFrame(pages: self, path: path, language: words).values(
      title: "\(titlePart(shop.name(in: words))) – \(words.word("page_not_found"))",
      description: words.word("page_not_found"),
      languages: languages
    )
    values[.isHidden] = true
    for name in [TemplateName.canonical, .alternates, .openGraph] { values[name] = TemplateValue.none }
    values[.homeHref] = path.href(to: .root)
    values[.regions] = choice.values(on: path) { .store($0.storefront, $0.language) }
    values[.chooseScript] = address(of: .chooseScript, on: path)
    values[.translations] = isStatic ? try translations(languages, on: path) : nil
    values[.requestedStore] = requested.map { storefront, language in
      TemplateValues([
        .href: path.href(to: .store(storefront, language)), .hreflang: language.identifier,
        .name: pageText(choice.language.name(of: storefront)),
      ])
    }
    return try templates.render(.notFound, values)
  }

  /// Returns the texts of the page for an address that does not exist, in all languages, as JSON for its script.
  private func translations(_ languages: [UILanguage], on path: PagePath) throws(PagesError) -> String {
    var translations: [String] = []
    for language in languages {
      let words = try self.language(language)
      let fields = [
        ("lang", language.identifier), ("dir", language.direction.rawValue),
        ("href", path.href(to: .entry(language))),
      ]
      let keys = [
        "page_not_found", "page_not_found_reason", "choose_store", "choose_language", "filter", "no_matches",
        "store", "skip_to_content",
      ]
      let texts = fields + keys.map { ($0, words.word($0)) }
      translations.append(jsonObject(texts.map { ($0, json($1)) }))
    }
    return StructuredData.script(jsonArray(translations))
  }

  /// Returns the language in which to link a storefront from a page in another language.
  package static func closestLanguage(
    to language: UILanguage,
    among languages: [UILanguage],
    of storefront: Storefront
  ) -> UILanguage {
    if languages.contains(language) { return language }
    let match = LanguageMatcher(languages).match(language.identifier)
    if match.reason != .fallback { return match.language }
    return storefront.defaultLanguage(among: languages) ?? language
  }
}
