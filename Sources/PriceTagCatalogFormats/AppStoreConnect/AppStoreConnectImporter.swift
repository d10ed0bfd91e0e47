import PriceTag
import PriceTagCatalog
import PriceTagText

/// Reads what App Store Connect says of in-app purchases and subscriptions, in one of two shapes:
///
/// - responses of its API (JSON:API documents, `{"data":…,"included":[…]}`), one, or several in an array: a product's
///   prices, texts and offers come in responses of their own, and are put together by the identifiers and the links
///   in them;
/// - the file that storeconfig keeps an app's products in (`schemaVersion`).
enum AppStoreConnectImporter: CatalogImporter {
  static let format = CatalogFormat.appStoreConnect

  static func read(_ file: CatalogFile, into session: ImportSession) throws(CatalogError) {
    let document = try JSONFields.document(file)
    if case .object(let object) = document, object["schemaVersion"] != nil {
      return try StoreconfigReader(session).read(JSONFields(object))
    }
    let responses: [JSONValue] = if case .array(let values) = document { values } else { [document] }
    guard responses.isEmpty || responses.contains(where: isResponse) else { throw unknown(responses) }
    let resources = try AppStoreConnectResources(responses, session)
    try AppStoreConnectReader(resources, session).read()
  }

  private static func isResponse(_ value: JSONValue) -> Bool {
    guard case .object(let object) = value else { return false }
    return object["data"] != nil || object["errors"] != nil
  }

  /// Tells somebody who gives another of the many JSON files around an app what was seen in it.
  private static func unknown(_ values: [JSONValue]) -> CatalogError {
    let fix = "give responses of App Store Connect's API, or storeconfig's file"
    guard case .object(let object)? = values.first else {
      return CatalogError(
        .unknownFormat,
        "the file has \(values.first?.kind ?? "nothing") where a response is expected",
        fix: fix
      )
    }
    let fields = object.members.prefix(4).map { quoted($0.key) }.joined(separator: ", ")
    return CatalogError(
      .unknownFormat,
      "no products are in the file: instead of \"data\" or \"schemaVersion\" its objects have "
        + (fields.isEmpty ? "nothing" : fields),
      fix: fix,
      place: "line \(object.line)"
    )
  }
}
