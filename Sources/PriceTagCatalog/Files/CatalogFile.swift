import PriceTag
import PriceTagText
import Synchronization

/// The start of a pipe that was read already, and the pipe, open behind it.
///
/// Sendable notes: what is kept is taken once, under the lock.
private final class PipeStart: @unchecked Sendable {
  private let lock = Mutex(())
  private var start: [UInt8] = []
  private var file: UnsafeMutablePointer<FILE>?

  func keep(_ start: [UInt8], _ file: UnsafeMutablePointer<FILE>) {
    lock.withLock { _ in (self.start, self.file) = (start, file) }
  }

  func take() -> (start: [UInt8], file: UnsafeMutablePointer<FILE>?) {
    lock.withLock { _ in
      defer { (start, file) = ([], nil) }
      return (start, file)
    }
  }

  deinit {
    if let file { fclose(file) }
  }
}

/// A file of products: on disk, or in memory under a name.
public struct CatalogFile: Sendable {
  /// What the file is called, in errors too.
  public let name: String
  /// `nil` for a file on disk.
  private let bytes: [UInt8]?
  /// What was read of a pipe to tell its format: it can be read once.
  private let pipe = PipeStart()
  /// Is told how many bytes were read so far.
  package var progress: @Sendable (Int) -> Void = { _ in }

  /// The most bytes of a format whose files must be read whole: 64 MB.
  public static let maximumByteCount = 64 << 20
  /// The most bytes of a line, or of a record of CSV: 16 MB.
  public static let maximumLineByteCount = 16 << 20

  /// A file on disk; an iTunes Store package's folder stands for the `metadata.xml` in it.
  public init(path: String) {
    name = path
    bytes = nil
  }

