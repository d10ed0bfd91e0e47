import PriceTag

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file that is whole or not there: written beside its destination, synced, and renamed at the end.
///
/// A destination that is no regular file (a pipe, a device) is written directly; a symbolic link is followed.
final class OutputFile {
  private let path: String
  /// `nil` where the destination is written directly.
  private let temporary: String?
  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private var problem: Int32 = 0
  private var isFinished = false

  init(_ path: String) throws(PriceTagError) {
    // Where a link leads, so that it stays one.
    let resolved = realpath(path, nil)
    self.path = resolved.map { String(cString: $0) } ?? path
    free(resolved)
    var status = stat()
    let isThere = stat(self.path, &status) == 0
    if isThere, status.st_mode & S_IFMT != S_IFREG {
      temporary = nil
      descriptor = open(self.path, O_WRONLY | O_CLOEXEC)
    } else {
      let beside = "\(self.path).\(getpid()).part"
      temporary = beside
      descriptor = open(
        beside,
        O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
        isThere ? status.st_mode & 0o7777 : 0o666
      )
    }
    if descriptor < 0 { throw unwritable(errno) }
  }

  deinit {
    if isFinished { return }
    if descriptor >= 0 { close(descriptor) }
    if let temporary { unlink(temporary) }
  }

  func write(_ text: String) {
    buffer += text.utf8
    if buffer.count >= 1 << 16 { flush() }
  }

  private func flush() {
    if problem == 0, !writeAll(buffer, to: descriptor) { problem = errno }
    buffer.removeAll(keepingCapacity: true)
  }

  /// Puts the file into its place.
  func finish() throws(PriceTagError) {
    flush()
    isFinished = true
    if problem == 0, temporary != nil, fsync(descriptor) != 0 { problem = errno }
    if close(descriptor) != 0, problem == 0 { problem = errno }
    if problem == 0, let temporary, rename(temporary, path) != 0 { problem = errno }
    guard problem != 0 else { return }
    if let temporary { unlink(temporary) }
    throw unwritable(problem)
  }

  private func unwritable(_ number: Int32) -> PriceTagError {
    PriceTagError(
      .invalidOption,
      "\(quoted(path)) cannot be written: \(String(cString: strerror(number)))",
      fix: "give a file in a folder that this process may write, on a disk with room"
    )
  }

  /// Whether something stands at a path.
  static func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  /// What temporary files are named by.
  static var processID: Int32 { getpid() }

  /// Whether two paths are one file, which is there.
  static func isSame(_ first: String, _ second: String) -> Bool {
    var (one, other) = (stat(), stat())
    guard stat(first, &one) == 0, stat(second, &other) == 0, one.st_mode & S_IFMT == S_IFREG else {
      return false
    }
    return one.st_dev == other.st_dev && one.st_ino == other.st_ino
  }

  /// Puts a file into a place where nothing stands.
  static func place(_ path: String, at destination: String) throws(PriceTagError) {
    guard link(path, destination) == 0 else {
      let problem = errno
      throw PriceTagError(
        .invalidOption,
        problem == EEXIST
          ? "\(quoted(destination)) was made by somebody else meanwhile"
          : "\(quoted(destination)) cannot be made: \(String(cString: strerror(problem)))",
        fix: problem == EEXIST ? "import again, into that one" : "give a folder that this process may write"
      )
    }
    unlink(path)
  }

  /// Removes files, where they are there.
  static func remove(_ paths: [String]) {
    for path in paths { unlink(path) }
  }
}
