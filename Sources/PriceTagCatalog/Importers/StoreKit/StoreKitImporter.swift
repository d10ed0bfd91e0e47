import PriceTag

/// Reads Xcode's StoreKit configuration.
///
/// Its prices have no currency: they are those of the storefront that Xcode tests in, or that the import names.
enum StoreKitImporter: CatalogImporter {
  static let format = CatalogFormat.storekit

  /// The major versions of the schema that are known.
  private static let versions = 1...6

  static func read(_ file: CatalogFile, into session: ImportSession) throws(CatalogError) {
    let document = try JSONFields(JSONFields.document(file), "a StoreKit configuration", line: 1)
    try checkVersion(document)
    let reader = StoreKitProductReader(session, storefront: try storefront(document, session))
    try reader.take(document, "products", as: nil)
    try reader.take(document, "nonRenewingSubscriptions", as: .nonRenewable)
    let line = document.line(of: "subscriptionGroups")
    for value in try document.array("subscriptionGroups") {
      guard
        let group = try session.attempt(
          at: "subscription group",
          { () throws(CatalogError) in
            try JSONFields(value, "a subscription group", line: line)
          }
        )
      else { continue }
      try reader.takeGroup(group)
    }
    for field in ["subscriptionBundleGroups", "subscriptionSuiteGroups"] {
      guard case .array(let groups)? = document[field], !groups.isEmpty else { continue }
      try session.setAside(
        document.invalid(
          "bundles of subscriptions cannot be kept",
          field,
          fix: "keep them in Xcode; the subscriptions themselves are read",
          code: .notRepresentable
        )
      )
    }
  }

  private static func checkVersion(_ document: JSONFields) throws(CatalogError) {
    let known = "\(versions.lowerBound) to \(versions.upperBound)"
    guard let version = try document.optionalFields("version"),
      let major = try version.optionalInteger("major", in: 0...999_999)
    else {
      throw document.invalid(
        "the file does not say the version of its schema",
        "version",
        fix: "give a StoreKit configuration as Xcode saves it, of version \(known)",
        code: .unknownVersion
      )
    }
    guard versions.contains(major) else {
      throw document.invalid(
        "the version \(major) of StoreKit configurations is not known",
        "version",
        fix: "give one of version \(known), or read the file with a newer PriceTag",
        code: .unknownVersion
      )
    }
  }

  /// Whose prices they are: what the import says goes before what Xcode tests in. Xcode itself takes the United States
  /// where the file names none; a price is not guessed like that.
  private static func storefront(
    _ document: JSONFields,
    _ session: ImportSession
  ) throws(CatalogError) -> Storefront? {
    if let storefront = session.options.storefront { return storefront }
    guard let settings = try document.optionalFields("settings") else { return nil }
    return try session.attempt(at: "settings") { () throws(CatalogError) -> Storefront? in
      guard let id = try settings.optionalString("_storefront") else { return nil }
      return try settings.reading("_storefront") { () throws(CatalogError) in try session.storefront(id) }
    } ?? nil
  }
}
