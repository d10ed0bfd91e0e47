import PriceTag

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The shop's own files, which become part of a site at the same paths: pictures, a logo.
public struct SiteAssets: Sendable {
  /// No files.
  public static let none = SiteAssets(folder: "", files: [])

  private let folder: String
  /// Their names as bytes: two that look alike are two files.
  private let files: Set<[UInt8]>

  private init(folder: String, files: Set<[UInt8]>) {
    (self.folder, self.files) = (folder, files)
  }

  /// The files of a folder, and of those in it. Hidden ones are left out, but `.well-known` is kept; symbolic links
  /// that lead to files are followed.
  ///
  /// - Throws: `.unreadableFile` where there is no such folder; `.invalidShop` for a name with control characters.
  public init(folder: String) throws(PagesError) {
    guard FolderListing.isFolder(folder), access(folder, R_OK | X_OK) == 0 else {
      throw PagesError(
        .unreadableFile,
        "\(quoted(folder)) is no folder that can be read",
        fix: "give the folder of the shop's own files"
      )
    }
    var files: Set<[UInt8]> = []
    for file in FolderListing.files(of: folder) where !file.hasSuffix("/") {
      if file.split(separator: "/").contains(where: { $0.hasPrefix(".") && $0 != ".well-known" }) { continue }
      guard
        !file.unicodeScalars.contains(where: { $0.properties.generalCategory == .control || $0 == "\u{FFFD}" }
        )
      else {
        throw PagesError(
          .invalidShop,
          "\(quoted(file)) is no name of a file on the web",
          fix: "call it something without control characters, in UTF-8",
          place: printable(folder)
        )
      }
      files.insert(Array(file.utf8))
    }
    self.init(folder: folder, files: files)
  }

  /// Whether there is a file at a path, as a product or the shop names it: `images/my%20car.png` for `my car.png` too.
  package func has(_ address: String) -> Bool {
    let path = SiteFile.path(address)
    return files.contains(Array(path.utf8)) || files.contains(SiteFile.decoded(path))
  }

  /// The files, in the order of their paths: where each stands in the site, and where it is.
  package var all: [(path: String, source: String)] {
    files.map { String(decoding: $0, as: UTF8.self) }.sorted().map { ($0, "\(folder)/\($0)") }
  }
}
