import GRDB
import PriceTag
import PriceTagText

/// Reads what products need to be shown in some storefronts, from one state of a catalog, and checks what it reads: the
/// checksum of each row, and that no row is missing.
///
/// It belongs to one connection, and is used by its thread alone.
final class ProductFactsReading {
  private let database: Database
  private let storefronts: [Storefront]
  private let hasChecksums: Bool
  private let numbers: StorefrontNumbers
  /// The language of several that a text is shown in, by its number, where one alone is shown.
  private let shownText: ((_ languages: [String]) -> Int?)?

  private let findProduct: CatalogStatement
  private let findLanguages: CatalogStatement
  private let findText: CatalogStatement
  private let findTexts: CatalogStatement
  private let findLocales: CatalogStatement
  private let findOffers: CatalogStatement
  private let findNames: CatalogStatement

  private var groups = BoundedCache<[UInt8], GroupFacts>(limit: 10_000)
  private var locales = BoundedCache<String, PriceLocale>(limit: 1000)
  private let sets: PartSets
  private let schedules: PriceScheduleReading
  /// By the number of a set of languages.
  private var languageSets = BoundedCache<Int64, LanguageSet>(limit: 1000)

  /// - Parameters:
  ///   - database: The connection.
  ///   - storefronts: Whose prices are read.
  ///   - localeData: The registry of currencies.
  ///   - hasChecksums: Whether the catalog has checksums to check.
  ///   - shownText: Chooses the one language in which texts are shown; `nil` where all are.
  init(
    _ database: Database,
    _ storefronts: [Storefront],
    _ localeData: LocaleData,
    hasChecksums: Bool,
    shownText: ((_ languages: [String]) -> Int?)? = nil
  ) throws {
    self.database = database
    (self.storefronts, self.shownText) = (storefronts, shownText)
    self.hasChecksums = hasChecksums
    numbers = StorefrontNumbers(storefronts)
    sets = PartSets(database)
    schedules = try PriceScheduleReading(
      database,
      storefronts,
      numbers,
      localeData,
      hasChecksums: hasChecksums
    )
    func select(_ table: CatalogTable, _ condition: String) throws -> CatalogStatement {
      try table.select(condition, database, hasChecksums)
    }
    findProduct = try select(.product, "identifier = ?")
    // Of a catalog with checksums, the product's row says which languages there are.
    findLanguages = try CatalogStatement(
      database,
      "SELECT language AS value FROM product_text WHERE product = ? AND name IS NOT NULL ORDER BY language"
    )
    findText = try select(.productText, "product = ? AND language = ?")
    findTexts = try select(.productText, "product = ? ORDER BY language")
    // One storefront's rows are found without passing over the others'.
    let isOfStorefront = storefronts.count == 1 ? "AND storefront = ?" : ""
    findLocales = try select(.priceLocale, "product = ? \(isOfStorefront)")
    findOffers = try select(.offer, "product = ? ORDER BY position")
    findNames = try select(.productGroup, "kind = ? AND identifier = ?")
  }

  /// Calls the body at each row of a statement that looks for one storefront's rows where there is one.
  private func forEachRow(_ statement: CatalogStatement, of number: Int64, body: () throws -> Void) throws {
    if storefronts.count == 1, let only = storefronts.first {
      try statement.forEachRow(.integer(number), .text(only.id), body: body)
    } else {
      try statement.forEachRow(.integer(number), body: body)
    }
  }

  private func verify(_ table: CatalogTable, _ row: CatalogStatement) throws {
    if hasChecksums { try table.verify(row) }
  }

  /// A number that the row of an owner has of its parts.
  private func part(_ row: CatalogStatement, _ column: some CatalogColumn) throws -> Int64? {
    hasChecksums ? try row.requiredInteger(column) : nil
  }

  // MARK: Products

