import PriceTag
import PriceTagSystem
import PriceTagText
import Synchronization

/// The first bytes of a pipe, which were read to detect its format, and the open pipe with the rest.
///
/// Safe to share between threads: a lock guards the contents, which are removed when they are read.
private final class PipeBuffer: @unchecked Sendable {
  private let lock = Mutex(())
  private var prefix: [UInt8] = []
  private var file: UnsafeMutablePointer<FILE>?

  func store(_ prefix: [UInt8], _ file: UnsafeMutablePointer<FILE>?) {
    lock.withLock { _ in (self.prefix, self.file) = (prefix, file) }
  }

  func remove() -> (prefix: [UInt8], file: UnsafeMutablePointer<FILE>?) {
    lock.withLock { _ in
      defer { (prefix, file) = ([], nil) }
      return (prefix, file)
    }
  }

  deinit {
    if let file { fclose(file) }
  }
}

/// A file of products, on disk or in memory.
public struct CatalogFile: Sendable {
  /// The name of the file, also used in errors. For a file on disk, it is the path.
  public let name: String
  /// The contents of a file in memory; `nil` for a file on disk.
  private let bytes: [UInt8]?
  /// The bytes of a pipe that were read to detect its format. A pipe can be read only once.
  private let pipe = PipeBuffer()
  /// Whether the file may be a pipe or a device, for which reading waits.
  package var mayBePipe = true
  /// A closure called with the number of bytes read so far.
  package var progress: @Sendable (Int) -> Void = { _ in }
  /// A closure called with each chunk of bytes before it is used.
  package var onRead: @Sendable (UnsafeBufferPointer<UInt8>) -> Void = { _ in }

  /// The maximum size of a file whose format must be read into memory at once: 64 MB.
  public static let maximumByteCount = 64 << 20
  /// The maximum size of a line, or of a CSV record: 16 MB.
  package static let maximumLineByteCount = 16 << 20

  /// Creates a file on disk. For the folder of an iTunes Store package, it is the `metadata.xml` in the folder.
  ///
  /// - Parameter path: The path of the file or folder.
  public init(path: String) {
    name = path
    bytes = nil
  }

