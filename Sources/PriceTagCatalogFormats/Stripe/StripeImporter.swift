import PriceTag
import PriceTagCatalog
import PriceTagText

/// Reads Stripe's prices: `price`, `plan` and `product` objects as the API answers them, alone, in an array, or in
/// lists (`{"object":"list","data":[…]}`).
///
/// A product of the catalogue is a price of Stripe's, and called by the price's identifier (`price_…`), which never
/// changes. Its reference name is the nickname, or else the lookup key: that one may be moved to another price, so it
/// identifies nothing. What the Stripe product says (name, description, picture, whether it is sold) is taken from the
/// price's expanded `product`, from the product whose expanded `default_price` it is, or from a product beside it.
///
/// An amount has a currency and no country. Nothing converts it, and Stripe picks it by the currency alone; so it is
/// the price in every storefront that charges its currency on the day of the import, or in `ImportOptions.storefront`
/// only. How many digits the minor unit has is Stripe's to say (`Currency.minorUnitDigits(for: "stripe")`).
///
/// A price whose amount depends on a quantity, on usage or on the customer has no one price, and is set aside. Texts
/// say no language: they are taken as `ImportOptions.language`, or set aside.
enum StripeImporter: CatalogImporter {
  static let format = CatalogFormat.stripe

  static func read(_ file: CatalogFile, into session: ImportSession) throws(CatalogError) {
    let document = try JSONFields.document(file)
    guard isStripe(document) else {
      throw CatalogError(
        .unknownFormat,
        "no object of Stripe's is in the file: none has an \"object\"",
        fix: "give prices as Stripe's API answers them, such as {\"object\":\"price\",…}"
      )
    }
    var objects: [JSONFields] = []
    try collect(document, line: 1, into: &objects, session)
    var reader = try StripeReader(session, objects)
    for object in objects { try reader.take(object) }
    try reader.finish()
  }

  /// Whether a value is an object of Stripe's, or an array with one.
  private static func isStripe(_ value: JSONValue) -> Bool {
    switch value {
    case .object(let object): if case .string? = object["object"] { true } else { false }
    case .array(let values): values.isEmpty || values.contains(where: isStripe)
    default: false
    }
  }

  /// The objects of arrays and lists, in order.
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
            "the list goes on, and its rest is not in the file",
            "has_more",
            fix: "add the lists that follow, in one array"
          )
        }
      }
    default:
      try session.setAside(
        CatalogError(
          .invalidField,
          "\(value.kind) stands where an object of Stripe's is expected",
          fix: "remove it",
          place: "line \(line)"
        )
      )
    }
  }
}
