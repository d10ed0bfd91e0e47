import PriceTag
import PriceTagCatalog

extension CatalogFormat {
  /// The format of a file, told by its ending and by what it starts with.
  ///
  ///     try CatalogFormat(of: CatalogFile(path: "Products.storekit"))    // .storekit
  ///
  /// - Throws: `.unknownFormat`, with what is read; `.unreadableFile`.
  public init(of file: CatalogFile) throws(CatalogError) {
    let start = try file.start()
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
        "the file is a golden, not a catalogue",
        fix: "give what it was recorded of; pricetag check takes goldens"
      )
    }
    guard let found else {
      throw CatalogError(
        .unknownFormat,
        text.isEmpty ? "the file is empty" : "the file is of no format that is known",
        fix:
          "say which it is with --from (\(Self.allCases.map(\.rawValue).joined(separator: ", "))), or give another file"
      )
    }
    self = found
  }

  /// By the names of members and the values that only one format has.
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
    // The lines of a file without the ending of JSON Lines.
    if has("productIdentifier") && text.prefix(while: { $0 != "\n" }).last == "}" { return .jsonl }
    return nil
  }

  /// By the names of columns.
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
