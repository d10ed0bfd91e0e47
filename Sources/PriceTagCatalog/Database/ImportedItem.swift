/// One item that an importer reads from a file. Items are processed one at a time, so memory does not grow with the
/// file.
public enum ImportedItem: Sendable {
  /// The fields of a product that the file contains.
  case product(CatalogProduct)
  /// A tier with its prices.
  case tier(PriceTier)
  /// A subscription group or a category with its names.
  case group(ProductGroup)
}