  /// Creates a file in memory.
  ///
  /// - Parameters:
  ///   - name: The name of the file. Its extension helps to detect the format.
  ///   - bytes: The contents.
  public init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }

  /// The path to read: for a folder, the file in it.
  private var path: String {
    var status = stat()
    let isFolder = stat(name, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    return isFolder ? "\(name)/metadata.xml" : name
  }

  /// The size of the file, or `nil` if it is a pipe or does not exist.
  public var byteCount: Int? {
    if let bytes { return bytes.count }
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(status.st_size)
  }

  /// Calls the body with consecutive chunks of the file until it returns `false`.
  ///
  /// - Throws: `.unreadableFile`, and the errors of the body.
  package func forEachChunk(_ use: (UnsafeBufferPointer<UInt8>) throws(CatalogError) -> Bool)
    throws(CatalogError)
  {
    func body(_ chunk: UnsafeBufferPointer<UInt8>) throws(CatalogError) -> Bool {
      onRead(chunk)
      return try use(chunk)
    }
    if let bytes {
      _ = try bytes.withUnsafeBufferPointer(body)
      progress(bytes.count)
      return
    }
    let (prefix, opened) = pipe.remove()
    let file: UnsafeMutablePointer<FILE>
    if let opened { file = opened } else { file = try open() }
    defer { fclose(file) }
    var total = prefix.count
    if !prefix.isEmpty, try !prefix.withUnsafeBufferPointer(body) { return }
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

  private func open() throws(CatalogError) -> UnsafeMutablePointer<FILE> {
    var descriptor: Int32?
    if !mayBePipe {
      do throws(RegularFile.Failure) { descriptor = try RegularFile.descriptor(of: path).descriptor } catch {
        if error.number == EINVAL {
          throw CatalogError(.unreadableFile, "cannot read the file: \(error.reason)", fix: error.fix)
        }
        errno = error.number
        throw unreadable()
      }
    }
    let file = if let descriptor { fdopen(descriptor, "r") } else { fopen(path, "r") }
    guard let file else { throw unreadable() }
    return file
  }

  private func unreadable() -> CatalogError {
    let error = SystemError()
    if error.number == ENOENT, path != name {
      return CatalogError(
        .unreadableFile,
        "cannot read the file: it is a folder without a metadata.xml",
        fix: "use a file, or the folder of an iTunes Store package (.itmsp)"
      )
    }
    return CatalogError(
      .unreadableFile,
      "cannot read the file: \(error.reason)",
      fix: error.fix(.read)
    )
  }

  /// Returns the first bytes without a byte order mark, to detect the format.
  package func prefix(_ count: Int = 1 << 16) throws(CatalogError) -> [UInt8] {
    var prefix: [UInt8] = []
    if bytes == nil, byteCount == nil {
      var (stored, file) = pipe.remove()
      if file == nil {
        // A constant, because the C library of Debian 13 declares that the file is not null.
        let opened = try open()
        file = opened
        stored = [UInt8](repeating: 0, count: count)
        stored.removeLast(count - fread(&stored, 1, count, opened))
      }
      pipe.store(stored, file)
      return Self.withoutByteOrderMark(Array(stored.prefix(count)))
    }
    try forEachChunk { (chunk) throws(CatalogError) in
      prefix += chunk.prefix(count - prefix.count)
      return prefix.count < count
    }
    return Self.withoutByteOrderMark(prefix)
  }

  /// Returns all bytes without a byte order mark.
  ///
  /// - Throws: `.unreadableFile`, `.tooLarge`, `.malformedFile` for UTF-16 and UTF-32.
  package func contents() throws(CatalogError) -> [UInt8] {
    var contents: [UInt8] = []
    if let byteCount { contents.reserveCapacity(min(byteCount, Self.maximumByteCount)) }
    try forEachChunk { (chunk) throws(CatalogError) in
      guard contents.count + chunk.count <= Self.maximumByteCount else {
        throw CatalogError(
          .tooLarge,
          "the file is larger than \(Self.maximumByteCount >> 20) MB",
          fix: "split it, or write the products as JSON Lines, which has no size limit"
        )
      }
      contents += chunk
      return true
    }
    try Self.checkEncoding(contents)
    return Self.withoutByteOrderMark(contents)
  }

  /// Rejects UTF-16, UTF-32, and files that start with a zero byte and therefore are not text.
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
        "the file starts with a zero byte, so it is not text",
        fix: "use a text file in UTF-8",
        place: "line 1"
      )
    }
  }

  package static func withoutByteOrderMark(_ bytes: [UInt8]) -> [UInt8] {
    bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
  }

  /// Calls the body with each line, without its line ending, and its number, starting at 1. Empty lines are skipped.
  ///
  /// - Throws: `.unreadableFile`, `.tooLarge`, `.malformedFile` for UTF-16 and UTF-32, and the errors of the body.
  package func forEachLine(
    _ body: (UnsafeBufferPointer<UInt8>, _ number: Int) throws(CatalogError) -> Void
  ) throws(CatalogError) {
    var pending: [UInt8] = []
    var number = 0
    func process(_ line: UnsafeBufferPointer<UInt8>) throws(CatalogError) {
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
          try process(line)
        } else {
          pending += line
          try pending.withUnsafeBufferPointer(process)
          pending.removeAll(keepingCapacity: true)
        }
      }
      pending += chunk[start...]
      guard pending.count <= Self.maximumLineByteCount else {
        throw CatalogError(
          .tooLarge,
          "the line is larger than \(Self.maximumLineByteCount >> 20) MB",
          fix: "write one product per line",
          place: "line \(number + 1)"
        )
      }
      return true
    }
    if !pending.isEmpty { try pending.withUnsafeBufferPointer(process) }
  }
}
