import PriceTag
import PriceTagCatalog
import PriceTagText

/// Reads prices of in-app purchases, subscriptions and offers from App Store Connect API responses.
///
/// A price refers to a territory and a price point, which has the amount. If the file contains the territory, its
/// currency must be that of its storefront. A price is not valid on its end date: the API requires the next price to
/// start on that date and reports a start one day later as a gap (`ENTITY_ERROR.INVALID_INTERVAL`). Offers also change
/// at the beginning of the day (Apple Developer Forums, thread 694638).
///
/// Identifiers are opaque according to the API documentation. The encoding of price identifiers has changed, so they
/// are not decoded.
struct AppStoreConnectPrices {
  let resources: AppStoreConnectResources
  let session: ImportSession

  // MARK: Of products

  func ofInAppPurchase(_ resource: AppStoreConnectResource) throws(CatalogError) -> PriceTable {
    var table = PriceTable()
    var problems = RepeatedProblems()
    // A schedule has the identifier of its in-app purchase (Apple Developer Forums, threads 711223 and 732527).
    let own = ResourceIdentifier(type: "inAppPurchasePriceSchedules", id: resource.identifier.id)
    var schedules = try present(resource, "iapPriceSchedule")
    if schedules.isEmpty, let schedule = resources[own] { schedules = [schedule] }
    var prices = try present(resource, "prices")
    for schedule in schedules {
      prices += try present(schedule, "manualPrices") + present(schedule, "automaticPrices")
    }
    for price in prices {
      try problems.attempt(at: "\(resource.label), \(price.label)", line: price.line) {
        () throws(CatalogError) in
        let days = try days(price)
        try table.add(cost(price, "inAppPurchasePricePoint", days))
      }
    }
    try problems.reject(session)
    return table
  }

  /// Returns the prices of a subscription. A price is valid until the next price of its territory starts.
  func ofSubscription(_ resource: AppStoreConnectResource) throws(CatalogError) -> PriceTable {
    var problems = RepeatedProblems()
    var starts: [String: Set<CalendarDate>] = [:]
    var sold: [(price: AppStoreConnectResource, territory: String, start: CalendarDate?)] = []
    for price in try present(resource, "prices") {
      try problems.attempt(at: "\(resource.label), \(price.label)", line: price.line) {
        () throws(CatalogError) in
        try checkIsSold(price)
        let territory = try territory(price, "subscriptionPricePoint")
        let start = try price.attributes.optionalValue("startDate", session.date)
        if let start { starts[territory, default: []].insert(start) }
        sold.append((price, territory, start))
      }
    }
    var table = PriceTable()
    let sorted = starts.mapValues { $0.sorted() }
    for (price, territory, start) in sold {
      try problems.attempt(at: "\(resource.label), \(price.label)", line: price.line) {
        () throws(CatalogError) in
        let next = sorted[territory].flatMap { Self.first(in: $0, after: start) }
        let days = try DateRange(from: start, until: next?.previous)
        try table.add(cost(price, "subscriptionPricePoint", days))
      }
    }
    try problems.reject(session)
    return table
  }

  private static func first(in sorted: [CalendarDate], after date: CalendarDate?) -> CalendarDate? {
    guard let date else { return sorted.first }
    return sorted[sorted.partitioningIndex(where: { $0 > date })...].first
  }

  /// Throws an error for a price that new subscribers do not pay.
  private func checkIsSold(_ price: AppStoreConnectResource) throws(CatalogError) {
    if try price.attributes.optionalBool("preserved") == true {
      throw CatalogError(
        .notRepresentable,
        "the price is preserved for existing subscribers",
        fix: "ignore it; new subscribers see another price"
      )
    }
    try checkPlan(price.attributes, "planType")
  }

  /// Throws an error for a plan with monthly payments for a longer subscription.
  func checkPlan(_ attributes: JSONFields, _ field: String) throws(CatalogError) {
    guard let plan = try attributes.optionalString(field), plan != "UPFRONT" else { return }
    throw CatalogError(
      .notRepresentable,
      "the plan \(quoted(plan)) is not supported because it is paid in installments",
      fix: "remove it; only plans paid up front are imported"
    )
  }

  // MARK: Parts of prices

  /// Returns the price of a resource that is related to a price point.
  func cost(
    _ price: AppStoreConnectResource,
    _ pointName: String,
    _ days: DateRange
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
        "the field \"customerPrice\" of the price point is missing",
        fix: "request the price points with all fields"
      )
    }
    let code = try resources[ResourceIdentifier(type: "territories", id: territory)]?.attributes
      .optionalString("currency")
    let currency = try code.map(session.currency)
    return try session.price(amount, currency, in: session.storefront(territory), days: days)
  }

  /// Returns the territory of a price or of its price point.
  func territory(_ price: AppStoreConnectResource, _ pointName: String) throws(CatalogError) -> String {
    let point = price.related(pointName).first.flatMap { resources[$0] }
    let territories = Set((price.related("territory") + (point?.related("territory") ?? [])).map(\.id))
    guard let territory = territories.first else {
      throw CatalogError(
        .missingStorefront,
        "the price has no territory",
        fix: "request the prices with include=\(pointName),territory"
      )
    }
    guard territories.count == 1 else {
      let names = territories.sorted().prefix(4).map { printable($0, limit: 48) }.joined(separator: ", ")
      throw CatalogError(
        .invalidField,
        "the price and its price point have different territories (\(names))",
        fix: "use responses requested at the same time"
      )
    }
    return territory
  }

  /// Returns the dates from the start date to the day before the end date.
  func days(_ resource: AppStoreConnectResource) throws(CatalogError) -> DateRange {
    let attributes = resource.attributes
    let start = try attributes.optionalValue("startDate", session.date)
    let end = try attributes.optionalValue("endDate", session.date)
    return try attributes.reading("endDate") { () throws(CatalogError) in
      try DateRange(from: start, until: end?.previous)
    }
  }

  /// Returns the related resources that are in the file. Rejects the relationship if some are missing.
  func present(
    _ resource: AppStoreConnectResource,
    _ name: String
  ) throws(CatalogError) -> [AppStoreConnectResource] {
    let related = resource.related(name)
    let present = related.compactMap { resources[$0] }
    let total = max(related.count, resource.total(name))
    if present.count < total {
      try session.reject(
        .invalidField,
        "the file has \(present.count) of \(total) \(name)",
        fix: "request them with include=\(name) and limit[\(name)], or add their own response",
        place: "line \(resource.line), \(resource.label)"
      )
    }
    return present
  }
}

/// Errors of which repetitions are counted instead of reported: a product can have the same fault in 175 storefronts.
struct RepeatedProblems {
  private var errors: [CatalogError] = []
  private var counts: [String: Int] = [:]

  mutating func attempt(
    at label: String,
    line: Int,
    _ work: () throws(CatalogError) -> Void
  ) throws(CatalogError) {
    do throws(CatalogError) { try work() } catch {
      let key = "\(error.code) \(error.problem)"
      let count = counts[key] ?? 0
      if count == 0 { errors.append(error.at(label, line: line)) }
      counts[key] = count + 1
    }
  }

  func reject(_ session: ImportSession) throws(CatalogError) {
    for error in errors {
      let others = (counts["\(error.code) \(error.problem)"] ?? 1) - 1
      guard others > 0 else {
        try session.reject(error)
        continue
      }
      let problem = error.problem + " (also for \(others) more)"
      try session.reject(CatalogError(error.code, problem, fix: error.fix, place: error.place))
    }
  }
}
