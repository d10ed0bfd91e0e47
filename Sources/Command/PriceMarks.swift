import PriceTag
import PriceTagText
import PriceTagXML

/// A price that is marked in an HTML page.
struct PriceMark {
  let line: Int
  let origin: PriceOrigin
  let productIdentifier: String?
  /// The decimal amount; empty if only the page's structured data has it.
  var amount: String
  var text = ""
}

/// Finds the prices of an HTML page: the texts of elements with `data-amount`, without hidden elements inside them. If such an
/// element contains others, only the inner ones are prices.
///
/// `data-storefront`, `data-product`, `data-currency` and `data-price-locale` also count for all elements inside. If `data-amount`
/// has no value, the price is that of the only offer in the JSON-LD of the page: of the product with this identifier as `sku`,
/// or without `data-product`, of the page.
final class PriceMarks: HTMLHandler {
  private struct Element {
    var origin = PriceOrigin()
    var productIdentifier: String?
    var isHidden = false
  }

  private struct Offer: Hashable {
    let amount: String
    let currency: String
  }

  /// Receives each price; its amount is empty if the page does not have it.
  private let receive: (PriceMark) -> Void
  private var elements: [Element] = []
  /// The price whose element has not ended, and the number of elements up to it.
  private var open: (mark: PriceMark, depth: Int)?
  /// The text of JSON-LD, in a `<script>` that has not ended.
  private var script: String?
  private var scripts: [String] = []
  private var withoutAmount: [PriceMark] = []
  /// Whether the page has a price.
  private(set) var hasMarks = false

  init(_ receive: @escaping (PriceMark) -> Void) { self.receive = receive }

  private static let hidden: Set = ["script", "style", "template", "noscript"]
  private static let maximumTextByteCount = 1 << 14

  func start(_ name: String, _ attributes: HTMLAttributes, line: Int) {
    var element = elements.last ?? Element()
    if name == "script", !element.isHidden, attributes["type"]?.lowercased() == "application/ld+json" { script = "" }
    if Self.hidden.contains(name) || attributes["hidden"] != nil { element.isHidden = true }
    element.productIdentifier = attributes["data-product"] ?? element.productIdentifier
    element.origin.storefront = attributes["data-storefront"] ?? element.origin.storefront
    element.origin.currency = attributes["data-currency"] ?? element.origin.currency
    element.origin.priceLocale = attributes["data-price-locale"] ?? element.origin.priceLocale
    elements.append(element)
    if name == "br" { open?.mark.text += "\n" }
    guard !element.isHidden, let amount = attributes["data-amount"] else { return }
    open = (
      PriceMark(line: line, origin: element.origin, productIdentifier: element.productIdentifier, amount: amount),
      elements.count
    )
  }

  func text(_ text: String) {
    if script != nil {
      script?.append(text)
    } else if let current = open, elements.last?.isHidden == false, current.mark.text.utf8.count < Self.maximumTextByteCount {
      open?.mark.text += text
    }
  }

  func end() {
    if let text = script { scripts.append(text) }
    script = nil
    if var mark = open?.mark, open?.depth == elements.count {
      // Browsers display a run of white space as one space, and none at the start and the end.
      mark.text = mark.text.unicodeScalars.split { " \t\n\u{C}\r".unicodeScalars.contains($0) }.map(String.init).joined(separator: " ")
      open = nil
      hasMarks = true
      if mark.amount.isEmpty { withoutAmount.append(mark) } else { receive(mark) }
    }
    elements.removeLast()
  }

  /// Finishes a page: looks up the amounts that only its structured data has.
  func finish() {
    guard !withoutAmount.isEmpty else { return }
    var offers: [String?: Set<Offer>] = [:]
    for script in scripts {
      if let value = try? JSONReader.value(of: Array(script.utf8)) { Self.collect(value, nil, &offers) }
    }
    let all = offers.values.reduce(into: Set()) { $0.formUnion($1) }
    for mark in withoutAmount {
      let found = mark.productIdentifier.map { offers[$0] ?? [] } ?? all
      guard let offer = found.first, found.count == 1 else {
        receive(mark)
        continue
      }
      var origin = mark.origin
      origin.currency = offer.currency
      receive(
        PriceMark(line: mark.line, origin: origin, productIdentifier: mark.productIdentifier, amount: offer.amount, text: mark.text)
      )
    }
  }

  /// Adds the offers of a value of JSON-LD, by the `sku` of the object that they are in.
  private static func collect(_ value: JSONValue, _ sku: String?, _ offers: inout [String?: Set<Offer>]) {
    switch value {
    case .array(let values): for value in values { collect(value, sku, &offers) }
    case .object(let object):
      let sku = object["sku"]?.literal ?? sku
      if object["@type"]?.literal == "Offer", let amount = object["price"]?.literal, let currency = object["priceCurrency"]?.literal {
        offers[sku, default: []].insert(Offer(amount: amount, currency: currency))
      }
      for member in object.members { collect(member.value, sku, &offers) }
    default: break
    }
  }
}

extension JSONValue {
  /// The text of a string or of a number; `nil` for other values.
  fileprivate var literal: String? {
    switch self {
    case .string(let text), .number(let text): text
    default: nil
    }
  }
}
