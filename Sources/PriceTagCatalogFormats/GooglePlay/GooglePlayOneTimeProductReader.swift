import PriceTag
import PriceTagCatalog
import PriceTagSystem
import PriceTagText

/// Reads the one-time products of the Google Play API.
///
/// Customers buy one of a product's purchase options. The option that older apps use, or the only option, becomes the
/// product itself; any other becomes a product `product:option`.
struct GooglePlayOneTimeProductReader {
  private let session: ImportSession
  private var shared: GooglePlayPrices { GooglePlayPrices(session: session) }

  init(_ session: ImportSession) { self.session = session }

  func read(_ value: JSONValue, _ line: Int) throws(CatalogError) {
    let label = value.label("product", from: "productId")
    _ = try session.attempt(at: label) { () throws(CatalogError) in
      let fields = try JSONFields(value, "a one-time product", line: line)
      var product = try fields.product("productId")
      try shared.addListings(of: fields, to: &product, label)
      let options = try options(fields, label)
      for option in options {
        let isLegacy = try option.optionalFields("buyOption")?.optionalBool("legacyCompatible") ?? false
        let isMain = isLegacy || options.count == 1
        try add(option, of: product, isMain: isMain, label)
      }
      if options.isEmpty { try session.add(.product(product), at: "line \(line), \(label)") }
    }
  }

  /// Returns the purchase options. Options to rent are rejected.
  private func options(_ fields: JSONFields, _ label: String) throws(CatalogError) -> [JSONFields] {
    var options: [JSONFields] = []
    let line = fields.line(of: "purchaseOptions")
    for value in try fields.array("purchaseOptions") {
      let name = value.text(of: "purchaseOptionId").map { " \(quoted($0))" } ?? ""
      _ = try session.attempt(at: "\(label), purchase option\(name)") { () throws(CatalogError) in
        let option = try JSONFields(value, "a purchase option", line: line)
        guard option["rentOption"] == nil else {
          throw option.invalid(
            "renting a product is not supported",
            "rentOption",
            fix: "remove the option",
            code: .notRepresentable
          )
        }
        options.append(option)
      }
    }
    return options
  }

  private func add(
    _ option: JSONFields,
    of product: CatalogProduct,
    isMain: Bool,
    _ label: String
  ) throws(CatalogError) {
    let name: String? = if case .string(let id)? = option["purchaseOptionId"] { id } else { nil }
    let place = isMain ? label : "\(label), purchase option" + (name.map { " \(quoted($0))" } ?? "")
    let read = try session.attempt(at: place) { () throws(CatalogError) in
      var read = product
      if !isMain {
        let id = try option.string("purchaseOptionId")
        read = try option.reading("purchaseOptionId") { () throws(CatalogError) in
          try CatalogProduct("\(product.identifier):\(id)")
        }
        read.localizations = product.localizations
      }
      read.isApproved =
        try session.attempt(at: place) { () throws(CatalogError) in
          try shared.isOnSale(
            option,
            "state",
            [
              "ACTIVE": true, "INACTIVE": false, "DRAFT": false, "INACTIVE_PUBLISHED": false,
              "STATE_UNSPECIFIED": nil,
            ]
          )
        } ?? Optional(false)
      (read.prices, read.clearedForSale) = try shared.regions(
        option,
        "regionalPricingAndAvailabilityConfigs",
        place
      ) { (region) throws(CatalogError) in try isAvailable(region) }
      return read
    }
    if let read { try session.add(.product(read), at: "line \(option.line), \(place)") }
  }

  private func isAvailable(_ region: JSONFields) throws(CatalogError) -> Bool? {
    switch try region.optionalString("availability") {
    case nil, "AVAILABILITY_UNSPECIFIED": return nil
    case "AVAILABLE": return true
    case "NO_LONGER_AVAILABLE", "AVAILABLE_FOR_OFFERS_ONLY": return false
    case "AVAILABLE_IF_RELEASED":
      throw region.invalid(
        "pre-orders are not supported",
        "availability",
        fix: "import it again when it is AVAILABLE",
        code: .notRepresentable
      )
    case let availability?:
      throw region.invalid(
        "unknown availability \(quoted(availability))",
        "availability",
        fix: "use AVAILABLE or NO_LONGER_AVAILABLE"
      )
    }
  }
}
