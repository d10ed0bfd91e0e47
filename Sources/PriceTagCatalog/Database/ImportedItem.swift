/// What an importer finds in a file, one by one, so that a file of any size takes no more memory than one of them.
public enum ImportedItem: Sendable {
  /// What the file says of a product.
  case product(CatalogProduct)
  /// A tier with its prices.
  case tier(PriceTier)
  /// A subscription group or a category with its names.
  case group(ProductGroup)
}
