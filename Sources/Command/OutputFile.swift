import PriceTag
import PriceTagCommandLine
import PriceTagSystem
import PriceTagText
import Synchronization

/// A file that is replaced atomically: written under no name or a temporary name, synced, and renamed at the end.
///
/// Standard output (`-`) and a destination that is not a regular file (a pipe, a device) are written directly. Symbolic links are followed. On Linux,
/// the file has no name until it is complete, so a killed process leaves no file. If the file system does not support
/// this, the file has a temporary name beside its destination.
final class OutputFile {
  private let path: String
  /// Negative if the file is opened only to write a part of it.
  private let descriptor: Int32
  /// Whether the destination is written directly: it is not a regular file, or a standard stream writes to it.
  let isDirect: Bool
  /// The temporary name of the file; `nil` if it has no name.
  private var temporary: String?
  private let permissions: mode_t
  private var buffer: [UInt8] = []
  private var problem: Int32 = 0
  private var isFinished = false

  /// - Parameters:
  ///   - path: The destination; `-` for standard output.
  ///   - isOneOfMany: Whether to open the file only to write a part of it, because the process writes more files than it
  ///     may have open. Such a file has a temporary name.
  init(_ path: String, isOneOfMany: Bool = false) throws(PriceTagError) {
    let isStandardOutput = path == "-"
    self.path = isStandardOutput ? "standard output" : Self.destination(path)
    var status = stat()
    let exists = !isStandardOutput && stat(self.path, &status) == 0
    permissions = exists ? status.st_mode & 0o7777 : 0o666
    // A file that a standard stream writes to is not replaced: the output goes to that stream.
    let isRegular = exists && status.st_mode & S_IFMT == S_IFREG
    if let stream = isStandardOutput ? STDOUT_FILENO : isRegular ? Self.standardStream(status) : nil {
      isDirect = true
      descriptor = dup(stream)
      if descriptor < 0 { throw unwritable(errno) }
      return
    }
    isDirect = exists && !isRegular
    if isDirect {
      descriptor = open(self.path, O_WRONLY | O_CLOEXEC)
      if descriptor < 0 { throw unwritable(errno) }
      return
    }
    let unnamed = isOneOfMany ? -1 : openUnnamedFile(in: Self.folder(of: self.path), permissions)
    if unnamed >= 0 {
      descriptor = unnamed
      // The permissions of an existing file do not depend on the umask.
      if exists { fchmod(descriptor, permissions) }
      return
    }
    let beside = PartFile.path(of: self.path)
    PartFile.claim([self.path])
    let created = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, permissions)
    if created < 0 {
      descriptor = -1
      throw unwritable(errno)
    }
    if exists { fchmod(created, permissions) }
    descriptor = isOneOfMany ? -1 : created
    if isOneOfMany { close(created) }
    temporary = beside
    Self.unfinished.withLock { _ = $0.insert(beside) }
  }

  /// Returns whether a process that needs other descriptors too cannot have this number of files open.
  static func isTooMany(_ count: Int) -> Bool { count > ProcessResources.descriptorLimit - 64 }

  deinit {
    if isFinished { return }
    if descriptor >= 0 { close(descriptor) }
    discard()
  }

  /// Returns the destination of a path after all symbolic links, even if the file does not exist. Writing to a link
  /// replaces its destination, not the link.
  static func destination(_ path: String) -> String {
    if let resolved = resolvedPath(path) { return resolved }
    var status = stat()
    var target = [CChar](repeating: 0, count: 4096)
    guard stat(path, &status) != 0 else { return path }
    let count = readlink(path, &target, target.count)
    guard count > 0, count < target.count else { return path }
    let name = String(decoding: target[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    return name.hasPrefix("/") ? name : "\(folder(of: path))/\(name)"
  }

  /// Returns the folder of a path.
  static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
  }

  /// Returns the canonical path of a file that may not exist.
  private static func canonicalPath(_ path: String) -> String {
    let destination = destination(path)
    let name = destination.split(separator: "/").last.map(String.init) ?? ""
    return resolvedPath(folder(of: destination)).map { "\($0)/\(name)" } ?? destination
  }

  /// Returns the path of an existing file without symbolic links.
  static func resolvedPath(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Returns a path relative to the folder of a file, or the path itself if one of the folders does not exist.
  static func relativePath(of path: String, from file: String) -> String {
    let (folder, name) = (folder(of: path), path.split(separator: "/").last.map(String.init) ?? path)
    guard let target = resolvedPath(folder), let origin = resolvedPath(Self.folder(of: destination(file)))
    else { return path }
    let (to, from) = (target.split(separator: "/"), origin.split(separator: "/"))
    let shared = zip(to, from).prefix { $0 == $1 }.count
    let steps = Array(repeating: "..", count: from.count - shared) + to[shared...].map(String.init)
    return (steps + [name]).joined(separator: "/")
  }

  private static func isSameFile(_ file: stat, _ other: stat) -> Bool {
    file.st_dev == other.st_dev && file.st_ino == other.st_ino
  }

  /// Returns the standard stream that writes to a file, or `nil`.
  private static func standardStream(_ file: stat) -> Int32? {
    [STDOUT_FILENO, STDERR_FILENO].first { stream in
      var status = stat()
      return fstat(stream, &status) == 0 && isSameFile(status, file)
    }
  }

  func write(_ text: String) { write { $0 += text.utf8 } }
  func write(_ bytes: [UInt8]) { write { $0 += bytes } }

  /// Writes bytes that a closure appends to the buffer.
  func write(_ append: (inout [UInt8]) -> Void) {
    append(&buffer)
    if buffer.count >= 1 << 16 { flush() }
  }

  /// Writes bytes after the buffered text, without buffering large ones.
  func write(_ bytes: UnsafeRawBufferPointer) throws(PriceTagError) {
    if descriptor < 0, buffer.count + bytes.count < 1 << 16 {
      buffer += bytes
    } else {
      flush()
      withDescriptor { writeAll(bytes, to: $0) }
    }
    if problem != 0 { throw unwritable(problem) }
  }

  private func flush() {
    if !buffer.isEmpty { withDescriptor { writeAll(buffer, to: $0) } }
    buffer.removeAll(keepingCapacity: true)
  }

  /// Calls a closure with the open file, and stores `errno` in `problem` if it returns false.
  private func withDescriptor(_ body: (Int32) -> Bool) {
    guard problem == 0 else { return }
    if descriptor >= 0 {
      if !body(descriptor) { problem = errno }
      return
    }
    let reopened = open(temporary ?? path, O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC)
    guard reopened >= 0 else {
      problem = errno
      return
    }
    if !body(reopened) { problem = errno }
    if close(reopened) != 0, problem == 0 { problem = errno }
  }

  /// Moves the file to its destination.
  func finish() throws(PriceTagError) { try Self.finish([self]) }

  /// Syncs all files, and then moves them to their destinations. A signal does not interrupt the moves.
  static func finish(_ files: [OutputFile]) throws(PriceTagError) {
    try moveLock.withLock { _ throws(PriceTagError) in
      for file in files { try file.sync() }
      for file in files { try file.move() }
    }
  }

  private func sync() throws(PriceTagError) {
    flush()
    if !isDirect { withDescriptor { fsync($0) == 0 } }
    if problem != 0 { throw unwritable(problem) }
  }

  private func move() throws(PriceTagError) {
    isFinished = true
    if !isDirect, temporary == nil { linkTemporaryName() }
    // Directly after the link: a kill between them would leave the temporary name.
    if problem == 0, let temporary, rename(temporary, path) != 0 { problem = errno }
    if descriptor >= 0, close(descriptor) != 0, problem == 0 { problem = errno }
    discard()
    guard problem == 0 else { throw unwritable(problem) }
  }

  /// Gives the file a temporary name beside its destination.
  private func linkTemporaryName() {
    let beside = PartFile.path(of: path)
    unlink(beside)
    if linkat(AT_FDCWD, "/proc/self/fd/\(descriptor)", AT_FDCWD, beside, AT_SYMLINK_FOLLOW) == 0 {
      temporary = beside
    } else {
      problem = errno
    }
  }

  /// Removes the temporary name.
  private func discard() {
    guard let temporary else { return }
    unlink(temporary)
    Self.unfinished.withLock { _ = $0.remove(temporary) }
  }

  // MARK: Interruptions

  /// The temporary names of files that are not complete.
  private static let unfinished = Mutex<Set<String>>([])
  /// Held while files are moved to their destinations.
  private static let moveLock = Mutex(())

  /// Removes all temporary names, prevents further moves, and ends the process.
  static func abandonAll(_ end: () -> Never) -> Never {
    moveLock.withLock { _ in
      unfinished.withLock { $0.forEach { unlink($0) } }
      end()
    }
  }

  /// Waits for the end of the process if `abandonAll` runs, so that its removal of files causes no other error.
  static func waitIfAbandoned() { moveLock.withLock { _ in } }

  private func unwritable(_ number: Int32) -> PriceTagError {
    // The exit code of SIGPIPE, for a process that ignores the signal.
    if number == EPIPE { _exit(141) }
    return .failed("cannot write the file", .write, path, SystemError(number))
  }

  /// Returns whether a path is a symbolic link.
  static func isLink(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  /// Returns whether a file, folder or link of this path exists.
  static func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  /// Returns whether a path is an existing folder, or ends in a slash.
  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return path.hasSuffix("/") || (stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR)
  }

  /// Creates a folder if it does not exist.
  static func makeFolder(_ path: String) throws(PriceTagError) {
    guard mkdir(path, 0o777) != 0, errno != EEXIST else { return }
    throw .failed("cannot create the folder", .write, path)
  }

  /// Returns whether two paths are the same regular file, or the same path of a file that does not exist.
  static func isSame(_ first: String, _ second: String) -> Bool {
    var (one, other) = (stat(), stat())
    let exist = (stat(first, &one) == 0, stat(second, &other) == 0)
    if exist == (false, false) { return canonicalPath(first) == canonicalPath(second) }
    return exist == (true, true) && one.st_mode & S_IFMT == S_IFREG && isSameFile(one, other)
  }

  /// Returns whether a path, which may not exist, is an existing folder or is inside it.
  static func isInside(_ path: String, folder: String) -> Bool {
    guard let outer = resolvedPath(folder) else { return false }
    var trimmed = path
    while trimmed.count > 1, trimmed.hasSuffix("/") { trimmed.removeLast() }
    return "\(canonicalPath(trimmed))/".hasPrefix("\(outer)/")
  }

  /// Returns whether an output (`-` for standard output) is the file of a path.
  static func isOutput(_ output: String, _ path: String) -> Bool {
    output == "-" ? isStandardOutput(path) : isSame(output, path)
  }

  /// Returns whether standard output is the regular file of a path.
  private static func isStandardOutput(_ path: String) -> Bool {
    var (one, other) = (stat(), stat())
    return stat(path, &one) == 0 && fstat(STDOUT_FILENO, &other) == 0 && one.st_mode & S_IFMT == S_IFREG
      && isSameFile(one, other)
  }

  /// Throws if an output (`-` for standard output) is also an input (`-` for standard input).
  static func requireDistinct(
    _ output: String,
    from inputs: [(name: String, path: String)]
  ) throws(PriceTagError) {
    for (name, input) in inputs where isOutput(output, inputPath(input)) {
      throw PriceTagError(
        .invalidOption,
        "\(name) and the output are the same file",
        fix: "use another file",
        place: output == "-" ? "standard output" : printable(output)
      )
    }
  }

  /// Moves a file to a destination that does not exist.
  static func move(_ path: String, to destination: String) throws(PriceTagError) {
    guard link(path, destination) == 0 else {
      guard errno == EEXIST else { throw .failed("cannot write the file", .write, destination) }
      throw PriceTagError(
        .invalidOption,
        "another process created the file",
        fix: "run the command again",
        place: printable(destination)
      )
    }
    unlink(path)
  }
}

extension PriceTagError {
  /// Returns the error of a call of the system for a file.
  static func failed(
    _ problem: String,
    _ access: SystemError.Access,
    _ path: String,
    _ error: SystemError = SystemError()
  ) -> PriceTagError {
    PriceTagError(
      .invalidOption,
      "\(problem): \(error.reason)",
      fix: error.fix(access),
      place: printable(path)
    )
  }
}
