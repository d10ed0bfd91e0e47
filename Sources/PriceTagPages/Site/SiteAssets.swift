import PriceTag
import PriceTagText

/// The shop's own files, which become part of a site at the same paths: pictures, a logo.
public struct SiteAssets: Sendable {
  /// No files.
  public static let none = SiteAssets(folder: "", root: "", files: [])

  private let folder: String
  /// The folder without symbolic links in its path: what no file may lead out of.
  private let root: String
  /// Their names as bytes: two that look alike are two files.
  private let files: Set<[UInt8]>

  private init(folder: String, root: String, files: Set<[UInt8]>) {
    (self.folder, self.root, self.files) = (folder, root, files)
  }

  /// The files of a folder, and of those in it. Hidden ones are left out, but `.well-known` is kept; symbolic links
  /// that lead to files in the folder are followed.
  ///
  /// - Throws: `.unreadableFile` where there is no such folder; `.invalidShop` for a name with control characters, and for
  ///   a symbolic link that leads out of the folder.
  public init(folder: String) throws(PagesError) {
    guard FolderListing.isFolder(folder), access(folder, R_OK | X_OK) == 0,
      let root = FolderListing.resolved(folder)
    else {
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
      // A link that leads nowhere is judged when it is read.
      if let target = FolderListing.resolved("\(folder)/\(file)"), !FolderListing.isPath(target, in: root) {
        throw PagesError(
          .invalidShop,
          "the symbolic link \(quoted(file)) leads out of the folder, to \(quoted(target))",
          fix: "copy the file into the folder, or remove the link",
          place: printable(folder)
        )
      }
      files.insert(Array(file.utf8))
    }
    self.init(folder: folder, root: root, files: files)
  }

  /// Returns the files that are in the folder now.
  ///
  /// - Throws: As the initializer does.
  package func reloaded() throws(PagesError) -> SiteAssets {
    root.isEmpty ? self : try SiteAssets(folder: folder)
  }

  /// Returns where a file of the folder is, without symbolic links in its path; `nil` where it is gone, or a link leads
  /// out of the folder by now.
  package func resolved(_ source: String) -> String? {
    guard let path = FolderListing.resolved(source), FolderListing.isPath(path, in: root) else { return nil }
    return path
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
