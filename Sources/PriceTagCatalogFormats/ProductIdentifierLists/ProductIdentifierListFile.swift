import PriceTag
import PriceTagCatalog
import PriceTagSystem
import PriceTagText

extension ProductIdentifierList {
  /// Reads a file of at most 8 MB.
  ///
  ///     try ProductIdentifierList(path: "product_ids.plist").identifiers
  ///
  /// - Throws: `.unreadableFile`, or an error of `init(_:name:)`. The place begins with the path.
  public init(path: String) throws(CatalogError) {
    do throws(CatalogError) {
      try self.init(Self.bytes(of: CatalogFile(path: path)), name: path)
    } catch { throw error.at(printable(path)) }
    self = at(printable(path))
  }

  /// Reads the bytes of a file in one of these formats:
  /// - JSON, as described for `init(json:)`;
  /// - XML and binary property lists with the same structures;
  /// - text in a file with the extension `.txt`: one identifier per line, with comments after `#`.
  ///
  /// - Parameters:
  ///   - bytes: The contents of the file.
  ///   - name: The name of the file, which is needed for text only. JSON and property lists are detected.
  /// - Throws: `.malformedFile`, `.unknownFormat`, `.unknownVersion`, `.invalidField`, or `.tooLarge` for more than
  ///   8 MB or 100,000 entries.
  public init(_ bytes: [UInt8], name: String = "") throws(CatalogError) {
    guard bytes.count <= Self.maximumByteCount else { throw Self.tooLarge }
    var reader = ProductIdentifierListReader()
    try reader.read(bytes, name: name)
    self.init(reader)
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

extension ProductIdentifierListReader {
  /// Reads the contents of a file.
  fileprivate mutating func read(_ bytes: [UInt8], name: String) throws(CatalogError) {
    let bytes = try Self.text(bytes)
    if bytes.starts(with: Array("bplist".utf8)) { return try read(ListValue(binaryPropertyList: bytes)) }
    try Self.rejectNUL(in: bytes)
    let file = name.split(separator: "/").last ?? ""
    let ending = file.split(separator: ".", omittingEmptySubsequences: false).dropFirst().last ?? ""
    switch (bytes.first { $0 > 0x20 }, ending.lowercased()) {
    case (UInt8(ascii: "<"), _): try read(ListValue(propertyList: bytes))
    case (UInt8(ascii: "{"), _), (UInt8(ascii: "["), _), (_, "json"): try read(json: bytes)
    case (_, "txt"): try readText(bytes)
    default:
      throw CatalogError(
        .unknownFormat,
        "the file has an unknown format",
        fix: "use JSON or a property list, or the extension .txt for one identifier per line"
      )
    }
  }

  private mutating func readText(_ bytes: [UInt8]) throws(CatalogError) {
    // An empty file may be a truncated list.
    guard bytes.contains(where: { $0 > 0x20 }) else {
      throw CatalogError(
        .malformedFile,
        "the file is empty",
        fix: "write one identifier per line, or [] for an empty list"
      )
    }
    try CatalogFile(name: "", bytes: bytes).forEachLine { (line, number) throws(CatalogError) in
      let words = line.prefix { $0 != UInt8(ascii: "#") }.split { $0 == 0x20 || $0 == 0x09 }
      guard let first = words.first, let last = words.last else { return }
      try countEntry()
      let text = line[first.startIndex..<last.endIndex]
      add(String(decoding: text, as: UTF8.self), at: "line \(number)")
    }
  }
}
