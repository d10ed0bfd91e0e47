import GRDB
import PriceTag
import PriceTagSystem
import PriceTagText

// Products and their offers.

extension CatalogStore {
  /// A product with the IDs of its row and its price list.
  struct StoredProduct {
    let id: Int64
    let list: Int64
    /// The date or instant since which the catalog has the product; `nil` if schema 4 stored it.
    let knownSince: String?
    let product: CatalogProduct
  }

  /// The IDs of a product's sets and the counts of its rows, by which missing rows are detected.
  private struct StoredParts {
    let priceSet: Int64
    let tierCount: Int64
    let textSet: Int64
    let localeSet: Int64
    let offerCount: Int64

    init(_ row: CatalogStatement) throws {
      priceSet = try row.requiredInteger(ProductColumn.priceSet)
      tierCount = try row.requiredInteger(ProductColumn.tierPeriods)
      textSet = try row.requiredInteger(ProductColumn.textSet)
      localeSet = try row.requiredInteger(ProductColumn.localeSet)
      offerCount = try row.requiredInteger(ProductColumn.offers)
    }
  }

  /// Returns a product, or `nil`.
  ///
  /// - Throws: `DamagedCatalog`, naming the product.
  func product(_ identifier: String) throws -> StoredProduct? {
    try DamagedCatalog.naming(identifier) {
      let row = try select(.product, "identifier = ?")
      let found = try row.firstRow(.text(identifier)) {
        () throws -> (
          id: Int64, list: Int64, knownSince: String?, parts: StoredParts, product: CatalogProduct,
          tax: ProductTax?
        ) in
        try CatalogTable.product.verify(row)
        guard try row.text(ProductColumn.identifier) == identifier else {
          throw DamagedCatalog.checksum(of: .product)
        }
        var product = CatalogProduct(stored: identifier)
        product.kind = try stored(row.text(ProductColumn.kind), ProductKind.init)
        product.referenceName = try row.text(ProductColumn.referenceName)
        product.category = try row.text(ProductColumn.category)
        product.subscriptionGroup = try row.text(ProductColumn.subscriptionGroup)
        product.groupLevel = try row.smallInteger(ProductColumn.groupLevel)
        product.subscriptionPeriod = try stored(row.text(ProductColumn.subscriptionPeriod)) {
          try? SubscriptionPeriod($0)
        }
        product.isApproved = try row.integer(ProductColumn.isApproved).map { $0 != 0 }
        product.clearedForSale = try stored(row.text(ProductColumn.clearedForSale), Clearance.init(stored:))
        product.image = try row.text(ProductColumn.image)
        product.images = try row.text(ProductColumn.images).map(ProductImage.stored)
        product.related = try row.text(ProductColumn.related).map(RelatedProducts.identifiers)
        product.sortOrder = try row.smallInteger(ProductColumn.sortOrder)
        product.content = try row.text(ProductColumn.content).map { try ProductContent($0) }
        product.unitReference = try row.text(ProductColumn.unitReference).map { try UnitPriceReference($0) }
        let tax = try stored(row.text(ProductColumn.tax), ProductTax.init(stored:))
        product.taxInclusion = tax?.product
        return (
          try row.requiredInteger(ProductColumn.id), try row.requiredInteger(ProductColumn.list),
          try row.text(ProductColumn.knownSince), try StoredParts(row), product, tax
        )
      }
      guard case (let id, let list, let knownSince, let parts, var product, let tax)? = found else {
        try IndexCrossCheck.product.checkMissing(identifier, database)
        return nil
      }
      product.localizations = try texts(of: id, setID: parts.textSet)
      product.priceLocales = try priceLocales(of: id, setID: parts.localeSet)
      product.prices = try prices(of: list, setID: parts.priceSet)
      if let tax { product.prices.taxInclusions = tax.storefronts }
      let tiers = try tiers(of: list, count: parts.tierCount)
      product.tiers = tiers.isEmpty ? nil : tiers
      let offers = try offers(of: id, count: parts.offerCount)
      product.offers = offers.isEmpty ? nil : offers
      return StoredProduct(id: id, list: list, knownSince: knownSince, product: product)
    }
  }

