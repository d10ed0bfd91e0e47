import PriceTag
import PriceTagText
import PriceTagXML

/// A price that is marked in an HTML page.
struct PriceMark {
  let line: Int
  var origin: PriceOrigin
  let product: String?
  /// The decimal amount; empty if the page does not have it.
  var amount: String
  var text = ""
}

/// Finds the prices of an HTML page: the texts of elements with `data-amount`, without hidden elements inside them. If such an
/// element contains others, only the inner ones are prices.
///
/// `data-storefront`, `data-product`, `data-currency` and `data-price-locale` also apply to all elements inside. Without a value of
/// `data-amount`, the price is that of the only offer in the page's JSON-LD, of the product that has `data-product` as its `sku`.
final class PriceMarks: HTMLHandler {
  private struct Offer: Hashable {
    let amount: String
    let currency: String
  }

  private let receive: (PriceMark) -> Void
  private var elements: [(origin: PriceOrigin, product: String?, isHidden: Bool)] = []
  /// The price whose element has not ended, and the number of elements up to it.
  private var open: (mark: PriceMark, depth: Int)?
  /// The texts of JSON-LD, and whether the last one has not ended.
  private var scripts: (texts: [String], isOpen: Bool) = ([], false)
  private var withoutAmount: [PriceMark] = []
  private(set) var count = 0

  init(_ receive: @escaping (PriceMark) -> Void) { self.receive = receive }

  private static let hidden: Set = ["script", "style", "template", "noscript"]
  private static let maximumTextByteCount = 1 << 14

  func start(_ name: String, _ attributes: HTMLAttributes, line: Int) {
    var element = elements.last ?? (PriceOrigin(), nil, false)
    if name == "script", !element.isHidden, attributes["type"]?.lowercased() == "application/ld+json" {
      scripts.texts.append("")
      scripts.isOpen = true
    }
    if Self.hidden.contains(name) || attributes["hidden"] != nil { element.isHidden = true }
    element.product = attributes["data-product"] ?? element.product
    element.origin.storefront = attributes["data-storefront"] ?? element.origin.storefront
    element.origin.currency = attributes["data-currency"] ?? element.origin.currency
    element.origin.priceLocale = attributes["data-price-locale"] ?? element.origin.priceLocale
    elements.append(element)
    if name == "br" { open?.mark.text += "\n" }
    guard !element.isHidden, let amount = attributes["data-amount"] else { return }
    let mark = PriceMark(line: line, origin: element.origin, product: element.product, amount: amount)
    open = (mark, elements.count)
  }

  func text(_ text: String) {
    if scripts.isOpen {
      scripts.texts[scripts.texts.count - 1] += text
    } else if elements.last?.isHidden == false, (open?.mark.text.utf8.count ?? 0) < Self.maximumTextByteCount
    {
      open?.mark.text += text
    }
  }

  func end() {
    scripts.isOpen = false
    if var mark = open?.mark, open?.depth == elements.count {
      open = nil
      count += 1
      // Browsers display white space as one space, and none at the start and the end.
      let words = mark.text.unicodeScalars.split { " \t\n\u{C}\r".unicodeScalars.contains($0) }
      mark.text = words.map(String.init).joined(separator: " ")
      if mark.amount.isEmpty { withoutAmount.append(mark) } else { receive(mark) }
    }
    elements.removeLast()
  }

  /// Looks up the amounts that only the JSON-LD of the page has, after the page was read.
  func finish() {
    if withoutAmount.isEmpty { return }
    var offers: [(sku: String?, offer: Offer)] = []
    for text in scripts.texts {
      if let value = try? JSONReader.value(of: Array(text.utf8)) { Self.collect(value, nil, &offers) }
    }
    let ofPage = Set(offers.map(\.offer))
    let ofProducts = Dictionary(grouping: offers) { $0.sku }.mapValues { Set($0.map(\.offer)) }
    for var mark in withoutAmount {
      let found = mark.product == nil ? ofPage : ofProducts[mark.product] ?? []
      if let offer = found.first, found.count == 1 {
        (mark.amount, mark.origin.currency) = (offer.amount, offer.currency)
      }
      receive(mark)
    }
  }

  /// Adds the offers of a value of JSON-LD, with the `sku` of the object that they are in.
  private static func collect(
    _ value: JSONValue,
    _ sku: String?,
    _ offers: inout [(sku: String?, offer: Offer)]
  ) {
    if case .array(let values) = value { for value in values { collect(value, sku, &offers) } }
    guard case .object(let object) = value else { return }
    // An object inside may be another product, without a `sku`.
    let isProduct = ["Product", "ProductGroup"].contains(object["@type"]?.literal)
    let sku = object["sku"]?.literal ?? (isProduct ? nil : sku)
    if object["@type"]?.literal == "Offer", let price = object["price"]?.literal,
      let currency = object["priceCurrency"]?.literal
    {
      offers.append((sku, Offer(amount: price, currency: currency)))
    }
    for member in object.members { collect(member.value, sku, &offers) }
  }
}