  /// The product of an identifier; `nil` where there is none.
  func product(_ identifier: String) throws -> ProductFacts? {
    let found = try findProduct.firstRow(.text(identifier)) {
      let product = try product(findProduct)
      guard product.identifier.utf8.elementsEqual(identifier.utf8) else {
        throw DamagedCatalog(problem: "the index has \(quoted(product.identifier)) for \(quoted(identifier))")
      }
      return product
    }
    if found == nil, hasChecksums { try SecondIndex.product.check(identifier, isFound: false, database) }
    return found
  }

  /// The product of a row of the table `product`.
  func product(_ row: CatalogStatement) throws -> ProductFacts {
    let identifier = try row.requiredText(ProductColumn.identifier)
    return try DamagedCatalog.naming(identifier) {
      try verify(.product, row)
      let id = try row.requiredInteger(ProductColumn.id)
      let (languages, texts) = try texts(of: id, part(row, ProductColumn.textSet))
      let period = try stored(row.text(ProductColumn.subscriptionPeriod)) { try? SubscriptionPeriod($0) }
      return ProductFacts(
        identifier: identifier,
        kind: try stored(row.text(ProductColumn.kind), ProductKind.init),
        isApproved: try row.integer(ProductColumn.isApproved).map { $0 != 0 } ?? true,
        clearedForSale: try stored(row.text(ProductColumn.clearedForSale), Clearance.init(stored:))
          ?? .everywhere,
        category: try group(.category, row.text(ProductColumn.category)),
        subscriptionGroup: try group(.subscriptionGroup, row.text(ProductColumn.subscriptionGroup)),
        groupLevel: try row.smallInteger(ProductColumn.groupLevel),
        subscriptionPeriod: period,
        image: try row.text(ProductColumn.image),
        schedule: try schedules.schedule(
          of: row.requiredInteger(ProductColumn.list),
          part(row, ProductColumn.priceSet),
          part(row, ProductColumn.tierPeriods)
        ),
        priceLocales: try priceLocales(of: id, part(row, ProductColumn.localeSet)),
        languages: languages,
        texts: texts,
        // An offer leads to a price of a period: without one there is none to show.
        offers: period == nil ? [] : try offers(of: id, part(row, ProductColumn.offers))
      )
    }
  }

  // MARK: Texts

  /// The languages that a product has texts in.
  private struct LanguageSet {
    /// Those of all texts.
    let all: [String]
    /// Those of the texts that have a name.
    let named: [String]
  }

  private func languages(_ number: Int64) throws -> LanguageSet {
    if let known = languageSets[number] { return known }
    let set = try sets.set(number)
    let found = LanguageSet(all: set.names, named: set.members.filter { $0.count > 0 }.map(\.name))
    languageSets.keep(found, for: number)
    return found
  }

  private func texts(of product: Int64, _ number: Int64?) throws -> ([String], [ProductText]) {
    let known = try number.map(languages)
    if let shownText {
      let languages = try known?.named ?? unverifiedLanguages(of: product)
      guard let index = shownText(languages) else { return ([], []) }
      var texts = Array(repeating: ProductText(name: nil), count: languages.count)
      let text = try findText.firstRow(.integer(product), .text(languages[index])) {
        try localization(findText).text
      }
      if let text { texts[index] = text }
      guard known == nil || text?.name != nil else {
        throw Self.lost("its text in \(languages[index]) is lost")
      }
      return (languages, texts)
    }
    var (all, languages, texts): ([String], [String], [ProductText]) = ([], [], [])
    try findTexts.forEachRow(.integer(product)) {
      let (language, text) = try localization(findTexts)
      all.append(language)
      guard text.name != nil else { return }
      languages.append(language)
      texts.append(text)
    }
    if let known, known.all != all || known.named != languages {
      throw Self.lost("its texts are not those that were imported")
    }
    return (languages, texts)
  }

  private func localization(_ row: CatalogStatement) throws -> (language: String, text: ProductText) {
    try verify(.productText, row)
    return (
      try row.requiredText(ProductTextColumn.language),
      ProductText(
        name: try row.text(ProductTextColumn.name),
        description: try row.text(ProductTextColumn.description)
      )
    )
  }

