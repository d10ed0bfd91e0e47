/// The storefronts that a product is cleared for sale in.
public enum Clearance: Hashable, Sendable {
  /// All of them.
  case everywhere
  /// These alone; none where the set is empty.
  case only(Set<String>)
  /// All but these.
  case except(Set<String>)

  /// None.
  public static let nowhere = Clearance.only([])

  /// Whether a storefront is among them, by its alpha-3 identifier.
  public func contains(_ storefront: String) -> Bool {
    switch self {
    case .everywhere: true
    case .only(let storefronts): storefronts.contains(storefront)
    case .except(let storefronts): !storefronts.contains(storefront)
    }
  }
}
