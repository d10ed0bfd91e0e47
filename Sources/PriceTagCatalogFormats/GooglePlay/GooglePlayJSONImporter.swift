import PriceTag
import PriceTagCatalog
import PriceTagText

/// Reads JSON of Google Play's API (`androidpublisher`, version 3): in-app products, one-time products, subscriptions
/// and their offers; one alone, an array of them, or the API's lists.
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
          "the object is no product of Google Play's API and no list of them",
          fix: "give an answer of the API: inappproducts, oneTimeProducts, subscriptions or their offers",
          place: "line \(object.line)"
        )
      }
    case .array(let values):
      for (index, value) in values.enumerated() {
        if case .object(let object) = value, resources.add(JSONFields(object)) { continue }
        try session.setAside(
          CatalogError(
            .invalidField,
            "\(value.kind) stands where a product of Google Play's API is expected",
            fix: "give its JSON as the API answers it",
            place: "element \(index + 1)" + (value.line.map { ", line \($0)" } ?? "")
          )
        )
      }
    default:
      throw CatalogError(
        .malformedFile,
        "\(document.kind) stands where products are expected",
        fix: "give an object or an array",
        place: "line 1"
      )
    }
    var offers = try GooglePlayOfferReader(session).offers(resources.offers)
    let inAppProducts = GooglePlayInAppProductReader(session)
    let oneTimeProducts = GooglePlayOneTimeProductReader(session)
    let subscriptions = GooglePlaySubscriptionReader(session)
    for resource in resources.products {
      switch resource {
      case .inAppProduct(let value, let line): try inAppProducts.take(value, line)
      case .oneTimeProduct(let value, let line): try oneTimeProducts.take(value, line)
      case .subscription(let value, let line): try subscriptions.take(value, line, &offers)
      }
    }
    for offers in offers.rest { try subscriptions.take(offers) }
    for line in resources.oneTimeOfferLines {
      try session.setAside(
        CatalogError(
          .notRepresentable,
          "offers of one-time products cannot be kept",
          fix: "leave them out, or make them products of their own",
          place: "line \(line)"
        )
      )
    }
  }
}

/// What stands in a file, by what it is: told from the fields that only one of them has.
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

  /// Adds what an object is, or lists; answers false where it is neither.
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
      // A request to change one has an object where an answer has an array.
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
