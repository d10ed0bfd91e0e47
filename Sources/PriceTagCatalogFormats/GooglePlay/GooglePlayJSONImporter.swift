import PriceTag
import PriceTagCatalog
import PriceTagText

/// Imports JSON of the Google Play API (`androidpublisher`, version 3): in-app products, one-time products,
/// subscriptions and their offers, as a single resource, an array or a list response of the API.
enum GooglePlayJSONImporter: CatalogImporter {
  static let format = CatalogFormat.googlePlayJSON

  static func read(_ file: CatalogFile, into session: ImportSession) throws(CatalogError) {
    let document = try JSONFields.document(file)
    var resources = GooglePlayResources()
    switch document {
    case .object(let object):
      guard resources.add(JSONFields(object)) else {
        throw CatalogError(
          .unknownFormat,
          "the object is not a product or a list of products of the Google Play API",
          fix: "use an API response for inappproducts, oneTimeProducts, subscriptions or their offers",
          place: "line \(object.line)"
        )
      }
    case .array(let values):
      for (index, value) in values.enumerated() {
        if case .object(let object) = value, resources.add(JSONFields(object)) { continue }
        try session.reject(
          CatalogError(
            .invalidField,
            "\(value.kind) is not a product of the Google Play API",
            fix: "use an API response for inappproducts, oneTimeProducts, subscriptions or their offers",
            place: "element \(index + 1)" + (value.line.map { ", line \($0)" } ?? "")
          )
        )
      }
    default:
      throw CatalogError(
        .malformedFile,
        "the document must be an object or an array, not \(document.kind)",
        fix: "write an object or an array",
        place: "line 1"
      )
    }
    var offers = try GooglePlayOfferReader(session).group(resources.offers)
    let inAppProducts = GooglePlayInAppProductReader(session)
    let oneTimeProducts = GooglePlayOneTimeProductReader(session)
    let subscriptions = GooglePlaySubscriptionReader(session)
    for resource in resources.products {
      switch resource {
      case .inAppProduct(let value, let line): try inAppProducts.read(value, line)
      case .oneTimeProduct(let value, let line): try oneTimeProducts.read(value, line)
      case .subscription(let value, let line): try subscriptions.read(value, line, &offers)
      }
    }
    for offers in offers.remaining { try subscriptions.add(offers) }
    for line in resources.oneTimeOfferLines {
      try session.reject(
        CatalogError(
          .notRepresentable,
          "offers of one-time products are not supported",
          fix: "remove them, or make them separate products",
          place: "line \(line)"
        )
      )
    }
  }
}

/// The API resources of a file, by kind. The kind is detected from fields that only one kind has.
struct GooglePlayResources {
  enum Product {
    case inAppProduct(JSONValue, line: Int)
    case oneTimeProduct(JSONValue, line: Int)
    case subscription(JSONValue, line: Int)
  }

  private(set) var products: [Product] = []
  private(set) var offers: [(value: JSONValue, line: Int)] = []
  private(set) var oneTimeOfferLines: [Int] = []

  private static let lists = [
    "inappproduct", "oneTimeProducts", "subscriptions", "subscriptionOffers", "oneTimeProductOffers",
  ]

  /// Adds the resource or the list of resources that an object is. Returns false if it is neither.
  mutating func add(_ fields: JSONFields) -> Bool {
    let (value, line) = (JSONValue.object(fields.object), fields.line)
    let names = Set(fields.object.members.map(\.key))
    if names.contains("sku") {
      products.append(.inAppProduct(value, line: line))
    } else if names.contains("basePlans") {
      products.append(.subscription(value, line: line))
    } else if names.contains("purchaseOptions") {
      products.append(.oneTimeProduct(value, line: line))
    } else if names.contains("offerId"), names.contains("basePlanId") {
      offers.append((value, line))
    } else if names.contains("offerId"), names.contains("purchaseOptionId") {
      oneTimeOfferLines.append(line)
    } else {
      return addLists(fields, names)
    }
    return true
  }

  private mutating func addLists(_ fields: JSONFields, _ names: Set<String>) -> Bool {
    var isList = false
    for list in Self.lists where names.contains(list) {
      isList = true
      let line = fields.line(of: list)
      // A request to change a product has an object where a response has an array.
      let values: [JSONValue] =
        switch fields[list] {
        case .array(let values)?: values
        case let value?: [value]
        case nil: []
        }
      for value in values {
        let line = value.line ?? line
        switch list {
        case "inappproduct": products.append(.inAppProduct(value, line: line))
        case "oneTimeProducts": products.append(.oneTimeProduct(value, line: line))
        case "subscriptions": products.append(.subscription(value, line: line))
        case "subscriptionOffers": offers.append((value, line))
        default: oneTimeOfferLines.append(line)
        }
      }
    }
    return isList
  }
}

extension JSONValue {
  /// The line that an object starts on.
  fileprivate var line: Int? { if case .object(let object) = self { object.line } else { nil } }
}
