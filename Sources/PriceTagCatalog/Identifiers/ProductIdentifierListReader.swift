import PriceTag
import PriceTagText

/// Reads a list of identifiers of any structure, entry by entry.
package struct ProductIdentifierListReader {
  private(set) var identifiers: [String] = []
  private(set) var setAside: [CatalogError] = []
  private(set) var subscriptionGroups: [String: String] = [:]
  private var seen: Set<String> = []
  private var count = 0

  package init() {}

  /// The members that name a product, in the order that they are believed in.
  private static let names = ["productIdentifier", "productID", "productId", "identifier", "id", "sku"]
  /// The newest structure that is known.
  private static let newestVersion = ProductIdentifierList.JSONVersion.products.rawValue

  /// The bytes of a file in UTF-8 without a byte order mark.
  package static func text(_ bytes: [UInt8]) throws(CatalogError) -> [UInt8] {
    try CatalogFile.checkEncoding(bytes)
    return CatalogFile.withoutMark(bytes)
  }

  package static func rejectNUL(in text: [UInt8]) throws(CatalogError) {
    guard text.contains(0) else { return }
    throw CatalogError(.malformedFile, "the list has a NUL", fix: "save it as UTF-8")
  }

  /// Reads a list in JSON.
  package mutating func read(json text: [UInt8]) throws(CatalogError) {
    let value: JSONValue
    do throws(JSONError) {
      value = try text.withUnsafeBufferPointer { (text) throws(JSONError) in try JSONReader.value(of: text) }
    } catch { throw CatalogError(error) }
    try read(ListValue(value))
  }

  // MARK: Structures

  package mutating func read(_ list: ListValue) throws(CatalogError) {
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
  package mutating func take(_ identifier: String, group: String? = nil, at place: @autoclosure () -> String)
  {
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

  package mutating func countEntry() throws(CatalogError) {
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
