import PriceTag
import PriceTagCatalog
import PriceTagText

extension CatalogFormat {
  /// Detects the format of a file from its name's extension and its first bytes.
  ///
  ///     try CatalogFormat(of: CatalogFile(path: "Products.storekit"))    // .storekit
  ///
  /// - Throws: `.unknownFormat`, which lists the supported formats, or `.unreadableFile`.
  public init(of file: CatalogFile) throws(CatalogError) {
    let start = try file.prefix()
    try CatalogFile.checkEncoding(start)
    let text = String(decoding: start, as: UTF8.self)
    let ending = file.name.lowercased().split(separator: ".").last.map(String.init) ?? ""
    let first = text.unicodeScalars.first { !$0.properties.isWhitespace }
    let isPropertyList =
      text.hasPrefix("bplist") || first == "<" && text.contains("<plist") && !text.contains("<package")
    if isPropertyList || Self.isIdentifierJSON(text) {
      throw Self.identifierListError(file, isPropertyList: isPropertyList)
    }
    let found: CatalogFormat? =
      switch (ending, first) {
      case ("storekit", _): .storekit
      case ("jsonl", _), ("ndjson", _): .jsonl
      case (_, "<"): .itmsp
      case (_, "{"), (_, "["): Self.json(text)
      case (_, nil): nil
      default: Self.csv(text)
      }
    if text.hasPrefix("# PriceTag golden") {
      throw CatalogError(
        .unknownFormat,
        "the file is a golden file, not a catalog",
        fix: "import the files it was recorded from, or compare it with pricetag check"
      )
    }
    guard let found else {
      throw CatalogError(
        .unknownFormat,
        text.isEmpty ? "the file is empty" : "the file has an unknown format",
        fix:
          "name its format with --from (\(Self.allCases.map(\.rawValue).joined(separator: ", "))), or check that it is the right file"
      )
    }
    self = found
  }

  /// Detects a JSON format by member names and values that only one format has.
  private static func json(_ text: String) -> CatalogFormat? {
    func has(_ words: String...) -> Bool { words.contains { text.contains("\"\($0)\"") } }
    if TierJSONReader.isTiers(text) { return .tiers }
    if has("applePriceTier", "googlePrice") { return .unity }
    if has(CatalogJSON.formatName) || (has("productIdentifier") && has("products")) { return .json }
    if has("nonRenewingSubscriptions", "subscriptionGroups") && has("identifier", "version"),
      !has("schemaVersion")
    {
      return .storekit
    }
    if has("schemaVersion") && has("inAppPurchases", "subscriptionGroups") { return .appStoreConnect }
    if has("attributes", "relationships") && has("data") { return .appStoreConnect }
    if has(
      "priceMicros",
      "purchaseOptions",
      "basePlans",
      "inappproduct",
      "oneTimeProducts",
      "defaultPrice"
    ) {
      return .googlePlayJSON
    }
    if has("object") && has("price", "plan", "product", "list") && has("currency", "data", "default_price") {
      return .stripe
    }
    // JSON Lines in a file without the extension .jsonl.
    if has("productIdentifier") && text.prefix(while: { $0 != "\n" }).last == "}" { return .jsonl }
    return nil
  }

  /// Returns whether JSON is a list of product identifiers: an array of strings, or version 1 of the versioned list.
  private static func isIdentifierJSON(_ text: String) -> Bool {
    let start = text.lazy.filter { !$0.isWhitespace }.prefix(2)
    return String(start) == "[\"" || (start.first == "{" && text.contains("\"productIdentifiers\""))
  }

  /// Returns the error for a property list or a list of product identifiers, which `pricetag products` reads.
  private static func identifierListError(_ file: CatalogFile, isPropertyList: Bool) -> CatalogError {
    let bytes = try? file.contents()
    let list = bytes.flatMap { try? ProductIdentifierList($0, name: file.name) }
    let hasIdentifiers = list?.identifiers.isEmpty == false
    return CatalogError(
      .unknownFormat,
      "the file is a \(isPropertyList ? "property list" : "list")"
        + (hasIdentifiers ? " of product identifiers, which has no prices" : ", not a catalog"),
      fix: "import a catalog"
        + (hasIdentifiers ? ", and request its products with pricetag products --identifiers" : "")
    )
  }

  /// Detects a CSV format by its column names.
  private static func csv(_ text: String) -> CatalogFormat? {
    let start = CSVStart(Array(text.utf8), isLast: true)
    let text = String(decoding: text.utf8.dropFirst(start?.headerOffset ?? 0), as: UTF8.self)
    let header = text.drop { $0.isNewline }.prefix { !$0.isNewline }.lowercased()
    if header.contains("productidentifier") { return .csv }
    if header.contains("price id") || header.contains("plan id") { return .stripe }
    if header.contains("product id") && header.contains("price") { return .googlePlayCSV }
    let cells = header.split(omittingEmptySubsequences: false) { [",", ";", "\t"].contains($0) }
    guard cells.count > 1 else { return nil }
    if cells[0].filter({ $0 != "\"" }) == "tier" || (cells[0].isEmpty && header.contains("(")) {
      return .tiers
    }
    return nil
  }
}
