import PriceTag
import PriceTagSystem
import PriceTagText

/// The list of a site's files, `.pricetag-site`, as hashes of its lines: a site can have millions of files.
///
/// A line is the path of a file or, after `/`, a digest of everything that pages are written from.
struct SiteFileList: Sendable {
  /// The hashes of files and, apart from them, of digests. One set of both would take twice as much memory.
  private var (files, keys): (Set<UInt64>, Set<UInt64>) = ([], [])
  /// What the last line states about the site; `nil` if the last run did not state it.
  private(set) var record: Record?

  /// Creates an empty list.
  ///
  /// - Parameter minimumCount: The number of files that it will have at least. A set that grows needs more memory.
  init(minimumCount: Int = 0) { files.reserveCapacity(minimumCount) }

  /// Reads the list of a site; empty if the folder has none.
  init(_ folder: String) {
    var digest = ContentDigest()
    Self.forEachLine(of: folder) { line in
      let isRecord = line.utf8.starts(with: Record.prefix.utf8)
      // Only the last line states it. Another one is part of a list that was changed.
      record = isRecord ? Record(line, list: digest.text) : nil
      if isRecord { return }
      digest.add(line)
      insert(line)
    }
  }

  /// The number of files.
  var count: Int { files.count }

  /// Adds a line.
  ///
  /// - Returns: Whether the list did not have it.
  @discardableResult
  mutating func insert(_ line: String) -> Bool {
    Self.isFile(line) ? files.insert(Self.hash(line)).inserted : keys.insert(Self.hash(line)).inserted
  }

  func contains(_ line: String) -> Bool { (Self.isFile(line) ? files : keys).contains(Self.hash(line)) }

  /// Returns whether a line is the path of a file.
  static func isFile(_ line: String) -> Bool { line.utf8.first != UInt8(ascii: "/") }

  /// Hashes the bytes of a path, because Unicode normalization does not make two file names equal.
  private static func hash(_ file: String) -> UInt64 {
    var file = file
    var hasher = Hasher()
    file.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    return UInt64(bitPattern: Int64(hasher.finalize()))
  }

  /// Calls the body with each line of a list after the first one. A folder without a list has no lines.
  static func forEachLine(of folder: String, _ body: (String) -> Void) {
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
    /// The digest of the files, see `SiteCensus`; that of the list of the previous site after a run that trusted it.
    let files: String
    /// The number of pages.
    let pageCount: Int
    /// The digest of the other lines.
    let list: String

    /// The prefix of the line.
    static let prefix = "/ "

    init(inputs: String, files: String, pageCount: Int, list: String) {
      (self.inputs, self.files, self.pageCount, self.list) = (inputs, files, pageCount, list)
    }

    /// Reads a line; `nil` for a malformed one, and for one of another list.
    fileprivate init?(_ line: String, list: String) {
      let fields = line.dropFirst(Self.prefix.count).split(separator: " ", omittingEmptySubsequences: false)
      guard fields.count == 4, let pageCount = Int(fields[2]), pageCount > 0, fields[3] == list else {
        return nil
      }
      self.init(inputs: String(fields[0]), files: String(fields[1]), pageCount: pageCount, list: list)
    }

    var line: String { "\(Self.prefix)\(inputs) \(files) \(pageCount) \(list)\n" }
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
