import PriceTag
import PriceTagCatalog
import PriceTagText

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

  /// Returns the storefront that the prices belong to: the one that the file names, else the one of the import's
  /// options. Xcode itself takes the United States where the file names none; this importer does not guess.
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
      // The name may be one that no storefront has: that is a reason to reinterpret the file.
      let name = try settings.optionalString("_storefront") ?? ""
      let id = (try? session.storefront(name))?.id ?? printable(name, limit: 48)
      if id != reinterpreted.id { session.reinterpretedStorefront = id }
      return .storefront(reinterpreted)
    }
    let own = try session.attempt(at: "settings") { () throws(CatalogError) -> Storefront in
      let id = try settings.string("_storefront")
      return try settings.reading("_storefront") { () throws(CatalogError) in try session.storefront(id) }
    }
    guard let own else { return .unknown }
    guard let option, option.id != own.id else { return .storefront(own) }
    return .contradicted(own, option: option)
  }
}

/// The storefront that the prices of a StoreKit configuration belong to.
enum StoreKitStorefront {
  case storefront(Storefront)
  /// The file names no storefront, and neither does the import.
  case missing
  /// The file names a storefront that does not exist.
  case unknown
  /// The file names one storefront, and the import's options another.
  case contradicted(Storefront, option: Storefront)

  /// The storefront; `nil` where it is not known.
  var known: Storefront? {
    if case .storefront(let storefront) = self { storefront } else { nil }
  }

  /// Returns the storefront that a price belongs to.
  ///
  /// - Throws: `.missingStorefront`, `.unknownStorefront`, `.storefrontMismatch`.
  func required(for amount: Amount) throws(CatalogError) -> Storefront {
    switch self {
    case .storefront(let storefront): return storefront
    case .missing: throw .missingStorefront(of: "\(amount)")
    case .unknown:
      throw CatalogError(
        .unknownStorefront,
        "the price \(amount) belongs to a storefront that is unknown",
        fix: "correct settings, _storefront, or pass --reinterpret-as USA (ImportOptions.reinterpretAs)"
      )
    case .contradicted(let own, let option):
      throw CatalogError(
        .storefrontMismatch,
        "the file names \(own.id) as the storefront of the price \(amount), and --prices-of names \(option.id)",
        fix:
          "pass --prices-of \(own.id), or --reinterpret-as \(option.id) (ImportOptions.reinterpretAs) to read the file's prices as those of \(option.id)"
      )
    }
  }
}
