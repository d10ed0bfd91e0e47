import PriceTag
import PriceTagCatalog
import PriceTagStrings
import PriceTagText

/// Structured data for search engines: schema.org's `Product` and `Offer` as JSON-LD. A price is a decimal amount
/// (`"1234.50"`), never a formatted price.
struct StructuredData {
  let store: Store
  let shop: Shop

  private static let context = ("@context", json("https://schema.org"))

  /// Returns the data of a product page.
  func product(_ product: Product, images: [String]) -> String {
    Self.script(jsonObject([Self.context] + fields(of: product, images: images)))
  }

  /// Returns the data of a store page.
  func list(_ products: [Product], images: (Product) -> [String]) -> String {
    let budget = WorkBudget.current
    let items = products.enumerated().map { index, product in
      // If the budget is spent, rendering the page throws.
      try? budget?.checkpoint()
      return Self.listItem(index, [("item", jsonObject(fields(of: product, images: images(product))))])
    }
    return Self.list("ItemList", [("numberOfItems", String(products.count))], items)
  }

  private static func list(_ type: String, _ fields: [(String, String)], _ items: [String]) -> String {
    script(jsonObject([context, ("@type", json(type))] + fields + [("itemListElement", jsonArray(items))]))
  }

  private static func listItem(_ index: Int, _ fields: [(String, String)]) -> String {
    object("ListItem", [("position", String(index + 1))] + fields)
  }

  private static func object(_ type: String, _ fields: [(String, String)]) -> String {
    jsonObject([("@type", json(type))] + fields)
  }

  /// Returns the only value, or several as an array.
  private static func oneOrMore(_ values: [String]) -> String {
    values.count == 1 ? values[0] : jsonArray(values)
  }

  /// Returns the way to a product page: the store, and the product's category.
  ///
  /// Search engines require absolute addresses, so the site's address is needed.
  ///
  /// - Parameter anchor: The place of the product on the store's page; `nil` if its category has a page of its own.
  func breadcrumbs(_ product: Product, _ shopName: String, anchor: String?) -> String? {
    guard let url = shop.url else { return nil }
    let store = "\(url)\(PagePath.store(store.storefront, store.language))"
    var steps = [(balancedBidi(shopName), store)]
    if let category = product.category {
      let address =
        anchor.map { "\(store)#\($0)" }
        ?? "\(url)\(PagePath.list(category.identifier, self.store.storefront, self.store.language))"
      steps.append((balancedBidi(category.name ?? category.identifier), address))
    }
    return Self.breadcrumbs(steps, balancedBidi(product.displayName))
  }

  /// Returns the way to a page: names with their addresses, and the name of the page itself, which needs no address.
  private static func breadcrumbs(_ steps: [(name: String, address: String)], _ page: String) -> String {
    let items = steps.enumerated().map { index, step in
      listItem(index, [("name", json(step.name)), ("item", json(step.address))])
    }
    return list("BreadcrumbList", [], items + [listItem(items.count, [("name", json(page))])])
  }

  /// Returns the way to a page of a list: the store, and the list's first page if this is another one.
  func breadcrumbs(toList name: String, _ category: String?, page: String?, _ shopName: String) -> String? {
    guard let url = shop.url else { return nil }
    var steps = [(balancedBidi(shopName), "\(url)\(PagePath.store(store.storefront, store.language))")]
    if page != nil {
      steps.append((balancedBidi(name), "\(url)\(PagePath.list(category, store.storefront, store.language))"))
    }
    return Self.breadcrumbs(steps, balancedBidi(page ?? name))
  }

  /// Returns the data of a page that lists products which have pages of their own, as Google documents it for such pages:
  /// only their order and their addresses.
  ///
  /// - Parameter start: The number of products on the list's earlier pages.
  func summary(_ products: [Product], from start: Int = 0, of total: Int) -> String? {
    guard let url = shop.url else { return nil }
    let items = products.enumerated().map { index, product in
      let path = PagePath.product(product.identifier, store.storefront, store.language)
      return Self.listItem(start + index, [("url", json("\(url)\(path)"))])
    }
    return Self.list("ItemList", [("numberOfItems", String(total))], items)
  }

  /// Returns the data of the entry page: who runs the shop; `nil` without the site's address.
  static func organization(_ shop: Shop, _ name: String, logo: String?) -> String? {
    guard let url = shop.url else { return nil }
    var fields = [
      Self.context, ("@type", json("Organization")), ("name", json(balancedBidi(name))), ("url", json(url)),
    ]
    if let logo { fields.append(("logo", json(logo))) }
    return Self.script(jsonObject(fields))
  }

