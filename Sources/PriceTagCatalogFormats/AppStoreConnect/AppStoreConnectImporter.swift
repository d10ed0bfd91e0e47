import PriceTag
import PriceTagCatalog
import PriceTagSystem
import PriceTagText

/// Imports in-app purchases and subscriptions from App Store Connect, in one of two forms:
///
/// - one or several API responses (JSON:API documents, `{"data":…,"included":[…]}`), several of them in an array. The
///   prices, texts and offers of a product come in separate responses, which are joined by identifiers and links;
/// - the file in which storeconfig stores the products of an app (`schemaVersion`).
enum AppStoreConnectImporter: CatalogImporter {
  static func read(_ file: CatalogFile, into session: ImportSession) throws(CatalogError) {
    let document = try JSONFields.document(file)
    if case .object(let object) = document, object["schemaVersion"] != nil {
      return try StoreconfigReader(session: session).read(JSONFields(object))
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

  /// Returns an error that describes an unknown JSON file.
  private static func unknown(_ values: [JSONValue]) -> CatalogError {
    let fix = "use responses of the App Store Connect API, or a file of storeconfig"
    guard case .object(let object)? = values.first else {
      return CatalogError(
        .unknownFormat,
        "a response must be an object, not \(values.first?.kind ?? "an empty array")",
        fix: fix
      )
    }
    let fields = object.members.prefix(4).map { quoted($0.key) }.joined(separator: ", ")
    return CatalogError(
      .unknownFormat,
      "the file has neither of the fields \"data\" and \"schemaVersion\""
        + (fields.isEmpty ? "" : ", only \(fields)"),
      fix: fix,
      place: "line \(object.line)"
    )
  }
}
