import PriceTag
import PriceTagText

/// The product identifiers that an app or a shop asks its store for: a file of its own, or one that a server
/// publishes.
///
///     let list = try ProductIdentifierList(Array(#"["com.example.level1", "com.example.level1"]"#.utf8))
///     list.identifiers   // ["com.example.level1"]
///     list.setAside[0]   // entry 2: "com.example.level1" stands twice: remove one of them
///
/// Read are
/// - property lists, XML and binary, and JSON: an array of identifiers; or an object with `Products` (identifiers)
///   and `Subscriptions` (each a `Group` with `Products`), as StoreHelper has it;
/// - versioned lists, `{"version": 1, "productIdentifiers": ["…"]}` and
///   `{"version": 2, "products": [{"productIdentifier": "…"}]}`, and any newer version that still has one of both;
/// - Unity's `IAPProductCatalog.json`;
/// - in a file that ends with `.txt`: an identifier a line, and comments behind `#`.
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

  /// Reads a file of at most 8 MB.
  ///
  ///     try ProductIdentifierList(path: "product_ids.plist").identifiers
  ///
  /// - Throws: `.unreadableFile`, and what `init(_:name:)` throws; the place begins with the path.
  public init(path: String) throws(CatalogError) {
    do throws(CatalogError) {
      try self.init(Self.bytes(of: CatalogFile(path: path)), name: path, place: printable(path))
    } catch { throw error.at(printable(path)) }
  }

  /// Reads the bytes of a file.
  ///
  /// - Parameters:
  ///   - bytes: What the file says.
  ///   - name: What the file is called: `.txt` for text; JSON and property lists tell themselves.
  /// - Throws: `.malformedFile`, `.unknownFormat`, `.unknownVersion`, `.invalidField`, or `.tooLarge` for more than
  ///   8 MB or 100,000 entries.
  public init(_ bytes: [UInt8], name: String = "") throws(CatalogError) {
    try self.init(bytes, name: name, place: "")
  }

  /// - Parameter place: What the places of the entries set aside begin with.
  init(_ bytes: [UInt8], name: String, place: String) throws(CatalogError) {
    guard bytes.count <= Self.maximumByteCount else { throw Self.tooLarge }
    var reader = ProductIdentifierListReader()
    try reader.read(bytes, name: name)
    self.init(reader, place: place)
  }

  private init(_ reader: ProductIdentifierListReader, place: String = "") {
    identifiers = reader.identifiers
    setAside = place.isEmpty ? reader.setAside : reader.setAside.map { $0.at(place) }
    subscriptionGroups = reader.subscriptionGroups
  }

  private static var tooLarge: CatalogError {
    CatalogError(.tooLarge, "the list has more than \(maximumByteCount >> 20) MB", fix: "split it")
  }

  private static func bytes(of file: CatalogFile) throws(CatalogError) -> [UInt8] {
    var bytes: [UInt8] = []
    try file.forEachChunk { (chunk) throws(CatalogError) in
      guard bytes.count + chunk.count <= maximumByteCount else { throw tooLarge }
      bytes += chunk
      return true
    }
    return bytes
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
