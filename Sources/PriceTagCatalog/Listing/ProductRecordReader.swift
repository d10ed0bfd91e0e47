import GRDB
import PriceTag
import PriceTagText

/// Reads the records of products for the requested storefronts from one state of a catalog. Verifies the checksum of
/// every row, and that no row is missing.
///
/// A reader belongs to one connection and is used only on its thread.
final class ProductRecordReader {
  private let store: CatalogStore
  private let storefronts: [Storefront]
  private let storefrontIndices: StorefrontIndices
  /// Returns the index of the only language whose texts are read; `nil` if all texts are read.
  private let shownLanguageIndex: ((_ languages: [String]) -> Int?)?

  private var clearances = Clearances()
  private var groups = BoundedCache<GroupKey, GroupRecord>(limit: 10_000)
  private var locales = BoundedCache<String, PriceLocale>(limit: 1000)
  let schedules: PriceScheduleReader
  /// The sets of languages, by ID.
  private var languageSets = BoundedCache<Int64, LanguageSet>(limit: 1000)

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - database: The connection.
  ///   - storefronts: The storefronts whose prices are read.
  ///   - localeData: The currencies.
  ///   - shownLanguageIndex: Chooses the only language whose texts are read; `nil` reads all texts.
  init(
    _ database: Database,
    _ storefronts: [Storefront],
    _ localeData: LocaleData,
    shownLanguageIndex: ((_ languages: [String]) -> Int?)? = nil
  ) throws {
    store = CatalogStore(database, localeData: localeData)
    (self.storefronts, self.shownLanguageIndex) = (storefronts, shownLanguageIndex)
    storefrontIndices = StorefrontIndices(storefronts)
    schedules = try PriceScheduleReader(store, storefronts, storefrontIndices)
  }

  // MARK: Products

  /// Returns the product with an identifier, or `nil`.
  func product(_ identifier: String) throws -> ProductRecord? {
    let row = try store.select(.product, "identifier = ?")
    let found = try row.firstRow(.text(identifier)) {
      let product = try product(row)
      guard product.identifier.utf8.elementsEqual(identifier.utf8) else {
        throw DamagedCatalog(
          problem: "the index returned \(quoted(product.identifier)) for \(quoted(identifier))"
        )
      }
      return product
    }
    if found == nil { try IndexCrossCheck.product.checkMissing(identifier, store.database) }
    return found
  }

  /// Returns the product with a row ID, or `nil`.
  func product(row id: Int64) throws -> ProductRecord? {
    let row = try store.select(.product, "id = ?")
    return try row.firstRow(.integer(id)) { try product(row) }
  }

  /// Returns the product of a statement's current row.
  func product(_ row: CatalogStatement) throws -> ProductRecord {
    let identifier = try row.requiredText(ProductColumn.identifier)
    return try DamagedCatalog.naming(identifier) {
      try CatalogTable.product.verify(row)
      let id = try row.requiredInteger(ProductColumn.id)
      let (languages, texts) = try texts(of: id, row.requiredInteger(ProductColumn.textSet))
      let image = try row.text(ProductColumn.image)
      let images = try ProductImage.all(row)
      let terms = try SaleTerms(identifier, row, &clearances)
      var schedule = try schedules.schedule(
        of: row.requiredInteger(ProductColumn.list),
        row.requiredInteger(ProductColumn.priceSet),
        row.requiredInteger(ProductColumn.tierPeriods)
      )
      schedule.histories = try schedules.histories(of: identifier)
      return ProductRecord(
        terms: terms,
        category: try group(.category, row.text(ProductColumn.category)),
        subscriptionGroup: try group(.subscriptionGroup, row.text(ProductColumn.subscriptionGroup)),
        groupLevel: try row.smallInteger(ProductColumn.groupLevel),
        image: image ?? images.first?.address,
        schedule: schedule,
        priceLocales: try priceLocales(of: id, row.requiredInteger(ProductColumn.localeSet)),
        languages: languages,
        texts: texts,
        // The text of an offer includes the regular price per period, so there are no offers without a period.
        offers: terms.subscriptionPeriod == nil
          ? [] : try offers(of: id, row.requiredInteger(ProductColumn.offers)),
        images: images,
        related: try row.text(ProductColumn.related).map(RelatedProducts.identifiers),
        row: id
      )
    }
  }

  // MARK: Texts

  /// The languages of a product's texts.
  private struct LanguageSet {
    /// The languages of all texts.
    let all: [String]
    /// The languages of the texts that have a name.
    let named: [String]
  }

  private func languageSet(_ id: Int64) throws -> LanguageSet {
    if let cached = languageSets[id] { return cached }
    let set = try store.sets.set(id)
    let languages = LanguageSet(all: set.names, named: set.members.filter { $0.count > 0 }.map(\.name))
    languageSets.store(languages, for: id)
    return languages
  }

