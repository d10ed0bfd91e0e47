import PriceTag
import PriceTagCatalog
import PriceTagSystem
import PriceTagText

/// Imports StoreKit configuration files from Xcode.
///
/// Their prices have no currency. They are prices of the storefront that the file or the import options name.
enum StoreKitImporter: CatalogImporter {
  /// The supported major versions of the schema.
  private static let versions = 1...6

  static func read(_ file: CatalogFile, into session: ImportSession) throws(CatalogError) {
    let document = try JSONFields(JSONFields.document(file), "a StoreKit configuration", line: 1)
    try checkVersion(document)
    let reader = StoreKitProductReader(session: session, storefront: try storefront(document, session))
    try reader.readProducts(of: document, "products", as: nil)
    try reader.readProducts(of: document, "nonRenewingSubscriptions", as: .nonRenewable)
    try session.forEachObject(
      of: document,
      "subscriptionGroups",
      "a subscription group",
      at: { _ in "subscription group" },
      reader.readGroup
    )
    for field in ["subscriptionBundleGroups", "subscriptionSuiteGroups"] {
      guard case .array(let groups)? = document[field], !groups.isEmpty else { continue }
      try session.reject(
        document.notRepresentable(
          "bundles of subscriptions are not supported",
          field,
          fix: "keep them in Xcode; only the subscriptions themselves are imported"
        )
      )
    }
  }

  private static func checkVersion(_ document: JSONFields) throws(CatalogError) {
    let supported = "\(versions.lowerBound) to \(versions.upperBound)"
    guard let version = try document.optionalFields("version"),
      let major = try version.optionalInteger("major", in: 0...999_999)
    else {
      throw document.invalid(
        "the field \"version\" is missing or has no \"major\"",
        "version",
        fix: "use a StoreKit configuration saved by Xcode, of version \(supported)",
        code: .unknownVersion
      )
    }
    guard versions.contains(major) else {
      throw document.invalid(
        "unknown StoreKit configuration version \(major)",
        "version",
        fix: "use version \(supported), or use a later version of PriceTag",
        code: .unknownVersion
      )
    }
  }

  /// Returns the storefront of the prices: the one that the file names, else the one in the import options. Xcode
  /// assumes the United States if the file names none; this importer does not guess.
  private static func storefront(
    _ document: JSONFields,
    _ session: ImportSession
  ) throws(CatalogError) -> StoreKitStorefront {
    let (option, reinterpreted) = (session.options.storefront, session.options.reinterpretAs)
    let settings = try document.optionalFields("settings")
    guard let settings, settings["_storefront"] != nil else {
      return (reinterpreted ?? option).map { .storefront($0) } ?? .missing
    }
    if let reinterpreted {
      // The name may be unknown, which can be the reason for reinterpreting the file.
      let name = try settings.optionalString("_storefront") ?? ""
      let id = (try? session.storefront(name))?.id ?? printable(name, limit: 48)
      if id != reinterpreted.id { session.reinterpretedStorefront = id }
      return .storefront(reinterpreted)
    }
    let own = try session.attempt(at: "settings") { () throws(CatalogError) in
      try settings.value("_storefront", session.storefront)
    }
    guard let own else { return .unknown }
    guard let option, option.id != own.id else { return .storefront(own) }
    return .conflicting(own, option: option)
  }
}

/// The storefront of the prices in a StoreKit configuration.
enum StoreKitStorefront {
  case storefront(Storefront)
  /// Neither the file nor the import options name a storefront.
  case missing
  /// The file names an unknown storefront.
  case unknown
  /// The file and the import options name different storefronts.
  case conflicting(Storefront, option: Storefront)

  /// The storefront, or `nil` if it is not known.
  var known: Storefront? {
    if case .storefront(let storefront) = self { storefront } else { nil }
  }

  /// Returns the storefront of a price.
  ///
  /// - Throws: `.missingStorefront`, `.unknownStorefront`, `.storefrontMismatch`.
  func required(for amount: Amount) throws(CatalogError) -> Storefront {
    switch self {
    case .storefront(let storefront): return storefront
    case .missing: throw .missingStorefront(of: "\(amount)")
    case .unknown:
      throw CatalogError(
        .unknownStorefront,
        "the price \(amount) belongs to an unknown storefront",
        fix: "correct _storefront in the settings, or pass --reinterpret-as (ImportOptions.reinterpretAs)"
      )
    case .conflicting(let own, let option):
      throw CatalogError(
        .storefrontMismatch,
        "the price \(amount) belongs to \(own.id) according to the file, but to \(option.id) according to --prices-of",
        fix:
          "pass --prices-of \(own.id), or --reinterpret-as \(option.id) (ImportOptions.reinterpretAs) to import it as a price of \(option.id)"
      )
    }
  }
}
