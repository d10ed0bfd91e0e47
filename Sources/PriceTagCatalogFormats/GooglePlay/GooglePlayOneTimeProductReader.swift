import PriceTag
import PriceTagCatalog
import PriceTagSystem
import PriceTagText

/// Reads the one-time products of the Google Play API.
///
/// Customers buy one of a product's purchase options. The option that older apps use, or the only option, becomes the
/// product itself; any other becomes a product `product:option`.
struct GooglePlayOneTimeProductReader {
  let session: ImportSession
  private var shared: GooglePlayPrices { GooglePlayPrices(session: session) }

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
    try session.forEachObject(
      of: fields,
      "purchaseOptions",
      "a purchase option",
      at: { "\(label), \($0.label("purchase option", from: "purchaseOptionId"))" }
    ) { (option) throws(CatalogError) in
      guard option["rentOption"] == nil else {
        throw option.notRepresentable(
          "renting a product is not supported",
          "rentOption",
          fix: "remove the option"
        )
      }
      options.append(option)
    }
    return options
  }

  private func add(
    _ option: JSONFields,
    of product: CatalogProduct,
    isMain: Bool,
    _ label: String
  ) throws(CatalogError) {
    let name = JSONValue.object(option.object).label("purchase option", from: "purchaseOptionId")
    let place = isMain ? label : "\(label), \(name)"
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
      throw region.notRepresentable(
        "pre-orders are not supported",
        "availability",
        fix: "import it again when it is AVAILABLE"
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
