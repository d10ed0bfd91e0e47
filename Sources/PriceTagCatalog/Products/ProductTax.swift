import PriceTag

/// What a product and its prices state about tax, as a catalog stores it.
///
/// The text of the column is the value of the product, then those of storefronts: `false`, `unknown DEU=true USA=false`.
struct ProductTax: Hashable, Sendable {
  /// The value of the product.
  var product: TaxInclusion?
  /// The values of the prices, by storefront.
  var storefronts: [String: TaxInclusion]

  init(_ product: CatalogProduct) {
    (self.product, storefronts) = (product.taxInclusion, product.prices.taxInclusions)
  }

  /// Creates the values of a column; `nil` for a malformed text.
  init?(stored text: String) {
    storefronts = [:]
    for word in text.split(separator: " ") {
      let parts = word.split(separator: "=", maxSplits: 1)
      guard let tax = parts.last.flatMap({ TaxInclusion(rawValue: String($0)) }) else { return nil }
      if parts.count == 1 { product = tax } else { storefronts[String(parts[0])] = tax }
    }
  }

  /// The text of the column; `nil` if nothing is stated.
  var stored: String? {
    let prices = storefronts.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.rawValue)" }
    let words = [product?.rawValue].compactMap(\.self) + prices
    return words.isEmpty ? nil : words.joined(separator: " ")
  }

  /// Returns what is stated in a storefront: by its price, else by the product.
  subscript(storefront: String) -> TaxInclusion? { storefronts[storefront] ?? product }
}
