import PriceTag
import PriceTagCatalog
import PriceTagSystem
import PriceTagText

/// Writes products, tiers and groups as objects of PriceTag's own JSON, each on one line.
///
///     let writer = CatalogJSONWriter()
///     writer.line(of: product)   // {"type":"product","productIdentifier":"com.example.level1","prices":{"USA":"0.99"}}
///     writer.text(of: product)   // the same without the type, for the arrays of a document
///
/// Importing the text gives the same product. For that, a price names its currency if it has validity dates or states
/// whether it includes tax, or if its storefront's currency has changed.
public struct CatalogJSONWriter: Sendable {
  private let localeData: LocaleData

  /// Creates a writer for items that were imported with the same locale data.
  public init(localeData: LocaleData = .embedded) {
    self.localeData = localeData
  }

  /// Returns a product as an object.
  public func text(of product: CatalogProduct) -> String { Self.object(fields(of: product)) }

  /// Returns a tier as an object.
  public func text(of tier: PriceTier) -> String { Self.object(fields(of: tier)) }

  /// Returns a category or a subscription group as an object.
  public func text(of group: ProductGroup) -> String { Self.object(fields(of: group)) }

  /// Returns a product as a line of JSON Lines, without the line feed.
  public func line(of product: CatalogProduct) -> String { line(.products, fields(of: product)) }

  /// Returns a tier as a line of JSON Lines, without the line feed.
  public func line(of tier: PriceTier) -> String { line(.tiers, fields(of: tier)) }

  /// Returns a category or a subscription group as a line of JSON Lines, without the line feed.
  public func line(of group: ProductGroup) -> String {
    line(group.kind == .category ? .categories : .subscriptionGroups, fields(of: group))
  }

  private typealias Field = (name: String, value: String?)

  private func line(_ section: CatalogJSON.Section, _ fields: [Field]) -> String {
    Self.object([("type", json(section.type))] + fields)
  }

  // MARK: Fields, in the order of `CatalogJSON`

  private func fields(of tier: PriceTier) -> [Field] {
    [("tier", json(tier.name)), ("prices", text(of: tier.prices))]
  }

  private func fields(of group: ProductGroup) -> [Field] {
    let names = group.names.sorted { $0.key < $1.key }.map { ($0.key, json($0.value)) as Field }
    return [("identifier", json(group.identifier)), ("names", names.isEmpty ? nil : Self.object(names))]
  }

  private func fields(of product: CatalogProduct) -> [Field] {
    let texts = product.localizations.sorted { $0.key < $1.key }.map { language, text in
      (language, Self.object([("name", text.name.map(json)), ("description", text.description.map(json))]))
        as Field
    }
    let locales = product.priceLocales.sorted { $0.key < $1.key }.map { storefront, locale in
      (storefront, json(locale.identifier)) as Field
    }
    return [
      ("productIdentifier", json(product.identifier)),
      ("kind", product.kind.map { json($0.rawValue) }),
      ("referenceName", product.referenceName.map(json)),
      ("category", product.category.map(json)),
      ("subscriptionGroup", product.subscriptionGroup.map(json)),
      ("groupLevel", product.groupLevel.map(String.init)),
      ("subscriptionPeriod", product.subscriptionPeriod.map { json($0.description) }),
      ("localizations", texts.isEmpty ? nil : Self.object(texts)),
      ("tier", product.tiers.map(Self.text)),
      ("prices", text(of: product.prices)),
      ("taxIncluded", product.taxInclusion?.json),
      ("priceLocales", locales.isEmpty ? nil : Self.object(locales)),
      ("offers", product.offers.map { jsonArray($0.map { offer in Self.object(fields(of: offer)) }) }),
      ("approved", product.isApproved.map(String.init)),
      ("clearedForSale", product.clearedForSale.map(Self.text)),
      ("image", product.image.map(json)),
      ("images", product.images.map { jsonArray($0.map(\.json)) }),
      ("related", product.related.map { jsonArray($0.map { json($0) }) }),
      ("sortOrder", product.sortOrder.map(String.init)),
      ("content", product.content.map { json($0.description) }),
      ("unitReference", product.unitReference.map { json($0.description) }),
      ("history", product.history.isEmpty ? nil : jsonArray(product.history.map(text))),
    ]
  }

  private func text(of record: PriceRecord) -> String {
    Self.object([
      ("day", json(record.day.description)), ("prices", text(of: record.prices)),
      ("added", record.added.isEmpty ? nil : jsonArray(record.added.map { json($0) })),
    ])
  }

  private func fields(of offer: CatalogOffer) -> [Field] {
    let first = fields(of: offer.first)
    let later = jsonArray(offer.laterPhases.map { phase in Self.object(fields(of: phase)) })
    let cleared = offer.clearedForSale == .everywhere ? nil : Self.text(of: offer.clearedForSale)
    var members: [Field] = [("kind", json(offer.kind.rawValue)), ("identifier", offer.identifier.map(json))]
    members += first.prefix(3)
    members += [("clearedForSale", cleared)] + Self.fields(of: offer.days)
    members += first.dropFirst(3)
    return members + [("laterPhases", offer.laterPhases.isEmpty ? nil : later)]
  }

  private func fields(of phase: CatalogOffer.Phase) -> [Field] {
    [
      ("paymentMode", json(phase.paymentMode.rawValue)),
      ("period", json(phase.period.description)),
      ("periodCount", phase.periodCount == 1 ? nil : String(phase.periodCount)),
      ("tier", phase.tiers.isEmpty ? nil : Self.text(of: phase.tiers)),
      ("prices", text(of: phase.prices)),
    ]
  }

  private static func fields(of days: DateRange) -> [Field] {
    [("from", days.first.map { json($0.description) }), ("until", days.last.map { json($0.description) })]
  }

  private static func text(of tiers: [TierPeriod]) -> String {
    if tiers.count == 1, let tier = tiers.first, tier.days == .always { return json(tier.tier) }
    return jsonArray(tiers.map { object([("tier", json($0.tier))] + fields(of: $0.days)) })
  }

  private static func text(of clearance: Clearance) -> String {
    func list(_ storefronts: Set<String>) -> String { jsonArray(storefronts.sorted().map(json)) }
    return switch clearance {
    case .everywhere: "true"
    case .only(let storefronts): storefronts.isEmpty ? "false" : list(storefronts)
    case .except(let storefronts): object([("except", list(storefronts))])
    }
  }

  // MARK: Prices

  private func text(of table: PriceTable) -> String? {
    let fields = table.storefronts.map { storefront in
      let prices = table[storefront].map { text(of: $0) }
      return (storefront, prices.count == 1 ? prices.joined() : jsonArray(prices)) as Field
    }
    return fields.isEmpty ? nil : Self.object(fields)
  }

  private func text(of price: CatalogPrice) -> String {
    let amount = json(price.amount.description)
    let charged = (try? Storefront(price.storefront, in: localeData))?.currencyPeriods.map(\.currency)
    if price.days == .always, price.taxInclusion == nil, charged == [price.currency] { return amount }
    return Self.object(
      [("amount", amount), ("currency", json(price.currency.code))] + Self.fields(of: price.days) + [
        ("taxIncluded", price.taxInclusion?.json)
      ]
    )
  }

  // MARK: JSON

  private static func object(_ fields: [Field]) -> String {
    jsonObject(fields.compactMap { field in field.value.map { (field.name, $0) } })
  }
}
