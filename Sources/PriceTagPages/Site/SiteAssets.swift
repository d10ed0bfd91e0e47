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
  private let files: Set<String>

  private init(folder: String, files: Set<String>) {
    (self.folder, self.files) = (folder, files)
  }

  /// The files of a folder, and of those in it. Hidden ones are left out, but `.well-known` is kept; symbolic links
  /// that lead to files are followed.
  ///
  /// - Throws: `.unreadableFile` where there is no such folder.
  public init(folder: String) throws(PagesError) {
    guard FolderListing.isFolder(folder), access(folder, R_OK | X_OK) == 0 else {
      throw PagesError(
        .unreadableFile,
        "\(quoted(folder)) is no folder that can be read",
        fix: "give the folder of the shop's own files"
      )
    }
    let visible = FolderListing.files(of: folder).filter { file in
      file.split(separator: "/").allSatisfy { !$0.hasPrefix(".") || $0 == ".well-known" }
    }
    self.init(folder: folder, files: Set(visible))
  }

  /// Whether there is a file at a path, as a product or the shop names it.
  func has(_ address: String) -> Bool { files.contains(SiteFile.path(address)) }

  /// Hands over each file, in the order of their paths.
  ///
  /// - Throws: `.unreadableFile`, and what the body throws.
  func forEach(_ body: (_ path: String, _ bytes: [UInt8]) throws(PagesError) -> Void) throws(PagesError) {
    for file in files.sorted() {
      guard let bytes = FileBytes.read("\(folder)/\(file)") else {
        throw PagesError(
          .unreadableFile,
          "the file cannot be read: \(String(cString: strerror(errno)))",
          fix: "check its permissions, or take it out of the folder",
          place: "\(printable(folder))/\(printable(file))"
        )
      }
      try body(file, bytes)
    }
  }
}
