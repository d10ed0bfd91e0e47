import PriceTag
import PriceTagCatalog
import PriceTagSystem
import PriceTagText

/// Imports `price`, `plan` and `product` objects of Stripe API responses: single objects, arrays, or lists
/// (`{"object":"list","data":[…]}`), and the CSV of prices that the dashboard exports.
///
/// A Stripe price becomes a catalog product with the price's identifier (`price_…`), which never changes. The reference
/// name is the nickname, or else the lookup key, which cannot be the identifier because it can be moved to another
/// price. Name, description, image and active state come from the Stripe product: the price's expanded `product`, the
/// product whose expanded `default_price` is the price, or a product elsewhere in the file.
///
/// An amount has a currency but no country, and Stripe selects it by currency only. Therefore it becomes the price of
/// every storefront that charges the currency on the import's date, or only of `ImportOptions.storefront`. Stripe
/// defines the number of minor unit digits (`Currency.minorUnitDigits(for: "stripe")`).
///
/// A price that depends on quantity, usage or the customer is rejected. Texts have no language: they are imported in
/// `ImportOptions.language`, or rejected without it.
enum StripeImporter: CatalogImporter {
  static func read(_ file: CatalogFile, into session: ImportSession) throws(CatalogError) {
    let text = String(decoding: try file.prefix(), as: UTF8.self).drop { $0.isWhitespace }
    let line = text.prefix { !$0.isNewline }
    let isCSV = text.first != "{" && text.first != "[" && line.contains { ",;\t".contains($0) }
    let objects = try isCSV ? StripeCSV.prices(file, session) : objects(file, session)
    var reader = try StripeReader(session, objects)
    for object in objects { try reader.read(object) }
    try reader.finish()
  }

  /// Returns the objects of API responses.
  private static func objects(
    _ file: CatalogFile,
    _ session: ImportSession
  ) throws(CatalogError) -> [JSONFields] {
    let document = try JSONFields.document(file)
    guard isStripe(document) else {
      throw CatalogError(
        .unknownFormat,
        "the file has no Stripe object with the field \"object\"",
        fix: "use prices from a Stripe API response, such as {\"object\":\"price\",…}"
      )
    }
    var objects: [JSONFields] = []
    try collect(document, line: 1, into: &objects, session)
    return objects
  }

  /// Returns whether a value is a Stripe object, or an array that is empty or contains one.
  private static func isStripe(_ value: JSONValue) -> Bool {
    switch value {
    case .object(let object): if case .string? = object["object"] { true } else { false }
    case .array(let values): values.isEmpty || values.contains(where: isStripe)
    default: false
    }
  }

  /// Collects the objects of arrays and lists in order.
  private static func collect(
    _ value: JSONValue,
    line: Int,
    into objects: inout [JSONFields],
    _ session: ImportSession
  ) throws(CatalogError) {
    switch value {
    case .array(let values):
      for value in values { try collect(value, line: line, into: &objects, session) }
    case .object(let object):
      let fields = JSONFields(object)
      guard case .string("list")? = fields["object"] else {
        objects.append(fields)
        return
      }
      _ = try session.attempt(at: "list") { () throws(CatalogError) in
        for value in try fields.array("data") {
          try collect(value, line: fields.line, into: &objects, session)
        }
        if try fields.optionalBool("has_more") == true {
          throw fields.invalid(
            "the list is incomplete",
            "has_more",
            fix: "add the following pages in one array"
          )
        }
      }
    default:
      try session.reject(
        .invalidField,
        "a Stripe object must be an object, not \(value.kind)",
        fix: "remove it",
        place: "line \(line)"
      )
    }
  }
}
