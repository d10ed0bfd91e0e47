import PriceTag
import PriceTagSystem
import PriceTagText

/// Reads the entries of a list of product identifiers, of any supported structure.
package struct ProductIdentifierListReader {
  private(set) var identifiers: [String] = []
  private(set) var rejects: [CatalogError] = []
  private(set) var subscriptionGroups: [String: String] = [:]
  private var seen: Set<String> = []
  private var count = 0

  package init() {}

  /// The members that may contain a product's identifier, in order of precedence.
  private static let identifierFields = [
    "productIdentifier", "productID", "productId", "identifier", "id", "sku",
  ]
  private static let newestVersion = ProductIdentifierList.JSONVersion.products.rawValue

  /// Checks that bytes are not UTF-16 or UTF-32, and returns them without a byte order mark.
  package static func text(_ bytes: [UInt8]) throws(CatalogError) -> [UInt8] {
    try CatalogFile.checkEncoding(bytes)
    return CatalogFile.withoutByteOrderMark(bytes)
  }

  package static func rejectNUL(in text: [UInt8]) throws(CatalogError) {
    guard text.contains(0) else { return }
    throw CatalogError(.malformedFile, "the list contains a NUL character (U+0000)", fix: "save it as UTF-8")
  }

  /// Reads a list in JSON.
  package mutating func read(json text: [UInt8]) throws(CatalogError) {
    let value: JSONValue
    do throws(JSONError) { value = try JSONReader.value(of: text) } catch { throw CatalogError(error) }
    try read(ListValue(value))
  }

  // MARK: Structures

  package mutating func read(_ list: ListValue) throws(CatalogError) {
    switch list.content {
    case .array(let entries): try add(entries, of: "")
    case .object where list["Products"] != nil || list["Subscriptions"] != nil:
      try add(Self.array("Products", of: list), of: "Products, ")
      try addSubscriptions(Self.array("Subscriptions", of: list))
    case .object: try readVersioned(list)
    default:
      throw CatalogError(
        .malformedFile,
        "the list must be an array or an object, not \(list.kind)",
        fix: "write an array of product identifiers"
      )
    }
  }

  /// Reads a versioned list. The version decides which member is read if there are two. A newer version is read if it
  /// has a known member.
  private mutating func readVersioned(_ list: ListValue) throws(CatalogError) {
    var version = 0
    if case .number(let text)? = list["version"]?.content { version = Int(text) ?? 0 }
    let isNewer = version > Self.newestVersion
    let fields = version >= 2 ? ["products", "productIdentifiers"] : ["productIdentifiers", "products"]
    let arrays = fields.compactMap { field -> (field: String, entries: [ListValue])? in
      if case .array(let entries)? = list[field]?.content { (field, entries) } else { nil }
    }
    // A newer version may still have identifiers in a known member.
    let array =
      isNewer
      ? arrays.first { $0.entries.contains { Self.identifier(of: $0) != nil } }
        ?? arrays.first(where: \.entries.isEmpty)
      : arrays.first
    if let array { return try add(array.entries, of: array.field + ", ") }
    if isNewer {
      throw CatalogError(
        .unknownVersion,
        "version \(version) of the list is unknown, and no known field has identifiers",
        fix: "fetch products_v\(Self.newestVersion).json, or read the list with a later version of PriceTag",
        place: list.line.map { "line \($0)" } ?? ""
      )
    }
    for field in fields { _ = try Self.array(field, of: list) }
    throw CatalogError(
      .malformedFile,
      "the object has neither \"productIdentifiers\" nor \"products\"",
      fix: "add one of them, or write an array of product identifiers",
      place: list.line.map { "line \($0)" } ?? ""
    )
  }

  private mutating func addSubscriptions(_ groups: [ListValue]) throws(CatalogError) {
    for (index, group) in groups.enumerated() {
      let place = "Subscriptions, entry \(index + 1)"
      let line = group.line.map { "line \($0), " } ?? ""
      try countEntry()
      guard case .object = group.content, case .array(let entries)? = group["Products"]?.content else {
        reject(
          .invalidField,
          "the subscription group must be an object with an array \"Products\"",
          fix: "write an object with Group and Products",
          place: line + place
        )
        continue
      }
      var name: String?
      if case .string(let text)? = group["Group"]?.content, !text.isEmpty {
        name = text
      } else {
        reject(
          .invalidField,
          "the subscription group has no name",
          fix: "add its name as the string \"Group\" (its products were read without a group)",
          place: line + place
        )
      }
      try add(entries, of: place + ", Products, ", group: name)
    }
  }

  // MARK: Entries

  private mutating func add(
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
        add(identifier, group: group, at: "\(place)\(list)entry \(index + 1)")
      } else {
        reject(
          .invalidField,
          Self.problem(of: entry),
          fix: "write a product identifier as a string",
          place: "\(place)\(list)entry \(index + 1)"
        )
      }
    }
  }

  private static func identifier(of entry: ListValue) -> String? {
    let value = identifierFields.lazy.compactMap { entry[$0] }.first ?? entry
    if case .string(let text) = value.content { return text }
    return nil
  }

  private static func problem(of entry: ListValue) -> String {
    for field in identifierFields {
      if let value = entry[field] { return "the field \"\(field)\" must be a string, not \(value.kind)" }
    }
    if case .object = entry.content { return "the field \"productIdentifier\" is missing" }
    return "the entry must be a product identifier, not \(entry.kind)"
  }

  /// Adds an identifier, or rejects it if it is malformed or a duplicate.
  package mutating func add(_ identifier: String, group: String? = nil, at place: @autoclosure () -> String) {
    do throws(CatalogError) { try ProductIdentifier.check(identifier) } catch {
      rejects.append(error.at(place()))
      return
    }
    guard seen.insert(identifier).inserted else {
      rejects.append(.repeated(identifier).at(place()))
      return
    }
    identifiers.append(identifier)
    if let group { subscriptionGroups[identifier] = group }
  }

  private mutating func reject(_ code: CatalogError.Code, _ problem: String, fix: String, place: String) {
    rejects.append(CatalogError(code, problem, fix: fix, place: place))
  }

  /// Counts an entry.
  ///
  /// - Throws: `.tooLarge` if the list has too many.
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

  /// Returns the array of a member, or an empty array if the member is missing.
  private static func array(_ field: String, of list: ListValue) throws(CatalogError) -> [ListValue] {
    guard let value = list[field] else { return [] }
    guard case .array(let entries) = value.content else {
      throw CatalogError(
        .invalidField,
        "the field \"\(field)\" must be an array, not \(value.kind)",
        fix: "write an array of product identifiers",
        place: (value.line ?? list.line).map { "line \($0)" } ?? ""
      )
    }
    return entries
  }
}
