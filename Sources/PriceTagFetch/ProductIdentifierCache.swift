import PriceTag
import PriceTagCatalog
import PriceTagText

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A list that was fetched, as it is kept.
struct KeptList: Sendable {
  /// As received.
  let bytes: [UInt8]
  let validators: ListValidators
  /// When the server last said that it is the list.
  let date: Date
}

/// A folder with the last good list of each address, a file each.
///
/// A file is a line with the checksum of what follows, a line of JSON that says whose list it is, and the list as it
/// was received. It is written beside its place and renamed, so that nobody ever reads a part.
struct ProductIdentifierCache: Sendable {
  let folder: String

  private static let version = 1
  private static let maximumHeaderByteCount = 64 << 10

  /// The list of an address; `nil` where there is none, or its file is damaged.
  func list(of address: FetchAddress) -> KeptList? {
    guard let bytes = contents(of: path(of: address)),
      let checksumEnd = bytes.firstIndex(of: 0x0A),
      String(decoding: bytes[..<checksumEnd], as: UTF8.self)
        == Self.checksum(bytes[(checksumEnd + 1)...]),
      let headerEnd = bytes[(checksumEnd + 1)...].firstIndex(of: 0x0A)
    else { return nil }
    // Two addresses may share a file's name.
    guard let header = Header(bytes[(checksumEnd + 1)..<headerEnd]), header.address == address.key else {
      return nil
    }
    return KeptList(
      bytes: Array(bytes[(headerEnd + 1)...]),
      validators: ListValidators(
        origin: header.origin,
        entityTag: header.entityTag,
        lastModified: header.lastModified
      ),
      date: Date(timeIntervalSince1970: Double(header.date))
    )
  }

  /// What a file says of its list.
  private struct Header {
    let address: String
    let origin: String
    /// In seconds since 1970.
    let date: Int
    let entityTag: String?
    let lastModified: String?

    /// `nil` for one of another version, or that is damaged.
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

  /// Keeps a list in place of what was kept.
  ///
  /// - Throws: `.unwritableFile`.
  func keep(_ list: KeptList, of address: FetchAddress) throws(CatalogError) {
    var members = [
      "\"version\": \(Self.version)", "\"address\": \(json(address.key))",
      "\"origin\": \(json(list.validators.origin))", "\"date\": \(Int(list.date.timeIntervalSince1970))",
    ]
    if let tag = list.validators.entityTag { members.append("\"entityTag\": \(json(tag))") }
    if let date = list.validators.lastModified { members.append("\"lastModified\": \(json(date))") }
    let kept = Array("{\(members.joined(separator: ", "))}\n".utf8) + list.bytes
    let data = Data(Self.checksum(kept).utf8) + [0x0A] + kept
    let path = path(of: address)
    do {
      // Its owner's alone: an address may hold what gives access.
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
        "the list cannot be kept for when its server is down",
        fix: "make the folder writable, or give another",
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

  /// It finds damage by accident, which is all that is to be found.
  static func checksum(_ bytes: some Sequence<UInt8>) -> String {
    var fingerprint = Fingerprint()
    fingerprint.add(bytes)
    return fingerprint.text
  }
}
