import PriceTag
import PriceTagText

/// Reads a list of identifiers of any structure, entry by entry.
struct ProductIdentifierListReader {
  private(set) var identifiers: [String] = []
  private(set) var setAside: [CatalogError] = []
  private(set) var subscriptionGroups: [String: String] = [:]
  private var seen: Set<String> = []
  private var count = 0

  /// The members that name a product, in the order that they are believed in.
  private static let names = ["productIdentifier", "productID", "productId", "identifier", "id", "sku"]
  /// The newest structure that is known.
  private static let newestVersion = ProductIdentifierList.JSONVersion.products.rawValue

  /// Reads a whole file.
  mutating func read(_ bytes: [UInt8], name: String) throws(CatalogError) {
    try CatalogFile.checkEncoding(bytes)
    let bytes = CatalogFile.withoutMark(bytes)
    if bytes.starts(with: Array("bplist".utf8)) { return try read(ListValue(binaryPropertyList: bytes)) }
    guard !bytes.contains(0) else {
      throw CatalogError(.malformedFile, "the list has a NUL", fix: "save it as UTF-8")
    }
    let file = name.split(separator: "/").last ?? ""
    let ending = file.split(separator: ".", omittingEmptySubsequences: false).dropFirst().last ?? ""
    switch (bytes.first { $0 > 0x20 }, ending.lowercased()) {
    case (UInt8(ascii: "<"), _): try read(ListValue(propertyList: bytes))
    case (UInt8(ascii: "{"), _), (UInt8(ascii: "["), _), (_, "json"):
      try read(ListValue(JSONFields.value(of: bytes)))
    case (_, "txt"): try readText(bytes)
    default:
      throw CatalogError(
        .unknownFormat,
        "the list is neither JSON nor a property list",
        fix: "give one of them, or name it .txt if it has an identifier a line"
      )
    }
  }

  // MARK: Structures

  private mutating func read(_ list: ListValue) throws(CatalogError) {
    switch list.content {
    case .array(let entries): try take(entries, of: "")
    case .object where list["Products"] != nil || list["Subscriptions"] != nil:
      try take(Self.array("Products", of: list), of: "Products, ")
      try takeSubscriptions(Self.array("Subscriptions", of: list))
    case .object: try readVersioned(list)
    default:
      throw CatalogError(
        .malformedFile,
        "\(list.kind) stands where a list is expected",
        fix: "give an array of product identifiers"
      )
    }
  }

  /// The version says which member is meant, should there be two. A newer one is read as long as it can be.
  private mutating func readVersioned(_ list: ListValue) throws(CatalogError) {
    var version = 0
    if case .number(let text)? = list["version"]?.content { version = Int(text) ?? 0 }
    let isNewer = version > Self.newestVersion
    let fields = version >= 2 ? ["products", "productIdentifiers"] : ["productIdentifiers", "products"]
    let arrays = fields.compactMap { field -> (field: String, entries: [ListValue])? in
      if case .array(let entries)? = list[field]?.content { (field, entries) } else { nil }
    }
    // What a newer version says otherwise may still stand where it is known.
    let known =
      isNewer
      ? arrays.first { $0.entries.contains { Self.identifier(of: $0) != nil } }
        ?? arrays.first(where: \.entries.isEmpty)
      : arrays.first
    if let known { return try take(known.entries, of: known.field + ", ") }
    if isNewer {
      throw CatalogError(
        .unknownVersion,
        "version \(version) of the list has no identifiers where they are known to stand",
        fix: "fetch products_v\(Self.newestVersion).json, or read the list with a newer PriceTag",
        place: list.line.map { "line \($0)" } ?? ""
      )
    }
    for field in fields { _ = try Self.array(field, of: list) }
    throw CatalogError(
      .malformedFile,
      "the object has neither \"productIdentifiers\" nor \"products\"",
      fix: "give one of them, or an array of product identifiers",
      place: list.line.map { "line \($0)" } ?? ""
    )
  }

