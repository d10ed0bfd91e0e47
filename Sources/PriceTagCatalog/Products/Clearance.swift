/// The storefronts in which a product is cleared for sale.
public enum Clearance: Hashable, Sendable {
  /// All storefronts.
  case everywhere
  /// Only these storefronts.
  case only(Set<String>)
  /// All storefronts except these.
  case except(Set<String>)

  /// No storefront.
  public static let nowhere = Clearance.only([])

  /// Returns whether the product is cleared for sale in a storefront.
  ///
  /// - Parameter storefront: The storefront's alpha-3 code.
  public func contains(_ storefront: String) -> Bool {
    switch self {
    case .everywhere: true
    case .only(let storefronts): storefronts.contains(storefront)
    case .except(let storefronts): !storefronts.contains(storefront)
    }
  }
}