  private func texts(of product: Int64, setID: Int64) throws -> [String: ProductText] {
    let row = try select(.productText, "product = ? ORDER BY language")
    var (texts, found): ([String: ProductText], PartSet) = ([:], PartSet())
    try row.forEachRow(.integer(product)) {
      let (language, text) = try ProductText.stored(row)
      texts[language] = text
      found.add(language, count: text.name == nil ? 0 : 1)
    }
    try check(found, setID: setID, "texts")
    return texts
  }

  private func priceLocales(of product: Int64, setID: Int64) throws -> [String: PriceLocale] {
    let row = try select(.priceLocale, "product = ? ORDER BY storefront")
    var (locales, found): ([String: PriceLocale], PartSet) = ([:], PartSet())
    try row.forEachRow(.integer(product)) {
      try CatalogTable.priceLocale.verify(row)
      let storefront = try row.requiredText(PriceLocaleColumn.storefront)
      locales[storefront] = try stored(row.text(PriceLocaleColumn.locale)) {
        try? PriceLocale($0, allowsNumberingSystem: true)
      }
      found.add(storefront)
    }
    try check(found, setID: setID, "price locales")
    return locales
  }

  /// Inserts a product, or replaces the stored one.
  ///
  /// - Parameters:
  ///   - product: The product.
  ///   - stored: The stored product with the same identifier, or `nil`.
  ///   - knownSince: The date or instant since which the catalog has it.
  /// - Returns: The ID of its row.
  func write(_ product: CatalogProduct, replacing stored: StoredProduct?, knownSince: String? = nil) throws
    -> Int64
  {
    let list = try stored?.list ?? newList()
    let id = try stored?.id ?? newProductID()
    if let stored { try deleteParts(of: stored) }
    var (texts, locales) = (PartSet(), PartSet())
    for (language, text) in product.localizations.sorted(by: { $0.key < $1.key }) {
      try insert([
        ProductTextColumn.product: .integer(id),
        .language: .text(language),
        .name: CatalogValue(text.name),
        .description: CatalogValue(text.description),
      ])
      texts.add(language, count: text.name == nil ? 0 : 1)
    }
    for (storefront, locale) in product.priceLocales.sorted(by: { $0.key < $1.key }) {
      try insert([
        PriceLocaleColumn.product: .integer(id), .storefront: .text(storefront),
        .locale: .text(locale.identifier),
      ])
      locales.add(storefront)
    }
    let priceSet = try write(product.prices, of: list)
    try write(product.tiers ?? [], of: list)
    let offerRowCount = try write(product.offers ?? [], of: id)
    let values: KeyValuePairs<ProductColumn, CatalogValue> = [
      .id: .integer(id),
      .identifier: .text(product.identifier),
      .list: .integer(list),
      .kind: CatalogValue(product.kind?.rawValue),
      .referenceName: CatalogValue(product.referenceName),
      .category: CatalogValue(product.category),
      .subscriptionGroup: CatalogValue(product.subscriptionGroup),
      .groupLevel: CatalogValue(product.groupLevel),
      .subscriptionPeriod: CatalogValue(product.subscriptionPeriod?.description),
      .isApproved: CatalogValue(product.isApproved),
      .clearedForSale: CatalogValue(product.clearedForSale?.stored),
      .image: CatalogValue(product.image),
      .sortOrder: CatalogValue(product.sortOrder),
      .priceSet: .integer(priceSet),
      .tierPeriods: CatalogValue(product.tiers?.count ?? 0),
      .textSet: .integer(try sets.id(of: texts)),
      .localeSet: .integer(try sets.id(of: locales)),
      .offers: CatalogValue(offerRowCount),
      .content: CatalogValue(product.content?.description),
      .unitReference: CatalogValue(product.unitReference?.description),
      .images: CatalogValue(product.images.map { jsonArray($0.map(\.json)) }),
      .related: CatalogValue(product.related.map(RelatedProducts.text)),
      .knownSince: CatalogValue(knownSince),
      .tax: CatalogValue(ProductTax(product).stored),
    ]
    if stored != nil { try statement("DELETE FROM product WHERE id = ?").run(.integer(id)) }
    try insert(values)
    if stored == nil { try changeTotals { $0.products.insert(.product, product.identifier) } }
    return id
  }