  private func unverifiedLanguages(of product: Int64) throws -> [String] {
    var languages: [String] = []
    try findLanguages.forEachRow(.integer(product)) {
      languages.append(try findLanguages.requiredText(OnlyColumn.value))
    }
    return languages
  }

  private static func lost(_ problem: String) -> DamagedCatalog { DamagedCatalog(problem: problem) }

  // MARK: Price locales

  private func priceLocales(of product: Int64, _ number: Int64?) throws -> [String: PriceLocale] {
    // Most products have none, and their rows say so.
    if number == 0 { return [:] }
    var locales: [String: PriceLocale] = [:]
    try forEachRow(findLocales, of: product) {
      let storefront = try findLocales.requiredText(PriceLocaleColumn.storefront)
      guard numbers[try findLocales.requiredBytes(PriceLocaleColumn.storefront)] != nil else { return }
      try verify(.priceLocale, findLocales)
      locales[storefront] = try findLocales.text(PriceLocaleColumn.locale).flatMap(locale)
    }
    if let number {
      let expected = try schedules.counts(number)
      for (index, storefront) in storefronts.enumerated() where numbers[storefront.id] == index {
        guard expected[index] == (locales[storefront.id] == nil ? 0 : 1) else {
          throw Self.lost("its price locales are not those that were imported")
        }
      }
    }
    return locales
  }

  private func locale(_ tag: String) throws -> PriceLocale? {
    if let known = locales[tag] { return known }
    let locale = try stored(tag) { try? PriceLocale($0, allowsNumberingSystem: true) }
    if let locale { locales.keep(locale, for: tag) }
    return locale
  }

  // MARK: Offers

  private func offers(of product: Int64, _ count: Int64?) throws -> [OfferFacts] {
    if count == 0 { return [] }
    var offers: [OfferFacts] = []
    try findOffers.forEachRow(.integer(product)) {
      let row = findOffers
      try verify(.offer, row)
      guard let kind = try stored(row.text(OfferColumn.kind), CatalogOffer.Kind.init),
        let mode = try stored(row.text(OfferColumn.paymentMode), CatalogOffer.PaymentMode.init),
        let period = try stored(row.text(OfferColumn.period), { try? SubscriptionPeriod($0) }),
        let periodCount = try row.smallInteger(OfferColumn.periodCount)
      else { throw DamagedCatalog(problem: "an offer is not whole") }
      let list = try row.requiredInteger(OfferColumn.list)
      offers.append(
        OfferFacts(
          kind: kind,
          identifier: try row.text(OfferColumn.identifier),
          paymentMode: mode,
          period: period,
          periodCount: periodCount,
          clearedForSale: try stored(row.text(OfferColumn.clearedForSale), Clearance.init(stored:))
            ?? .everywhere,
          days: try .stored(row, OfferColumn.firstDay, .lastDay),
          schedule: mode == .freeTrial
            ? nil
            : try schedules.schedule(
              of: list,
              part(row, OfferColumn.priceSet),
              part(row, OfferColumn.tierPeriods)
            )
        )
      )
    }
    guard count == nil || count == Int64(offers.count) else {
      throw Self.lost("its offers are not those that were imported")
    }
    return offers
  }

  // MARK: Groups

  private func group(_ kind: ProductGroup.Kind, _ identifier: String?) throws -> GroupFacts? {
    guard let identifier else { return nil }
    let key = Array("\(kind.rawValue) \(identifier)".utf8)
    if let known = groups[key] { return known }
    var names: [String: String] = [:]
    var count = 0
    try findNames.forEachRow(.text(kind.rawValue), .text(identifier)) {
      try verify(.productGroup, findNames)
      let language = try findNames.requiredText(ProductGroupColumn.language)
      // A group without a name is stored under no language.
      if !language.isEmpty { names[language] = try findNames.requiredText(ProductGroupColumn.name) }
      count += 1
    }
    if hasChecksums { try SecondIndex.checkGroup(kind.rawValue, identifier, count: count, database) }
    let group = GroupFacts(identifier, names: names)
    groups.keep(group, for: key)
    return group
  }
}
