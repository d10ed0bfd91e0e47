import FoundationEssentials
import PriceTag
import PriceTagCatalog
import PriceTagSystem
import PriceTagText

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
    let description = bytes[(checksumEnd + 1)..<headerEnd]
    guard
      case .object(let header)? = try? description.withUnsafeBufferPointer({ try JSONReader.value(of: $0) })
    else { return nil }
    func text(_ name: String) -> String? { header[name]?.literal }
    // Two addresses may have the same file name, which is a hash.
    guard text("version") == String(Self.version), text("address") == address.key,
      let origin = text("origin"), let date = text("date").flatMap(Int.init),
      (0...253_402_300_799).contains(date)
    else { return nil }
    return StoredList(
      bytes: Array(bytes[(headerEnd + 1)...]),
      validators: ListValidators(
        origin: origin,
        entityTag: text("entityTag"),
        lastModified: text("lastModified")
      ),
      date: Date(timeIntervalSince1970: Double(date))
    )
  }

  /// Stores a list, replacing the previous one of the address.
  ///
  /// - Throws: `.unwritableFile`.
  func store(_ list: StoredList, of address: FetchAddress) throws(CatalogError) {
    var members = [
      ("version", String(Self.version)), ("address", json(address.key)),
      ("origin", json(list.validators.origin)), ("date", String(Int(list.date.timeIntervalSince1970))),
    ]
    if let tag = list.validators.entityTag { members.append(("entityTag", json(tag))) }
    if let date = list.validators.lastModified { members.append(("lastModified", json(date))) }
    let stored = Array((jsonObject(members) + "\n").utf8) + list.bytes
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
