import PriceTag
import PriceTagText

/// The product identifiers that an app or a shop requests from its store, read from a file or published by a server.
///
///     let list = try ProductIdentifierList(json: Array(#"["com.example.level1", "com.example.level1"]"#.utf8))
///     list.identifiers   // ["com.example.level1"]
///     list.rejects[0]   // entry 2: "com.example.level1" appears twice; remove one
///
/// The supported structures are:
/// - an array of identifiers, or StoreHelper's object with `Products` (identifiers) and `Subscriptions` (each a `Group`
///   with `Products`);
/// - versioned lists, `{"version": 1, "productIdentifiers": ["…"]}` and
///   `{"version": 2, "products": [{"productIdentifier": "…"}]}`, and any newer version that still has one of these
///   fields;
/// - Unity's `IAPProductCatalog.json`.
///
/// Unknown members are ignored, so a server can add fields.
public struct ProductIdentifierList: Hashable, Sendable {
  /// The valid identifiers in the order of the list, without duplicates.
  public let identifiers: [String]
  /// The rejected entries, each with its place: malformed identifiers, duplicates, and values of the wrong type.
  public let rejects: [CatalogError]
  /// The subscription groups that the list contains, by product identifier.
  public let subscriptionGroups: [String: String]

  /// The maximum size of a list: 8 MB.
  public static let maximumByteCount = 8 << 20
  /// The maximum number of entries.
  public static let maximumCount = 100_000

  /// Creates a list of identifiers. Malformed and duplicate identifiers are rejected.
  public init(identifiers: some Sequence<String>) {
    var reader = ProductIdentifierListReader()
    for (index, identifier) in identifiers.enumerated() {
      reader.add(identifier, at: "entry \(index + 1)")
    }
    self.init(reader)
  }

  /// Reads a list in JSON.
  ///
  /// `PriceTagCatalogFormats` adds `init(path:)` and `init(_:name:)`, which also read property lists and text.
  ///
  /// - Parameter bytes: The JSON, in UTF-8.
  /// - Throws: `.malformedFile`, `.unknownFormat`, `.unknownVersion`, `.invalidField`, or `.tooLarge` for more than
  ///   8 MB or 100,000 entries.
  public init(json bytes: [UInt8]) throws(CatalogError) {
    guard bytes.count <= Self.maximumByteCount else { throw Self.tooLarge }
    let text = try ProductIdentifierListReader.text(bytes)
    if text.starts(with: Array("bplist".utf8)) || text.first(where: { $0 > 0x20 }) == UInt8(ascii: "<") {
      throw CatalogError(
        .unknownFormat,
        "the list is a property list, not JSON",
        fix: "convert it to JSON, or read it with init(_:name:) of PriceTagCatalogFormats"
      )
    }
    try ProductIdentifierListReader.rejectNUL(in: text)
    var reader = ProductIdentifierListReader()
    try reader.read(json: text)
    self.init(reader)
  }

  package init(_ reader: ProductIdentifierListReader) {
    (identifiers, rejects) = (reader.identifiers, reader.rejects)
    subscriptionGroups = reader.subscriptionGroups
  }

  private init(_ list: ProductIdentifierList, at place: String) {
    identifiers = list.identifiers
    rejects = list.rejects.map { $0.at(place) }
    subscriptionGroups = list.subscriptionGroups
  }

  /// Returns the list with a place added to its rejects, such as the path of the file.
  package func at(_ place: String) -> ProductIdentifierList { ProductIdentifierList(self, at: place) }

  package static var tooLarge: CatalogError {
    CatalogError(.tooLarge, "the list is larger than \(maximumByteCount >> 20) MB", fix: "split it")
  }
}

extension ProductIdentifierList {
  /// The versions of a published list. A server publishes both, for old and new versions of an app.
  public enum JSONVersion: Int, Hashable, Sendable, CaseIterable {
    /// Version 1, `products_v1.json`: `{"version": 1, "productIdentifiers": ["…"]}`.
    case identifiers = 1
    /// Version 2, `products_v2.json`: `{"version": 2, "products": [{"productIdentifier": "…"}]}`, with the
    /// subscription groups.
    case products = 2
  }

  /// Returns the list as JSON for publishing, with one identifier per line.
  ///
  ///     try Data(list.json(version: .products)).write(to: URL(filePath: "products_v2.json"))
  public func json(version: JSONVersion = .identifiers) -> [UInt8] {
    let (field, entries) =
      switch version {
      case .identifiers: ("productIdentifiers", identifiers.map { PriceTagText.json($0) })
      case .products: ("products", identifiers.map(product))
      }
    let lines = entries.map { "\n    " + $0 }.joined(separator: ",")
    let text = """
      {
        "version": \(version.rawValue),
        "\(field)": [\(lines)\(lines.isEmpty ? "" : "\n  ")]
      }

      """
    return Array(text.utf8)
  }

  private func product(_ identifier: String) -> String {
    let group =
      subscriptionGroups[identifier].map { ", \"subscriptionGroup\": \(PriceTagText.json($0))" } ?? ""
    return "{\"productIdentifier\": \(PriceTagText.json(identifier))\(group)}"
  }
}
