import PriceTag
import PriceTagCatalog
import PriceTagText

/// Formats products as text: a line for each product, and a line for each of its offers.
struct ProductsTable {
  let response: ProductsResponse

  var text: String {
    var text = ""
    if let notice = response.paymentsNotice {
      text += "\(notice.title.isolated)\n\(notice.reason.isolated)\n\n"
    }
    let products = response.products
    let identifiers = min(products.map { columns(of: $0.identifier) }.max() ?? 0, 40)
    let names = min(products.map { columns(of: name($0)) }.max() ?? 0, 40)
    for product in products {
      text += "\(padded(product.identifier, identifiers))  \(padded(name(product), names))  \(price(product))"
      if !product.isApproved { text += "  [not approved]" }
      if let scheduled = product.scheduledPrice {
        text += "  [\(scheduled.price.isolated) from \(scheduled.firstDay)]"
      }
      text += "\n"
      for offer in product.offers {
        let label = offer.kind.rawValue + (offer.identifier.map { " \($0)" } ?? "")
        text += "\(padded("", identifiers))    \(printable(label)): \(offer.text.isolated)\n"
      }
    }
    return text
  }

  private func price(_ product: Product) -> String {
    let price =
      if let subscription = product.subscription {
        subscription.priceText?.isolated
          ?? "\(product.price.isolated) (\(subscription.durationText.isolated))"
      } else { product.price.isolated }
    guard let unitPrice = product.unitPrice else { return price }
    return "\(price) (\(unitPrice.pieceText?.isolated ?? unitPrice.price.isolated))"
  }

  /// The name between direction isolates, so that a right-to-left name stays in its column; with its language if that is not
  /// the requested one.
  private func name(_ product: Product) -> String {
    guard let own = product.text else { return "-" }
    let name = "\u{2068}\(printable(own.name))\u{2069}"
    return own.origin == .requested ? name : "\(name) (\(own.language))"
  }
}
