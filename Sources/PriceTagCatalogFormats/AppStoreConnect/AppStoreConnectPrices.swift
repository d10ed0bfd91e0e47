import PriceTag
import PriceTagCatalog
import PriceTagText

/// Reads prices of in-app purchases, subscriptions and offers from App Store Connect's API.
///
/// A price names a territory and a price point; the price point has the amount. A territory that the file has must
/// charge what its storefront does. On its end date a price no longer holds: the API wants the next one to start on
/// that day, and calls a start on the day after a gap (`ENTITY_ERROR.INVALID_INTERVAL`); offers, too, change at the
/// beginning of the day (Apple Developer Forums, thread 694638).
///
/// Identifiers are opaque by the API's documents: what is encoded in those of prices has changed, and is not read.
struct AppStoreConnectPrices {
  private let resources: AppStoreConnectResources
  private let session: ImportSession

  init(_ resources: AppStoreConnectResources, _ session: ImportSession) {
    (self.resources, self.session) = (resources, session)
  }

  // MARK: Of products

  func ofInAppPurchase(_ resource: AppStoreConnectResource) throws(CatalogError) -> PriceTable {
    var table = PriceTable()
    var problems = RepeatedProblems()
    // A schedule has the identifier of its in-app purchase (Apple Developer Forums, threads 711223 and 732527).
    let own = ResourceIdentifier(type: "inAppPurchasePriceSchedules", id: resource.identifier.id)
    var schedules = try present(resource, "iapPriceSchedule").compactMap { resources[$0] }
    if schedules.isEmpty, let schedule = resources[own] { schedules = [schedule] }
    var identifiers = try present(resource, "prices")
    for schedule in schedules {
      identifiers += try present(schedule, "manualPrices") + present(schedule, "automaticPrices")
    }
    for identifier in identifiers {
      guard let price = resources[identifier] else { continue }
      try problems.attempt(at: "\(resource.called), \(price.called)", line: price.line) {
        () throws(CatalogError) in
        let days = try days(price)
        try table.add(cost(price, "inAppPurchasePricePoint", days))
      }
    }
    try problems.setAside(session)
    return table
  }

  /// A subscription's price holds until the next one of its territory starts.
  func ofSubscription(_ resource: AppStoreConnectResource) throws(CatalogError) -> PriceTable {
    var problems = RepeatedProblems()
    var starts: [String: Set<CalendarDate>] = [:]
    var sold: [(price: AppStoreConnectResource, territory: String, start: CalendarDate?)] = []
    for identifier in try present(resource, "prices") {
      guard let price = resources[identifier] else { continue }
      try problems.attempt(at: "\(resource.called), \(price.called)", line: price.line) {
        () throws(CatalogError) in
        try checkIsSold(price)
        let territory = try territory(price, "subscriptionPricePoint")
        let start = try date(price.attributes, "startDate")
        if let start { starts[territory, default: []].insert(start) }
        sold.append((price, territory, start))
      }
    }
    var table = PriceTable()
    let sorted = starts.mapValues { $0.sorted() }
    for (price, territory, start) in sold {
      try problems.attempt(at: "\(resource.called), \(price.called)", line: price.line) {
        () throws(CatalogError) in
        let next = sorted[territory].flatMap { Self.first(in: $0, after: start) }
        let days = try Days(from: start, until: next?.previous)
        try table.add(cost(price, "subscriptionPricePoint", days))
      }
    }
    try problems.setAside(session)
    return table
  }

  private static func first(in sorted: [CalendarDate], after date: CalendarDate?) -> CalendarDate? {
    guard let date else { return sorted.first }
    var (low, high) = (0, sorted.count)
    while low < high {
      let middle = (low + high) / 2
      if sorted[middle] <= date { low = middle + 1 } else { high = middle }
    }
    return low < sorted.count ? sorted[low] : nil
  }

  /// Leaves out what somebody who comes to the store today does not pay.
  private func checkIsSold(_ price: AppStoreConnectResource) throws(CatalogError) {
    if try price.attributes.optionalBool("preserved") == true {
      throw CatalogError(
        .notRepresentable,
        "the price is preserved for those who have the subscription",
        fix: "nothing is to be done: the store shows the others another price"
      )
    }
    try checkPlan(price.attributes, "planType")
  }

