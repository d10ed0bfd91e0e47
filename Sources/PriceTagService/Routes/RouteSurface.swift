/// The routes that a port answers.
enum RouteSurface: Sendable {
  /// All of them: the only port of a service.
  case all
  /// What shoppers and their programs use: the public port of a service that has an admin port.
  case shop
  /// What operators and their programs use: the admin port.
  case operation

  /// Whether a port answers a route.
  func has(_ route: Route) -> Bool {
    switch self {
    case .all: true
    case .shop: !Self.operations.contains(route)
    case .operation: Self.operations.contains(route)
    }
  }

  private static let operations: Set<Route> = [.health, .ready, .metrics]
}
