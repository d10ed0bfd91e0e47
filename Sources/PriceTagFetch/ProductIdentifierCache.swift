import PriceTag
import PriceTagCatalog
import PriceTagText

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A list in the cache.
struct StoredList: Sendable {
  /// The list, as received.
  let bytes: [UInt8]
  let validators: ListValidators
  /// The date when the server last sent or confirmed the list.
  let date: Date
}

/// A folder with one file per address, which contains the last valid list.
///
/// A file consists of a line with a checksum, a line of JSON that describes the list, and the list as received. Files
/// are replaced atomically.
package struct ProductIdentifierCache: Sendable {
  let folder: String

  private static let version = 1
  private static let maximumHeaderByteCount = 64 << 10

  /// Returns the list of an address, or `nil` if it is not stored or its file is damaged.
  func list(of address: FetchAddress) -> StoredList? {
    guard let bytes = contents(of: path(of: address)),
      let checksumEnd = bytes.firstIndex(of: 0x0A),
      String(decoding: bytes[..<checksumEnd], as: UTF8.self)
        == Self.checksum(bytes[(checksumEnd + 1)...]),
      let headerEnd = bytes[(checksumEnd + 1)...].firstIndex(of: 0x0A)
    else { return nil }
    // Two addresses may have the same file name, which is a hash.
    guard let header = Header(bytes[(checksumEnd + 1)..<headerEnd]), header.address == address.key else {
      return nil
    }
    return StoredList(
      bytes: Array(bytes[(headerEnd + 1)...]),
      validators: ListValidators(
        origin: header.origin,
        entityTag: header.entityTag,
        lastModified: header.lastModified
      ),
      date: Date(timeIntervalSince1970: Double(header.date))
    )
  }

  /// The description of a list in its file.
  private struct Header {
    let address: String
    let origin: String
    /// The date, in seconds since 1970.
    let date: Int
    let entityTag: String?
    let lastModified: String?

    /// Parses a header. Returns `nil` if it is damaged or of another version.
    init?(_ bytes: ArraySlice<UInt8>) {
      guard case .object(let object)? = try? bytes.withUnsafeBufferPointer({ try JSONReader.value(of: $0) }),
        Self.integer(object["version"]) == ProductIdentifierCache.version,
        let address = Self.text(object["address"]), let origin = Self.text(object["origin"]),
        let date = Self.integer(object["date"]), (0...253_402_300_799).contains(date)
      else { return nil }
      (self.address, self.origin, self.date) = (address, origin, date)
      (entityTag, lastModified) = (Self.text(object["entityTag"]), Self.text(object["lastModified"]))
    }

    private static func text(_ value: JSONValue?) -> String? {
      if case .string(let text)? = value { text } else { nil }
    }

    private static func integer(_ value: JSONValue?) -> Int? {
      if case .number(let text)? = value { Int(text) } else { nil }
    }
  }

  /// Stores a list, replacing the previous one of the address.
  ///
  /// - Throws: `.unwritableFile`.
  func store(_ list: StoredList, of address: FetchAddress) throws(CatalogError) {
    var members = [
      "\"version\": \(Self.version)", "\"address\": \(json(address.key))",
      "\"origin\": \(json(list.validators.origin))", "\"date\": \(Int(list.date.timeIntervalSince1970))",
    ]
    if let tag = list.validators.entityTag { members.append("\"entityTag\": \(json(tag))") }
    if let date = list.validators.lastModified { members.append("\"lastModified\": \(json(date))") }
    let stored = Array("{\(members.joined(separator: ", "))}\n".utf8) + list.bytes
    let data = Data(Self.checksum(stored).utf8) + [0x0A] + stored
    let path = path(of: address)
    do {
      // Only the owner may read the folder, because an address may contain an access token.
      try FileManager.default.createDirectory(
        atPath: folder,
        withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700]
      )
      try data.write(to: URL(filePath: path), options: .atomic)
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    } catch {
      throw CatalogError(
        .unwritableFile,
        "cannot write the list to the cache",
        fix: "make the folder writable, or use another",
        place: printable(folder)
      )
    }
  }

  func path(of address: FetchAddress) -> String {
    "\(folder)/product-identifiers-\(Self.checksum(address.key.utf8))"
  }

  private func contents(of path: String) -> [UInt8]? {
    let limit = ProductIdentifierList.maximumByteCount + Self.maximumHeaderByteCount
    return try? RegularFile.bytes(of: path, limit: limit)
  }

  /// Returns a checksum that detects accidental damage.
  package static func checksum(_ bytes: some Sequence<UInt8>) -> String {
    var fingerprint = Fingerprint()
    fingerprint.add(bytes)
    return fingerprint.text
  }
}