  private func texts(of product: Int64, _ setID: Int64) throws -> ([String], [ProductText]) {
    let expected = try languageSet(setID)
    if let shownLanguageIndex {
      let languages = expected.named
      guard let index = shownLanguageIndex(languages) else { return ([], []) }
      var texts = Array(repeating: ProductText(name: nil), count: languages.count)
      let row = try store.select(.productText, "product = ? AND language = ?")
      let text = try row.firstRow(.integer(product), .text(languages[index])) {
        try ProductText.stored(row).text
      }
      guard let text, text.name != nil else {
        throw DamagedCatalog(problem: "its text in \(languages[index]) is missing")
      }
      texts[index] = text
      return (languages, texts)
    }
    var (all, languages, texts): ([String], [String], [ProductText]) = ([], [], [])
    let row = try store.select(.productText, "product = ? ORDER BY language")
    try row.forEachRow(.integer(product)) {
      let (language, text) = try ProductText.stored(row)
      all.append(language)
      guard text.name != nil else { return }
      languages.append(language)
      texts.append(text)
    }
    guard expected.all == all, expected.named == languages else { throw DamagedCatalog.mismatch("texts") }
    return (languages, texts)
  }

  // MARK: Price locales

  func priceLocales(of product: Int64, _ setID: Int64) throws -> [String: PriceLocale] {
    // Most products have no price locales, so this case runs no query.
    if setID == 0 { return [:] }
    var locales: [String: PriceLocale] = [:]
    // For a single storefront, the primary key finds its rows without scanning the others.
    let row = try store.select(
      .priceLocale,
      storefronts.count == 1 ? "product = ? AND storefront = ?" : "product = ?"
    )
    try row.forEachRow(product, in: storefronts) {
      let storefront = try row.requiredText(PriceLocaleColumn.storefront)
      guard storefrontIndices[storefront] != nil else { return }
      try CatalogTable.priceLocale.verify(row)
      locales[storefront] = try row.text(PriceLocaleColumn.locale).flatMap(locale)
    }
    let expected = try schedules.counts(setID)
    for (index, storefront) in storefronts.enumerated() where storefrontIndices[storefront.id] == index {
      guard expected[index] == (locales[storefront.id] == nil ? 0 : 1) else {
        throw DamagedCatalog.mismatch("price locales")
      }
    }
    return locales
  }

  private func locale(_ tag: String) throws -> PriceLocale? {
    if let cached = locales[tag] { return cached }
    let locale = try stored(tag) { try? PriceLocale($0, allowsNumberingSystem: true) }
    if let locale { locales.store(locale, for: tag) }
    return locale
  }

  // MARK: Offers

  private func offers(of product: Int64, _ count: Int64) throws -> [OfferRecord] {
    if count == 0 { return [] }
    var offers: [OfferRecord] = []
    var rowCount: Int64 = 0
    let row = try store.select(.offer, "product = ? ORDER BY position")
    try row.forEachRow(.integer(product)) {
      try CatalogTable.offer.verify(row)
      rowCount += 1
      let (kind, terms) = try CatalogOffer.phase(row)
      let phase = OfferRecord.Phase(
        terms: terms,
        schedule: terms.paymentMode == .freeTrial
          ? nil
          : try schedules.schedule(
            of: row.requiredInteger(OfferColumn.list),
            row.requiredInteger(OfferColumn.priceSet),
            row.requiredInteger(OfferColumn.tierPeriods)
          )
      )
      if let kind {
        offers.append(
          OfferRecord(
            kind: kind,
            identifier: try row.text(OfferColumn.identifier),
            clearedForSale: clearances.clearance(try row.text(OfferColumn.clearedForSale)),
            days: try .stored(row.bytes(OfferColumn.firstDay), row.bytes(OfferColumn.lastDay)),
            phases: [phase]
          )
        )
      } else {
        guard let last = offers.indices.last else { throw DamagedCatalog.incompleteOffer }
        offers[last].phases.append(phase)
      }
    }
    guard count == rowCount else { throw DamagedCatalog.mismatch("offers") }
    return offers
  }

  // MARK: Groups

  private struct GroupKey: Hashable {
    let kind: ProductGroup.Kind
    let identifier: ExactText
  }

  private func group(_ kind: ProductGroup.Kind, _ identifier: String?) throws -> GroupRecord? {
    guard let identifier else { return nil }
    let key = GroupKey(kind: kind, identifier: ExactText(identifier))
    if let cached = groups[key] { return cached }
    let group = GroupRecord(identifier, names: try store.group(kind, identifier)?.names ?? [:])
    groups.store(group, for: key)
    return group
  }
}
