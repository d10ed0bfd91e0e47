import GRDB
import PriceTag

/// Products and their offers.
extension CatalogRecords {
  /// A product as it is kept, with the numbers of its row and its list of prices.
  struct Kept {
    let id: Int64
    let list: Int64
    let product: CatalogProduct
  }

  /// Returns a product; `nil` where there is none.
  ///
  /// - Throws: `DamagedCatalog`, naming the product.
  func product(_ identifier: String) throws -> Kept? {
    try DamagedCatalog.naming(identifier) {
      let row = try select(.product, "identifier = ?")
      var numbers: (id: Int64, list: Int64)?
      var parts: (prices: Int64?, tiers: Int64?, texts: Int64?, locales: Int64?, offers: Int64?)
      parts = (nil, nil, nil, nil, nil)
      let read: CatalogProduct? = try row.firstRow(.text(identifier)) {
        try verify(.product, row)
        guard try row.text(ProductColumn.identifier) == identifier else {
          throw DamagedCatalog.checksum(of: .product)
        }
        numbers = (try row.requiredInteger(ProductColumn.id), try row.requiredInteger(ProductColumn.list))
        parts = (
          try row.integer(ProductColumn.priceSet), try row.integer(ProductColumn.tierPeriods),
          try row.integer(ProductColumn.textSet), try row.integer(ProductColumn.localeSet),
          try row.integer(ProductColumn.offers)
        )
        var product = CatalogProduct(kept: identifier)
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
        product.sortOrder = try row.smallInteger(ProductColumn.sortOrder)
        return product
      }
      guard var product = read, let (id, list) = numbers else {
        if hasChecksums { try SecondIndex.product.check(identifier, isFound: false, database) }
        return nil
      }
      product.localizations = try texts(of: id, parts.texts)
      product.priceLocales = try priceLocales(of: id, parts.locales)
      product.prices = try prices(of: list, parts.prices)
      let tiers = try tiers(of: list, parts.tiers)
      product.tiers = tiers.isEmpty ? nil : tiers
      let offers = try offers(of: id, parts.offers)
      product.offers = offers.isEmpty ? nil : offers
      return Kept(id: id, list: list, product: product)
    }
  }

  private func texts(of product: Int64, _ number: Int64?) throws -> [String: ProductText] {
    let row = try select(.productText, "product = ? ORDER BY language")
    var (texts, found): ([String: ProductText], PartSet) = ([:], PartSet())
    try row.forEachRow(.integer(product)) {
      try verify(.productText, row)
      let language = try row.requiredText(ProductTextColumn.language)
      let name = try row.text(ProductTextColumn.name)
      texts[language] = ProductText(name: name, description: try row.text(ProductTextColumn.description))
      found.add(language, count: name == nil ? 0 : 1)
    }
    try check(found, number, "texts")
    return texts
  }

  private func priceLocales(of product: Int64, _ number: Int64?) throws -> [String: PriceLocale] {
    let row = try select(.priceLocale, "product = ? ORDER BY storefront")
    var (locales, found): ([String: PriceLocale], PartSet) = ([:], PartSet())
    try row.forEachRow(.integer(product)) {
      try verify(.priceLocale, row)
      let storefront = try row.requiredText(PriceLocaleColumn.storefront)
      locales[storefront] = try stored(row.text(PriceLocaleColumn.locale)) {
        try? PriceLocale($0, allowsNumberingSystem: true)
      }
      found.add(storefront)
    }
    try check(found, number, "price locales")
    return locales
  }