  private mutating func takeSubscriptions(_ groups: [ListValue]) throws(CatalogError) {
    for (index, group) in groups.enumerated() {
      let place = "Subscriptions, entry \(index + 1)"
      let line = group.line.map { "line \($0), " } ?? ""
      try countEntry()
      guard case .object = group.content, case .array(let entries)? = group["Products"]?.content else {
        setAside(
          .invalidField,
          "the subscription group has no \"Products\"",
          fix: "give an object with Group and Products",
          place: line + place
        )
        continue
      }
      var name: String?
      if case .string(let text)? = group["Group"]?.content, !text.isEmpty {
        name = text
      } else {
        setAside(
          .invalidField,
          "the subscription group has no name",
          fix: "give a string as its Group; its products are taken without one",
          place: line + place
        )
      }
      try take(entries, of: place + ", Products, ", group: name)
    }
  }

  private mutating func readText(_ bytes: [UInt8]) throws(CatalogError) {
    // It might be what is left of a list.
    guard bytes.contains(where: { $0 > 0x20 }) else {
      throw CatalogError(
        .malformedFile,
        "the text is empty",
        fix: "write an identifier a line, or [] for none"
      )
    }
    try CatalogFile(name: "", bytes: bytes).forEachLine { (line, number) throws(CatalogError) in
      let words = line.prefix { $0 != UInt8(ascii: "#") }.split { $0 == 0x20 || $0 == 0x09 }
      guard let first = words.first, let last = words.last else { return }
      try countEntry()
      let text = line[first.startIndex..<last.endIndex]
      take(String(decoding: text, as: UTF8.self), at: "line \(number)")
    }
  }

  // MARK: Entries

  private mutating func take(
    _ entries: [ListValue],
    of list: String,
    group: String? = nil
  ) throws(CatalogError) {
    for (index, entry) in entries.enumerated() {
      try countEntry()
      let place = entry.line.map { "line \($0), " } ?? ""
      if let identifier = Self.identifier(of: entry) {
        var group = group
        if case .string(let name)? = entry["subscriptionGroup"]?.content, !name.isEmpty { group = name }
        take(identifier, group: group, at: "\(place)\(list)entry \(index + 1)")
      } else {
        setAside(
          .invalidField,
          Self.problem(of: entry),
          fix: "give a product identifier as a string",
          place: "\(place)\(list)entry \(index + 1)"
        )
      }
    }
  }

  private static func identifier(of entry: ListValue) -> String? {
    let named = names.lazy.compactMap { entry[$0] }.first ?? entry
    if case .string(let text) = named.content { return text }
    return nil
  }

  private static func problem(of entry: ListValue) -> String {
    for name in names {
      if let value = entry[name] { return "\(value.kind) stands where \(name) is expected" }
    }
    if case .object = entry.content { return "the object has no \"productIdentifier\"" }
    return "\(entry.kind) stands where a product identifier is expected"
  }

  /// Takes an identifier, or sets it aside.
  mutating func take(_ identifier: String, group: String? = nil, at place: @autoclosure () -> String) {
    do throws(CatalogError) { try ProductIdentifier.check(identifier) } catch {
      setAside.append(error.at(place()))
      return
    }
    guard seen.insert(identifier).inserted else {
      setAside(
        .duplicate,
        "\(quoted(identifier)) stands twice",
        fix: "remove one of them",
        place: place()
      )
      return
    }
    identifiers.append(identifier)
    if let group { subscriptionGroups[identifier] = group }
  }

  private mutating func setAside(_ code: CatalogError.Code, _ problem: String, fix: String, place: String) {
    setAside.append(CatalogError(code, problem, fix: fix, place: place))
  }

  private mutating func countEntry() throws(CatalogError) {
    count += 1
    guard count <= ProductIdentifierList.maximumCount else {
      throw CatalogError(
        .tooLarge,
        "the list has more than \(ProductIdentifierList.maximumCount) entries",
        fix: "split it"
      )
    }
  }

  /// The array of a member; empty where there is none.
  private static func array(_ field: String, of list: ListValue) throws(CatalogError) -> [ListValue] {
    guard let value = list[field] else { return [] }
    guard case .array(let entries) = value.content else {
      let line = (value.line ?? list.line).map { "line \($0), " } ?? ""
      throw CatalogError(
        .invalidField,
        "\(value.kind) stands where an array is expected",
        fix: "give an array of product identifiers",
        place: "\(line)field \(field)"
      )
    }
    return entries
  }
}
