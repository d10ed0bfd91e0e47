import PriceTag
import PriceTagText

/// Checks the identifiers of the products that a product's page shows as related.
package enum RelatedProducts {
  /// The maximum number of related products.
  package static let maximumCount = 12

  /// Checks the related products of a product.
  ///
  /// - Throws: `.malformedIdentifier`; `.duplicate` if the list contains an identifier twice, or the product itself;
  ///   `.tooLarge`.
  package static func check(_ identifiers: [String], of product: String) throws(CatalogError) {
    guard identifiers.count <= maximumCount else {
      throw CatalogError(
        .tooLarge,
        "the product has \(identifiers.count) related products",
        fix: "use at most \(maximumCount)"
      )
    }
    var seen: Set<String> = []
    for identifier in identifiers {
      try ProductIdentifier.check(identifier)
      guard identifier != product else {
        throw CatalogError(.duplicate, "the product is related to itself", fix: "remove \(quoted(product))")
      }
      guard seen.insert(identifier).inserted else { throw .repeated(identifier) }
    }
  }

  /// Returns the identifiers of a column or a cell, which spaces separate.
  package static func identifiers(_ text: String) -> [String] {
    text.split(separator: " ").map(String.init)
  }

  /// Returns the text of a column or a cell.
  package static func text(of identifiers: [String]) -> String { identifiers.joined(separator: " ") }
}
