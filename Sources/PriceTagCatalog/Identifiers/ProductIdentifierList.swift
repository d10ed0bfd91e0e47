import PriceTag
import PriceTagText

/// The product identifiers that an app or a shop asks its store for: a file of its own, or one that a server
/// publishes.
///
///     let list = try ProductIdentifierList(json: Array(#"["com.example.level1", "com.example.level1"]"#.utf8))
///     list.identifiers   // ["com.example.level1"]
///     list.setAside[0]   // entry 2: "com.example.level1" stands twice: remove one of them
///
/// The structures that are read:
/// - an array of identifiers; or an object with `Products` (identifiers) and `Subscriptions` (each a `Group` with
///   `Products`), as StoreHelper has it;
/// - versioned lists, `{"version": 1, "productIdentifiers": ["…"]}` and
///   `{"version": 2, "products": [{"productIdentifier": "…"}]}`, and any newer version that still has one of both;
/// - Unity's `IAPProductCatalog.json`.
///
/// Members that are not known are left alone: what a server adds breaks no reader.
public struct ProductIdentifierList: Hashable, Sendable {
  /// The identifiers in the list's order, each once and well-formed.
  public let identifiers: [String]
  /// The entries that are none: malformed, repeated or of another type; each with its place.
  public let setAside: [CatalogError]
  /// The subscription groups by identifier, where the list says them.
  public let subscriptionGroups: [String: String]

  /// The most bytes of a list: 8 MB.
  public static let maximumByteCount = 8 << 20
  /// The most entries of a list.
  public static let maximumCount = 100_000

  /// A list of identifiers; those that are malformed or repeated are set aside.
  public init(identifiers: some Sequence<String>) {
    var reader = ProductIdentifierListReader()
    for (index, identifier) in identifiers.enumerated() {
      reader.take(identifier, at: "entry \(index + 1)")
    }
    self.init(reader)
  }

  /// Reads a list in JSON, as servers publish it.
  ///
  /// `PriceTagCatalogFormats` adds `init(path:)` and `init(_:name:)`, which also read property lists and text.
  ///
  /// - Throws: `.malformedFile`, `.unknownFormat`, `.unknownVersion`, `.invalidField`, or `.tooLarge` for more than
  ///   8 MB or 100,000 entries.
  public init(json bytes: [UInt8]) throws(CatalogError) {
    guard bytes.count <= Self.maximumByteCount else { throw Self.tooLarge }
    let text = try ProductIdentifierListReader.text(bytes)
    if text.starts(with: Array("bplist".utf8)) || text.first(where: { $0 > 0x20 }) == UInt8(ascii: "<") {
      throw CatalogError(
        .unknownFormat,
        "the list is a property list, not JSON",
        fix: "give it as JSON, or read it with init(_:name:) of PriceTagCatalogFormats"
      )
    }
    try ProductIdentifierListReader.rejectNUL(in: text)
    var reader = ProductIdentifierListReader()
    try reader.read(json: text)
    self.init(reader)
  }

  package init(_ reader: ProductIdentifierListReader) {
    (identifiers, setAside) = (reader.identifiers, reader.setAside)
    subscriptionGroups = reader.subscriptionGroups
  }

  private init(_ list: ProductIdentifierList, at place: String) {
    identifiers = list.identifiers
    setAside = list.setAside.map { $0.at(place) }
    subscriptionGroups = list.subscriptionGroups
  }

  /// The same list, whose rejected entries are at a place that a caller knows.
  package func at(_ place: String) -> ProductIdentifierList { ProductIdentifierList(self, at: place) }

  package static var tooLarge: CatalogError {
    CatalogError(.tooLarge, "the list has more than \(maximumByteCount >> 20) MB", fix: "split it")
  }
}

extension ProductIdentifierList {
  /// The structures of a published list; a server publishes both, so that apps of any age find theirs.
  public enum JSONVersion: Int, Hashable, Sendable, CaseIterable {
    /// Version 1, `products_v1.json`: `{"version": 1, "productIdentifiers": ["…"]}`.
    case identifiers = 1
    /// Version 2, `products_v2.json`: `{"version": 2, "products": [{"productIdentifier": "…"}]}`, with the
    /// subscription groups.
    case products = 2
  }

  /// The list as JSON to be published, an identifier a line.
  ///
  ///     try list.json(version: .products).write(toFile: "products_v2.json", atomically: true, encoding: .utf8)
  public func json(version: JSONVersion = .identifiers) -> String {
    let (field, entries) =
      switch version {
      case .identifiers: ("productIdentifiers", identifiers.map { PriceTagText.json($0) })
      case .products: ("products", identifiers.map(product))
      }
    let lines = entries.map { "\n    " + $0 }.joined(separator: ",")
    return """
      {
        "version": \(version.rawValue),
        "\(field)": [\(lines)\(lines.isEmpty ? "" : "\n  ")]
      }

      """
  }

  private func product(_ identifier: String) -> String {
    let group =
      subscriptionGroups[identifier].map { ", \"subscriptionGroup\": \(PriceTagText.json($0))" } ?? ""
    return "{\"productIdentifier\": \(PriceTagText.json(identifier))\(group)}"
  }
}
