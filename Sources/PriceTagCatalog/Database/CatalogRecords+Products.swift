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
        guard try row.text(2) == identifier else { throw DamagedCatalog.checksum(of: .product) }
        numbers = (try row.requiredInteger(1), try row.requiredInteger(3))
        parts = (
          try row.integer(14), try row.integer(15), try row.integer(16), try row.integer(17),
          try row.integer(18)
        )
        var product = CatalogProduct(kept: identifier)
        product.kind = try stored(row.text(4), ProductKind.init)
        product.referenceName = try row.text(5)
        product.category = try row.text(6)
        product.subscriptionGroup = try row.text(7)
        product.groupLevel = try row.smallInteger(8)
        product.subscriptionPeriod = try stored(row.text(9)) { try? SubscriptionPeriod($0) }
        product.isApproved = try row.integer(10).map { $0 != 0 }
        product.clearedForSale = try stored(row.text(11), Clearance.init(stored:))
        product.image = try row.text(12)
        product.sortOrder = try row.smallInteger(13)
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
      let (language, name) = (try row.requiredText(2), try row.text(3))
      texts[language] = ProductText(name: name, description: try row.text(4))
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
      let storefront = try row.requiredText(2)
      locales[storefront] = try stored(row.text(3)) { try? PriceLocale($0, allowsNumberingSystem: true) }
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
      try insert(
        .productText,
        [.integer(id), .text(language), CatalogValue(text.name), CatalogValue(text.description)]
      )
      texts.add(language, count: text.name == nil ? 0 : 1)
    }
    for (storefront, locale) in product.priceLocales.sorted(by: { $0.key < $1.key }) {
      try insert(.priceLocale, [.integer(id), .text(storefront), .text(locale.identifier)])
      locales.add(storefront)
    }
    let prices = try write(product.prices, of: list)
    try write(product.tiers ?? [], of: list)
    for (position, offer) in (product.offers ?? []).enumerated() {
      try write(offer, at: position, of: id)
    }
    let values: [CatalogValue] = [
      .integer(id), .text(product.identifier), .integer(list), CatalogValue(product.kind?.rawValue),
      CatalogValue(product.referenceName), CatalogValue(product.category),
      CatalogValue(product.subscriptionGroup),
      CatalogValue(product.groupLevel), CatalogValue(product.subscriptionPeriod?.description),
      CatalogValue(product.isApproved), CatalogValue(product.clearedForSale?.stored),
      CatalogValue(product.image),
      CatalogValue(product.sortOrder), .integer(prices), CatalogValue(product.tiers?.count ?? 0),
      .integer(try sets.number(of: texts)), .integer(try sets.number(of: locales)),
      CatalogValue(product.offers?.count ?? 0),
    ]
    if kept != nil { try statement("DELETE FROM product WHERE id = ?").run(.integer(id)) }
    try insert(.product, values)
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
    let last = try statement("SELECT max(id) FROM product")
    let id = try nextProduct ?? (last.firstRow { try last.integer(0) ?? 0 } ?? 0) &+ 1
    guard id > 0, id < .max else { throw DamagedCatalog(problem: "there is no number for another product") }
    nextProduct = id + 1
    return id
  }

  // MARK: Offers

  private func write(_ offer: CatalogOffer, at position: Int, of product: Int64) throws {
    let list = try takeList()
    let prices = try write(offer.prices, of: list)
    try write(offer.tiers, of: list)
    try insert(
      .offer,
      [
        .integer(product), CatalogValue(position), .integer(list), .text(offer.kind.rawValue),
        CatalogValue(offer.identifier), .text(offer.paymentMode.rawValue), .text(offer.period.description),
        CatalogValue(offer.periodCount), .text(offer.clearedForSale.stored), .text(offer.days.storedFirst),
        CatalogValue(offer.days.storedLast), .integer(prices), CatalogValue(offer.tiers.count),
      ]
    )
  }

  private func offers(of product: Int64, _ count: Int64?) throws -> [CatalogOffer] {
    let row = try select(.offer, "product = ? ORDER BY position")
    var lists: [(list: Int64, prices: Int64?, tiers: Int64?)] = []
    var offers: [CatalogOffer] = []
    try row.forEachRow(.integer(product)) {
      try verify(.offer, row)
      guard let kind = try stored(row.text(4), CatalogOffer.Kind.init),
        let mode = try stored(row.text(6), CatalogOffer.PaymentMode.init),
        let period = try stored(row.text(7), { try? SubscriptionPeriod($0) }),
        let periodCount = try row.smallInteger(8)
      else { throw DamagedCatalog(problem: "an offer is not whole") }
      lists.append((try row.requiredInteger(3), try row.integer(12), try row.integer(13)))
      offers.append(
        try CatalogOffer(
          kind,
          identifier: row.text(5),
          paymentMode: mode,
          period: period,
          periodCount: periodCount,
          clearedForSale: stored(row.text(9), Clearance.init(stored:)) ?? .everywhere,
          days: .stored(row, at: 10)
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