  /// Refuses what is paid by the month of a longer subscription.
  func checkPlan(_ attributes: JSONFields, _ field: String) throws(CatalogError) {
    guard let plan = try attributes.optionalString(field), plan != "UPFRONT" else { return }
    throw CatalogError(
      .notRepresentable,
      "it is of the plan \(quoted(plan)), which is paid in parts",
      fix: "leave it out: a catalogue has the price of the whole period"
    )
  }

  // MARK: Of anything

  /// What a resource costs that is related to a price point.
  func cost(
    _ price: AppStoreConnectResource,
    _ pointName: String,
    _ days: Days
  ) throws(CatalogError) -> CatalogPrice {
    let territory = try territory(price, pointName)
    guard let identifier = price.related(pointName).first, let point = resources[identifier] else {
      throw CatalogError(
        .invalidField,
        "the price point is not in the file",
        fix: "request the prices with include=\(pointName),territory"
      )
    }
    guard let amount = try point.attributes.optionalDecimal("customerPrice") else {
      throw CatalogError(
        .invalidField,
        "the price point has no customerPrice",
        fix: "request the price points with all of their fields"
      )
    }
    let code = try resources[ResourceIdentifier(type: "territories", id: territory)]?.attributes
      .optionalString("currency")
    let currency = try code.map { (code) throws(CatalogError) in try session.currency(code) }
    return try session.price(amount, currency, in: session.storefront(territory), days: days)
  }

  /// The territory that a price names, or its price point.
  func territory(_ price: AppStoreConnectResource, _ pointName: String) throws(CatalogError) -> String {
    let point = price.related(pointName).first.flatMap { resources[$0] }
    let territories = Set((price.related("territory") + (point?.related("territory") ?? [])).map(\.id))
    guard let territory = territories.first else {
      throw CatalogError(
        .missingStorefront,
        "the price names no territory",
        fix: "request the prices with include=\(pointName),territory"
      )
    }
    guard territories.count == 1 else {
      let names = territories.sorted().prefix(4).map { printable($0, limit: 48) }.joined(separator: ", ")
      throw CatalogError(
        .invalidField,
        "the price and its price point name the territories \(names)",
        fix: "give responses of one moment"
      )
    }
    return territory
  }

  /// From the start date to the day before the end date.
  func days(_ resource: AppStoreConnectResource) throws(CatalogError) -> Days {
    let attributes = resource.attributes
    let (start, end) = (try date(attributes, "startDate"), try date(attributes, "endDate"))
    return try attributes.reading("endDate") { () throws(CatalogError) in
      try Days(from: start, until: end?.previous)
    }
  }

  private func date(_ attributes: JSONFields, _ field: String) throws(CatalogError) -> CalendarDate? {
    guard let text = try attributes.optionalString(field) else { return nil }
    return try attributes.reading(field) { () throws(CatalogError) in try session.date(text) }
  }

  /// The resources that one is related to; says how many of them are not in the file.
  func present(
    _ resource: AppStoreConnectResource,
    _ name: String
  ) throws(CatalogError) -> [ResourceIdentifier] {
    let related = resource.related(name)
    let present = related.filter { resources[$0] != nil }
    let total = max(related.count, resource.total(name))
    if present.count < total {
      try session.setAside(
        CatalogError(
          .invalidField,
          "the file has \(present.count) of \(total) \(name)",
          fix: "request them with include=\(name) and limit[\(name)], or add the response of their own",
          place: "line \(resource.line), \(resource.called)"
        )
      )
    }
    return present
  }
}

/// What is wrong with many parts of one thing alike, said once: a product has a price in 175 storefronts.
struct RepeatedProblems {
  private var errors: [CatalogError] = []
  private var counts: [String: Int] = [:]

  mutating func attempt(
    at called: String,
    line: Int,
    _ work: () throws(CatalogError) -> Void
  ) throws(CatalogError) {
    do throws(CatalogError) { try work() } catch {
      let key = "\(error.code) \(error.problem)"
      let count = counts[key] ?? 0
      if count == 0 { errors.append(error.at(called, line: line)) }
      counts[key] = count + 1
    }
  }

  func setAside(_ session: ImportSession) throws(CatalogError) {
    for error in errors {
      let others = (counts["\(error.code) \(error.problem)"] ?? 1) - 1
      guard others > 0 else {
        try session.setAside(error)
        continue
      }
      let problem = error.problem + ", and so with \(others) other\(others == 1 ? "" : "s")"
      try session.setAside(CatalogError(error.code, problem, fix: error.fix, place: error.place))
    }
  }
}
