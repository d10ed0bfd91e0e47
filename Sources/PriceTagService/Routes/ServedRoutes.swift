/// The set of routes that a port serves.
enum ServedRoutes: Sendable {
  /// All routes: for a service with a single port.
  case all
  /// Routes for shoppers and API clients: for the public port of a service that has an admin port.
  case publicOnly
  /// Routes for operators: for the admin port.
  case adminOnly

  /// Returns whether the set contains a route.
  func contains(_ route: Route) -> Bool {
    switch self {
    case .all: true
    case .publicOnly: !Self.adminRoutes.contains(route)
    case .adminOnly: Self.adminRoutes.contains(route)
    }
  }

  private static let adminRoutes: Set<Route> = [.health, .ready, .metrics]
}