  func delete(_ stored: StoredProduct) throws {
    try deleteParts(of: stored)
    try statement("DELETE FROM product WHERE id = ?").run(.integer(stored.id))
    try changeTotals { $0.products.remove(.product, stored.product.identifier) }
  }

  private func deleteParts(of stored: StoredProduct) throws {
    let id = CatalogValue.integer(stored.id)
    try statement("DELETE FROM product_text WHERE product = ?").run(id)
    try statement("DELETE FROM price_locale WHERE product = ?").run(id)
    if stored.product.offers != nil {
      try statement("DELETE FROM price WHERE list IN (SELECT list FROM offer WHERE product = ?)").run(id)
      try statement("DELETE FROM tier_period WHERE list IN (SELECT list FROM offer WHERE product = ?)").run(
        id
      )
      try statement("DELETE FROM offer WHERE product = ?").run(id)
    }
    try deleteList(stored.list)
  }

  /// Returns the ID of a new product. SQLite does not assign it, because the row's checksum covers it.
  private func newProductID() throws -> Int64 {
    let id = try nextProductID ?? (Int64.fetchOne(database, sql: "SELECT max(id) FROM product") ?? 0) &+ 1
    guard id > 0, id < .max else { throw DamagedCatalog(problem: "no product ID is left") }
    nextProductID = id + 1
    return id
  }

  // MARK: Offers

  /// Writes a row for each phase of each offer, and returns the number of rows.
  private func write(_ offers: [CatalogOffer], of product: Int64) throws -> Int {
    var count = 0
    for offer in offers {
      for (index, phase) in offer.phases.enumerated() {
        let list = try newList()
        let priceSet = try write(phase.prices, of: list)
        try write(phase.tiers, of: list)
        try insert([
          OfferColumn.product: .integer(product),
          .position: CatalogValue(count),
          .list: .integer(list),
          .kind: .text(index == 0 ? offer.kind.rawValue : OfferColumn.laterPhase),
          .identifier: CatalogValue(offer.identifier),
          .paymentMode: .text(phase.paymentMode.rawValue),
          .period: .text(phase.period.description),
          .periodCount: CatalogValue(phase.periodCount),
          .clearedForSale: .text(offer.clearedForSale.stored),
          .firstDay: .text(offer.days.storedFirst),
          .lastDay: CatalogValue(offer.days.storedLast),
          .priceSet: .integer(priceSet),
          .tierPeriods: CatalogValue(phase.tiers.count),
        ])
        count += 1
      }
    }
    return count
  }

  private func offers(of product: Int64, count: Int64) throws -> [CatalogOffer] {
    let row = try select(.offer, "product = ? ORDER BY position")
    var offers: [CatalogOffer] = []
    var rowCount = 0
    try row.forEachRow(.integer(product)) {
      try CatalogTable.offer.verify(row)
      rowCount += 1
      let read = try CatalogOffer.phase(row)
      var phase = read.phase
      let list = try row.requiredInteger(OfferColumn.list)
      phase.prices = try prices(of: list, setID: row.requiredInteger(OfferColumn.priceSet))
      phase.tiers = try tiers(of: list, count: row.requiredInteger(OfferColumn.tierPeriods))
      if let kind = read.kind {
        offers.append(
          try CatalogOffer(
            kind,
            identifier: row.text(OfferColumn.identifier),
            phases: [phase],
            clearedForSale: stored(row.text(OfferColumn.clearedForSale), Clearance.init(stored:))
              ?? .everywhere,
            days: .stored(row.bytes(OfferColumn.firstDay), row.bytes(OfferColumn.lastDay))
          )
        )
      } else {
        guard let last = offers.indices.last else { throw DamagedCatalog.incompleteOffer }
        offers[last].laterPhases.append(phase)
      }
    }
    try check(rowCount, count: count, "offers")
    return offers
  }
}