  /// A file in memory.
  ///
  /// - Parameters:
  ///   - name: What it is called: its ending helps to tell the format.
  ///   - bytes: What it says.
  public init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }

  /// The path to read: a package's own file for a folder.
  private var path: String {
    var status = stat()
    let isFolder = stat(name, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    return isFolder ? "\(name)/metadata.xml" : name
  }

  /// How many bytes there are; `nil` for a pipe, and where there is no such file.
  public var byteCount: Int? {
    if let bytes { return bytes.count }
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(status.st_size)
  }

  /// Hands over the bytes part by part, until the body says that it has enough.
  ///
  /// - Throws: `.unreadableFile`, and what the body throws.
  package func forEachChunk(_ body: (UnsafeBufferPointer<UInt8>) throws(CatalogError) -> Bool)
    throws(CatalogError)
  {
    if let bytes {
      _ = try bytes.withUnsafeBufferPointer { buffer in
        Result { () throws(CatalogError) in try body(buffer) }
      }.get()
      progress(bytes.count)
      return
    }
    let (start, opened) = pipe.take()
    guard let file = opened ?? fopen(path, "r") else { throw unreadable() }
    defer { fclose(file) }
    var total = start.count
    if !start.isEmpty {
      let goesOn = try start.withUnsafeBufferPointer { buffer in
        Result { () throws(CatalogError) in try body(buffer) }
      }.get()
      if !goesOn { return }
    }
    let capacity = 1 << 18
    let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: capacity)
    defer { buffer.deallocate() }
    while true {
      let count = fread(buffer.baseAddress, 1, capacity, file)
      if count == 0 { break }
      total += count
      progress(total)
      if try !body(UnsafeBufferPointer(rebasing: buffer[..<count])) { return }
    }
    if ferror(file) != 0 { throw unreadable() }
  }

  private func unreadable() -> CatalogError {
    let error = SystemError()
    if error.number == ENOENT, path != name {
      return CatalogError(
        .unreadableFile,
        "the file cannot be read: it is a folder without a metadata.xml",
        fix: "give a file, or the folder of an iTunes Store package (.itmsp)"
      )
    }
    return CatalogError(
      .unreadableFile,
      "the file cannot be read: \(error.reason)",
      fix: error.fix(.read)
    )
  }

  /// The first bytes, to tell the format by.
  package func start(_ count: Int = 1 << 16) throws(CatalogError) -> [UInt8] {
    var start: [UInt8] = []
    if bytes == nil, byteCount == nil {
      let (kept, opened) = pipe.take()
      if let opened {
        pipe.keep(kept, opened)
        return Self.withoutMark(Array(kept.prefix(count)))
      }
      guard let file = fopen(path, "r") else { throw unreadable() }
      start = [UInt8](repeating: 0, count: count)
      start.removeLast(count - fread(&start, 1, count, file))
      pipe.keep(start, file)
      return Self.withoutMark(start)
    }
    try forEachChunk { (chunk) throws(CatalogError) in
      start += chunk.prefix(count - start.count)
      return start.count < count
    }
    return Self.withoutMark(start)
  }

  /// All bytes, without a byte order mark.
  ///
  /// - Throws: `.unreadableFile`, `.tooLarge`, `.malformedFile` for UTF-16 and UTF-32.
  package func contents() throws(CatalogError) -> [UInt8] {
    var contents: [UInt8] = []
    if let byteCount { contents.reserveCapacity(min(byteCount, Self.maximumByteCount)) }
    try forEachChunk { (chunk) throws(CatalogError) in
      guard contents.count + chunk.count <= Self.maximumByteCount else {
        throw CatalogError(
          .tooLarge,
          "the file has more than \(Self.maximumByteCount >> 20) MB",
          fix: "split it, or write the products as JSON Lines, which may have any size"
        )
      }
      contents += chunk
      return true
    }
    try Self.checkEncoding(contents)
    return Self.withoutMark(contents)
  }

  /// Rejects UTF-16 and UTF-32, and a file that starts with zeros, which no text does.
  package static func checkEncoding(_ start: some Collection<UInt8>) throws(CatalogError) {
    if let encoding = TextEncoding(of: start) {
      throw CatalogError(
        .malformedFile,
        "the file is \(encoding.rawValue)",
        fix: "save it as UTF-8",
        place: "line 1"
      )
    }
    if start.first == 0 {
      throw CatalogError(
        .malformedFile,
        "the file starts with a zero byte, so it is no text",
        fix: "give a text file in UTF-8",
        place: "line 1"
      )
    }
  }

  package static func withoutMark(_ bytes: [UInt8]) -> [UInt8] {
    bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
  }

  /// Hands over each line without its end and with its number, from 1. Empty lines are left out.
  ///
  /// - Throws: `.unreadableFile`, `.tooLarge`, `.malformedFile` for UTF-16 and UTF-32, and what the body throws.
  package func forEachLine(
    _ body: (UnsafeBufferPointer<UInt8>, _ number: Int) throws(CatalogError) -> Void
  ) throws(CatalogError) {
    var pending: [UInt8] = []
    var number = 0
    func tell(_ line: UnsafeBufferPointer<UInt8>) throws(CatalogError) {
      number += 1
      var line = line
      if number == 1 {
        try Self.checkEncoding(line)
        if line.starts(with: [0xEF, 0xBB, 0xBF]) { line = UnsafeBufferPointer(rebasing: line.dropFirst(3)) }
      }
      if line.last == 0x0D { line = UnsafeBufferPointer(rebasing: line.dropLast()) }
      if !line.isEmpty { try body(line, number) }
    }
    try forEachChunk { (chunk) throws(CatalogError) in
      var start = 0
      while let base = chunk.baseAddress,
        let found = memchr(base + start, 0x0A, chunk.count - start)
      {
        let end = UnsafeRawPointer(base).distance(to: found)
        let line = UnsafeBufferPointer(rebasing: chunk[start..<end])
        start = end + 1
        if pending.isEmpty {
          try tell(line)
        } else {
          pending += line
          try pending.withUnsafeBufferPointer { line in
            Result { () throws(CatalogError) in try tell(line) }
          }.get()
          pending.removeAll(keepingCapacity: true)
        }
      }
      pending += chunk[start...]
      guard pending.count <= Self.maximumLineByteCount else {
        throw CatalogError(
          .tooLarge,
          "the line has more than \(Self.maximumLineByteCount >> 20) MB",
          fix: "write a product a line",
          place: "line \(number + 1)"
        )
      }
      return true
    }
    if !pending.isEmpty {
      try pending.withUnsafeBufferPointer { line in
        Result { () throws(CatalogError) in try tell(line) }
      }.get()
    }
  }
}
