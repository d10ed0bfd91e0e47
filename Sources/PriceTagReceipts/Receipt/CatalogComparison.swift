import PriceTag
import PriceTagCatalog
import PriceTagStrings
import PriceTagText

/// A difference between an order and the catalog, or an order that is a test. It does not prevent the receipt.
public struct ReceiptFinding: Sendable, CustomStringConvertible {
  /// The kinds of findings, with stable raw values.
  public enum Code: String, Hashable, Sendable, CaseIterable, Codable {
    /// The price of one item is not the catalog's price on the date of the order.
    case unitPriceDiffers = "unit-price-differs"
    /// The catalog shows no price for the product in the storefront on the date of the order.
    case noCatalogPrice = "no-catalog-price"
    /// The order is a test of the shop and was not paid.
    case testOrder = "test-order"
  }

  /// The kind of the finding.
  public let code: Code
  /// The index of the line in the order; `nil` for a finding about the complete order.
  public let line: Int?
  /// The identifier of the product; `nil` for a finding about the complete order.
  public let productIdentifier: String?
  /// The price of one item that was charged, the subtotal of a line without one, or the amount of the complete order.
  public let charged: FormattedPrice
  /// The catalog's price on the date; `nil` if it has none.
  public let catalog: FormattedPrice?
  /// What differs, for people.
  public let message: String

  /// The line and the message: `/lines/0, "com.example.level1": …`.
  public var description: String {
    guard let line, let productIdentifier else { return message }
    return "/lines/\(line), \(quoted(productIdentifier)): \(message)"
  }
}

extension ReceiptFinding {
  /// Creates the finding for an order that is a test.
  init(testOf charged: FormattedPrice) {
    (code, line, productIdentifier, self.charged, catalog) = (.testOrder, nil, nil, charged, nil)
    message = "the order is a test; \(charged.amount) \(charged.currency) was not paid"
  }
}

/// The products of an order in a catalog: their names, and the differences between prices.
struct CatalogComparison {
  /// The names of the products by identifier, with their languages.
  private(set) var names: [String: (name: String, language: String)] = [:]
  private(set) var findings: [ReceiptFinding] = []

  init(
    _ order: Order,
    _ language: UILanguage,
    _ catalog: Catalog,
    _ strings: StoreStrings,
    _ formatter: PriceFormatter
  ) throws(ReceiptError) {
    let identifiers = order.lines.compactMap(\.productIdentifier)
    guard !identifiers.isEmpty else { return }
    let response: ProductsResponse
    do throws(CatalogError) {
      response = try catalog.products(
        for: ProductsRequest(
          identifiers,
          storefront: order.storefront,
          language: language,
          at: .date(order.date),
          strings: strings
        )
      )
    } catch { throw ReceiptError(.catalogFailed, error) }
    let products = Dictionary(response.products.map { ($0.identifier, $0) }) { first, _ in first }
    let reasons = Dictionary(
      response.invalidProductIdentifiers.map { ($0.productIdentifier, $0.message) }
    ) { first, _ in first }
    for (identifier, product) in products {
      if let text = product.text { names[identifier] = (text.name, text.language) }
    }
    for (index, line) in order.lines.enumerated() {
      guard let identifier = line.productIdentifier else { continue }
      // A price of one item that is not known is not compared.
      let amount = line.unitPrice ?? line.subtotal ?? .zero
      let charged = try reading("/lines/\(index)/unitPrice") { () throws(PriceTagError) in
        try formatter.format(amount)
      }
      func find(_ code: ReceiptFinding.Code, _ catalog: FormattedPrice?, _ message: String) {
        findings.append(
          ReceiptFinding(
            code: code,
            line: index,
            productIdentifier: identifier,
            charged: charged,
            catalog: catalog,
            message: message
          )
        )
      }
      guard let product = products[identifier] else {
        find(.noCatalogPrice, nil, reasons[identifier] ?? "the catalog does not show the product")
        continue
      }
      guard line.unitPrice != nil, !Self.hasPrice(line, formatter.currency, product) else { continue }
      find(
        .unitPriceDiffers,
        product.price,
        "charged \(amount) \(formatter.currency), but the catalog has \(product.price.amount) \(product.price.currency) on \(order.date)"
      )
    }
  }

  /// Returns whether a product has the price of a line: the regular price, or that of an offer of the line's kind.
  private static func hasPrice(_ line: Order.Line, _ currency: Currency, _ product: Product) -> Bool {
    if line.unitPrice == product.price.amount, currency == product.price.currency { return true }
    guard let kind = line.offer else { return false }
    return product.offers.contains { offer in
      guard offer.kind == kind else { return false }
      return ([offer.price] + offer.laterPhases.map(\.price)).contains { price in
        guard let price else { return line.unitPrice?.isZero == true }
        return price.amount == line.unitPrice && price.currency == currency
      }
    }
  }
}
