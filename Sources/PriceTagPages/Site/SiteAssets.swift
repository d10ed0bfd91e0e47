import PriceTag
import PriceTagText

/// The shop's own files, such as images, which a site contains at the same paths.
public struct SiteAssets: Sendable {
  /// No files.
  public static let none = SiteAssets(folder: "", root: "", files: [])

  private let folder: String
  /// The folder's path without symbolic links. No file may be outside of it.
  private let root: String
  /// The paths as bytes, because Unicode normalization does not make two file names equal.
  private let files: Set<[UInt8]>

  private init(folder: String, root: String, files: Set<[UInt8]>) {
    (self.folder, self.root, self.files) = (folder, root, files)
  }

  /// Creates the assets from the files of a folder and its subfolders.
  ///
  /// Hidden files are omitted, except those in `.well-known`. Symbolic links to files inside the folder are followed.
  ///
  /// - Throws: `.unreadableFile` if the folder cannot be read; `.invalidShop` for a name with control characters, and for
  ///   a symbolic link that points outside the folder.
  public init(folder: String) throws(PagesError) {
    let root = try FolderListing.checkReadable(folder)
    var files: Set<[UInt8]> = []
    for file in FolderListing.files(of: folder) where !file.hasSuffix("/") {
      if file.split(separator: "/").contains(where: { $0.hasPrefix(".") && $0 != ".well-known" }) { continue }
      guard
        !file.unicodeScalars.contains(where: { $0.properties.generalCategory == .control || $0 == "\u{FFFD}" }
        )
      else {
        throw .invalidShop(
          "the file name \(quoted(file)) contains control characters or is not UTF-8",
          fix: "rename the file",
          place: printable(folder)
        )
      }
      // A broken link is reported when the file is read.
      if let target = FolderListing.resolved("\(folder)/\(file)"), !FolderListing.isPath(target, in: root) {
        throw .invalidShop(
          "the symbolic link \(quoted(file)) points outside the folder, to \(quoted(target))",
          fix: "copy the file into the folder, or remove the link",
          place: printable(folder)
        )
      }
      files.insert(Array(file.utf8))
    }
    self.init(folder: folder, root: root, files: files)
  }

  /// Returns the files that the folder currently contains.
  ///
  /// - Throws: The errors of `init(folder:)`.
  package func reloaded() throws(PagesError) -> SiteAssets {
    root.isEmpty ? self : try SiteAssets(folder: folder)
  }

  /// Returns the path of a file without symbolic links; `nil` if the file no longer exists, or a link now points outside
  /// the folder.
  package func resolved(_ source: String) -> String? {
    guard let path = FolderListing.resolved(source), FolderListing.isPath(path, in: root) else { return nil }
    return path
  }

  /// Returns whether there is a file at the path that a product or the shop names. The path may be percent-encoded.
  package func has(_ address: String) -> Bool {
    let path = SiteFile.path(address)
    return files.contains(Array(path.utf8)) || files.contains(SiteFile.decoded(path))
  }

  /// The files sorted by path: the path of each in the site, and its source.
  package var all: [(path: String, source: String)] {
    files.map { String(decoding: $0, as: UTF8.self) }.sorted().map { ($0, "\(folder)/\($0)") }
  }
}