  /// Writes a product in the place of what is kept of it.
  ///
  /// - Returns: The number of its row.
  func write(_ product: CatalogProduct, over kept: Kept?) throws -> Int64 {
    let list = try kept?.list ?? takeList()
    let id = try kept?.id ?? takeProduct()
    if let kept { try deleteParts(of: kept) }
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
    let prices = try write(product.prices, of: list)
    try write(product.tiers ?? [], of: list)
    for (position, offer) in (product.offers ?? []).enumerated() {
      try write(offer, at: position, of: id)
    }
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
      .priceSet: .integer(prices),
      .tierPeriods: CatalogValue(product.tiers?.count ?? 0),
      .textSet: .integer(try sets.number(of: texts)),
      .localeSet: .integer(try sets.number(of: locales)),
      .offers: CatalogValue(product.offers?.count ?? 0),
    ]
    if kept != nil { try statement("DELETE FROM product WHERE id = ?").run(.integer(id)) }
    try insert(values)
    if kept == nil { try changeTotals { $0.products.insert(.product, product.identifier) } }
    return id
  }

  func delete(_ kept: Kept) throws {
    try deleteParts(of: kept)
    try statement("DELETE FROM product WHERE id = ?").run(.integer(kept.id))
    try changeTotals { $0.products.remove(.product, kept.product.identifier) }
  }

  private func deleteParts(of kept: Kept) throws {
    let id = CatalogValue.integer(kept.id)
    try statement("DELETE FROM product_text WHERE product = ?").run(id)
    try statement("DELETE FROM price_locale WHERE product = ?").run(id)
    if kept.product.offers != nil {
      try statement("DELETE FROM price WHERE list IN (SELECT list FROM offer WHERE product = ?)").run(id)
      try statement("DELETE FROM tier_period WHERE list IN (SELECT list FROM offer WHERE product = ?)").run(
        id
      )
      try statement("DELETE FROM offer WHERE product = ?").run(id)
    }
    try deleteList(kept.list)
  }

  /// The number of a new product's row: the checksum has it.
  private func takeProduct() throws -> Int64 {
    let last = try statement("SELECT max(id) AS value FROM product")
    let id = try nextProduct ?? (last.firstRow { try last.integer(OnlyColumn.value) ?? 0 } ?? 0) &+ 1
    guard id > 0, id < .max else { throw DamagedCatalog(problem: "there is no number for another product") }
    nextProduct = id + 1
    return id
  }

  // MARK: Offers

  private func write(_ offer: CatalogOffer, at position: Int, of product: Int64) throws {
    let list = try takeList()
    let prices = try write(offer.prices, of: list)
    try write(offer.tiers, of: list)
    try insert([
      OfferColumn.product: .integer(product),
      .position: CatalogValue(position),
      .list: .integer(list),
      .kind: .text(offer.kind.rawValue),
      .identifier: CatalogValue(offer.identifier),
      .paymentMode: .text(offer.paymentMode.rawValue),
      .period: .text(offer.period.description),
      .periodCount: CatalogValue(offer.periodCount),
      .clearedForSale: .text(offer.clearedForSale.stored),
      .firstDay: .text(offer.days.storedFirst),
      .lastDay: CatalogValue(offer.days.storedLast),
      .priceSet: .integer(prices),
      .tierPeriods: CatalogValue(offer.tiers.count),
    ])
  }

  private func offers(of product: Int64, _ count: Int64?) throws -> [CatalogOffer] {
    let row = try select(.offer, "product = ? ORDER BY position")
    var lists: [(list: Int64, prices: Int64?, tiers: Int64?)] = []
    var offers: [CatalogOffer] = []
    try row.forEachRow(.integer(product)) {
      try verify(.offer, row)
      guard let kind = try stored(row.text(OfferColumn.kind), CatalogOffer.Kind.init),
        let mode = try stored(row.text(OfferColumn.paymentMode), CatalogOffer.PaymentMode.init),
        let period = try stored(row.text(OfferColumn.period), { try? SubscriptionPeriod($0) }),
        let periodCount = try row.smallInteger(OfferColumn.periodCount)
      else { throw DamagedCatalog(problem: "an offer is not whole") }
      lists.append(
        (
          try row.requiredInteger(OfferColumn.list), try row.integer(OfferColumn.priceSet),
          try row.integer(OfferColumn.tierPeriods)
        )
      )
      offers.append(
        try CatalogOffer(
          kind,
          identifier: row.text(OfferColumn.identifier),
          paymentMode: mode,
          period: period,
          periodCount: periodCount,
          clearedForSale: stored(row.text(OfferColumn.clearedForSale), Clearance.init(stored:))
            ?? .everywhere,
          days: .stored(row, OfferColumn.firstDay, .lastDay)
        )
      )
    }
    try check(offers.count, count, "offers")
    for (index, list) in lists.enumerated() {
      offers[index].prices = try prices(of: list.list, list.prices)
      offers[index].tiers = try tiers(of: list.list, list.tiers)
    }
    return offers
  }
}
