import PriceTag
import PriceTagSystem
import PriceTagText

/// The list of a site's files, `.pricetag-site`, as hashes of their paths: a site can have millions of files.
struct SiteFileList: Sendable {
  private var hashes: Set<UInt64> = []
  /// What the last line states about the site; `nil` if the last run did not state it.
  private(set) var record: Record?

  init() {}

  /// Reads the list of a site; empty if the folder has none.
  init(_ folder: String) {
    Self.forEachLine(of: folder) { line in
      let isRecord = line.hasPrefix(Record.prefix)
      // Only the last line states it. Another one is part of a list that was changed.
      record = isRecord ? Record(line) : nil
      if !isRecord { hashes.insert(Self.hash(line)) }
    }
  }

  var count: Int { hashes.count }

  func contains(_ file: String) -> Bool { hashes.contains(Self.hash(file)) }

  /// Hashes the bytes of a path, because Unicode normalization does not make two file names equal.
  private static func hash(_ file: String) -> UInt64 {
    var file = file
    var hasher = Hasher()
    file.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    return UInt64(bitPattern: Int64(hasher.finalize()))
  }

  /// Calls the body with each line of a list after the first one. A folder without a list has no lines.
  private static func forEachLine(of folder: String, _ body: (String) -> Void) {
    guard let opened = try? RegularFile.descriptor(of: "\(folder)/\(SiteFolder.list)") else { return }
    defer { close(opened.descriptor) }
    var rest: [UInt8] = []
    var isFirst = true
    var isList = true
    withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { buffer in
      while isList {
        let count = RegularFile.fill(buffer, from: opened.descriptor)
        guard count > 0 else { break }
        rest += buffer[..<count]
        var start = rest.startIndex
        while let end = rest[start...].firstIndex(of: UInt8(ascii: "\n")) {
          let line = String(decoding: rest[start..<end], as: UTF8.self)
          start = end + 1
          if isFirst {
            isFirst = false
            isList = line == SiteFolder.firstLine
            if !isList { break }
          } else {
            body(line)
          }
        }
        rest.removeFirst(start)
        // No path is longer.
        if count < buffer.count || rest.count > buffer.count { break }
      }
    }
  }

  /// What the last line of a list states about a complete site.
  struct Record: Hashable {
    /// The fingerprint of the inputs.
    let inputs: String
    /// The digest of the files, see `SiteCensus`.
    let files: String
    /// The number of pages.
    let pageCount: Int

    /// The prefix of the line. No path in a site starts with it.
    static let prefix = "/ "

    init(inputs: String, files: String, pageCount: Int) {
      (self.inputs, self.files, self.pageCount) = (inputs, files, pageCount)
    }

    /// Reads a line; `nil` for a malformed one.
    fileprivate init?(_ line: String) {
      let fields = line.dropFirst(Self.prefix.count).split(separator: " ", omittingEmptySubsequences: false)
      guard fields.count == 3, let pageCount = Int(fields[2]), pageCount > 0 else { return nil }
      self.init(inputs: String(fields[0]), files: String(fields[1]), pageCount: pageCount)
    }

    var line: String { "\(Self.prefix)\(inputs) \(files) \(pageCount)\n" }
  }
}

/// A count of a site's files, with a digest of the path, inode, size and times of each.
///
/// The digest shows that a file was changed by hand, even if a tool restored the time of its last change: no tool can
/// restore the time of the inode's change. Times are compared for equality only, so the clock may be set back.
struct SiteCensus {
  private var digest = ContentDigest()
  /// The digest without the times of the inodes' changes, which removing another link of a file changes.
  private var contentDigest = ContentDigest()
  private(set) var fileCount = 0
  /// Whether all are regular files: not links, and not empty folders.
  private(set) var hasOnlyFiles = true

  mutating func add(_ file: String, _ status: stat) {
    fileCount += 1
    if status.st_mode & S_IFMT != S_IFREG { hasOnlyFiles = false }
    contentDigest.add(file)
    contentDigest.add(Int64(bitPattern: UInt64(status.st_ino)))
    contentDigest.add(Int(status.st_size))
    contentDigest.add(status.st_mtim)
    digest.add(status.st_ctim)
  }

  var text: String { digest.text + contents }

  /// The digest without the times of the inodes' changes.
  var contents: String { contentDigest.text }
}