  private func fields(of product: Product, images: [String]) -> [(String, String)] {
    var fields = [
      ("@type", json("Product")), ("name", json(balancedBidi(product.displayName))),
      ("sku", json(product.identifier)),
    ]
    if let description = product.text?.description {
      fields.append(("description", json(balancedBidi(description))))
    }
    if let category = product.category {
      fields.append(("category", json(balancedBidi(category.name ?? category.identifier))))
    }
    if !images.isEmpty { fields.append(("image", Self.oneOrMore(images.map(json)))) }
    let url = shop.url.map {
      "\($0)\(PagePath.product(product.identifier, store.storefront, store.language))"
    }
    if let url { fields.append(("url", json(url))) }
    fields.append(("offers", offer(of: product, url)))
    return fields
  }

  private func offer(of product: Product, _ url: String?) -> String {
    var fields: [(String, String)] = []
    // schema.org allows codes of ISO 4217, tickers and well-known names as the currency. The code of a merchant's own
    // currency is another one, so the offer has no price.
    let hasPrice = product.price.currency.kind != .custom
    if hasPrice { fields += Self.price(product.price) }
    fields += [
      ("availability", json("https://schema.org/InStock")),
      ("eligibleRegion", Self.object("Country", [("name", json(store.storefront.alpha2))])),
    ]
    if hasPrice, let lastDay = shop.shownLastDay(of: product) {
      fields.append(("priceValidUntil", json(lastDay.description)))
    }
    let specifications =
      hasPrice ? [priceSpecification(of: product), reducedFrom(product)].compactMap(\.self) : []
    if !specifications.isEmpty { fields.append(("priceSpecification", Self.oneOrMore(specifications))) }
    if let url { fields.append(("url", json(url))) }
    return Self.object("Offer", fields)
  }

  private static func price(_ price: FormattedPrice) -> [(String, String)] {
    [("price", json(price.amount.description)), ("priceCurrency", json(price.currency.code))]
  }

  /// Returns what the price is for: the period of a subscription, the content, and whether it includes tax; `nil` if none
  /// of them is known.
  private func priceSpecification(of product: Product) -> String? {
    var facts: [(String, String)] = []
    if let period = product.subscription?.period {
      facts.append(("billingDuration", json(period.description)))
    }
    if let quantity = Self.referenceQuantity(of: product) { facts.append(("referenceQuantity", quantity)) }
    if product.price.amount != .zero, let isIncluded = product.includesTax(in: store.storefront) {
      facts.append(("valueAddedTaxIncluded", isIncluded ? "true" : "false"))
    }
    guard !facts.isEmpty else { return nil }
    return Self.object("UnitPriceSpecification", Self.price(product.price) + facts)
  }

  /// Returns the price before a reduction, which the page shows struck out, or `nil`.
  private func reducedFrom(_ product: Product) -> String? {
    guard let before = product.priceBeforeReduction, before.currency.kind != .custom else { return nil }
    let type = ("priceType", json("https://schema.org/StrikethroughPrice"))
    return Self.object("UnitPriceSpecification", [type] + Self.price(before))
  }

  /// Returns the content that the price is for, and the unit of the unit price, as Google documents them for unit
  /// pricing. Neither is rounded.
  private static func referenceQuantity(of product: Product) -> String? {
    guard let content = product.content, let reference = product.unitReference,
      let total = content.total
    else { return nil }
    return quantity(
      total.description,
      content.unit,
      [("valueReference", quantity(String(reference.quantity), reference.unit))]
    )
  }

  private static func quantity(
    _ value: String,
    _ unit: ContentUnit,
    _ others: [(String, String)] = []
  ) -> String {
    object("QuantitativeValue", [("value", json(value)), ("unitCode", json(unit.commonCode))] + others)
  }

  /// Returns JSON in which no text can end the `<script>` element.
  static func script(_ json: String) -> String {
    func isSafe(_ byte: UInt8) -> Bool {
      byte != UInt8(ascii: "<") && byte != UInt8(ascii: ">") && byte != UInt8(ascii: "&")
    }
    if json.utf8.allSatisfy(isSafe) { return json }
    var safe: [UInt8] = []
    safe.reserveCapacity(json.utf8.count + 256)
    for byte in json.utf8 {
      switch byte {
      case UInt8(ascii: "<"): safe += "\\u003C".utf8
      case UInt8(ascii: ">"): safe += "\\u003E".utf8
      case UInt8(ascii: "&"): safe += "\\u0026".utf8
      default: safe.append(byte)
      }
    }
    return String(decoding: safe, as: UTF8.self)
  }
}
