import PriceTag
import PriceTagCatalog

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

  /// Detects a CSV format by its column names.
  private static func csv(_ text: String) -> CatalogFormat? {
    let header = text.drop { $0.isNewline }.prefix { !$0.isNewline }.lowercased()
    if header.contains("productidentifier") { return .csv }
    if header.contains("product id") { return .googlePlayCSV }
    let cells = header.split(omittingEmptySubsequences: false) { [",", ";", "\t"].contains($0) }
    guard cells.count > 1 else { return nil }
    if cells[0].filter({ $0 != "\"" }) == "tier" || (cells[0].isEmpty && header.contains("(")) {
      return .tiers
    }
    return nil
  }
}
