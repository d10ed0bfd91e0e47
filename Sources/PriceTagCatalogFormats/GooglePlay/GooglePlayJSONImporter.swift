import PriceTag
import PriceTagCatalog
import PriceTagSystem
import PriceTagText

/// Imports JSON of the Google Play API (`androidpublisher`, version 3): in-app products, one-time products,
/// subscriptions and their offers, as a single resource, an array or a list response of the API.
enum GooglePlayJSONImporter: CatalogImporter {
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
          .invalidField,
          "\(value.kind) is not a product of the Google Play API",
          fix: "use an API response for inappproducts, oneTimeProducts, subscriptions or their offers",
          place: "element \(index + 1)" + (value.line.map { ", line \($0)" } ?? "")
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
    var offers = try GooglePlayOfferReader(session: session).group(resources.all.filter { $0.kind == .offer })
    let subscriptions = GooglePlaySubscriptionReader(session: session)
    for (kind, value, line) in resources.all {
      switch kind {
      case .inAppProduct: try GooglePlayInAppProductReader(session: session).read(value, line)
      case .oneTimeProduct: try GooglePlayOneTimeProductReader(session: session).read(value, line)
      case .subscription: try subscriptions.read(value, line, &offers)
      case .offer, .oneTimeOffer: continue
      }
    }
    for offers in offers.remaining { try subscriptions.add(offers) }
    for (_, _, line) in resources.all.filter({ $0.kind == .oneTimeOffer }) {
      try session.reject(
        .notRepresentable,
        "offers of one-time products are not supported",
        fix: "remove them, or make them separate products",
        place: "line \(line)"
      )
    }
  }
}

/// The API resources of a file, in order.
struct GooglePlayResources {
  enum Kind {
    case inAppProduct, oneTimeProduct, subscription, offer, oneTimeOffer
  }

  typealias Resource = (kind: Kind, value: JSONValue, line: Int)

  private(set) var all: [Resource] = []

  /// The fields that only resources of a kind have.
  private static let fields: [(kind: Kind, fields: Set<String>)] = [
    (.inAppProduct, ["sku"]), (.subscription, ["basePlans"]), (.oneTimeProduct, ["purchaseOptions"]),
    (.offer, ["offerId", "basePlanId"]), (.oneTimeOffer, ["offerId", "purchaseOptionId"]),
  ]

  private static let lists: [(name: String, kind: Kind)] = [
    ("inappproduct", .inAppProduct), ("oneTimeProducts", .oneTimeProduct), ("subscriptions", .subscription),
    ("subscriptionOffers", .offer), ("oneTimeProductOffers", .oneTimeOffer),
  ]

  /// Adds the resource or the list of resources that an object is. Returns false if it is neither.
  mutating func add(_ fields: JSONFields) -> Bool {
    let names = Set(fields.object.members.map(\.key))
    if let kind = Self.fields.first(where: { $0.fields.isSubset(of: names) })?.kind {
      all.append((kind, .object(fields.object), fields.line))
      return true
    }
    let lists = Self.lists.filter { names.contains($0.name) }
    for (name, kind) in lists {
      let line = fields.line(of: name)
      // A request to change a product has an object where a response has an array.
      all += fields.values(name).map { (kind, $0, $0.line ?? line) }
    }
    return !lists.isEmpty
  }
}

extension JSONValue {
  /// The line that an object starts on.
  fileprivate var line: Int? { if case .object(let object) = self { object.line } else { nil } }
}
