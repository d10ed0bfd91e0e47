import PriceTag
import PriceTagCommandLine
import PriceTagText
import Synchronization

/// A file that is whole or not there: written where nobody sees it, synced, and put into its place at the end.
///
/// A destination that is no regular file (a pipe, a device) is written directly; a symbolic link is followed. On Linux
/// the file has no name until it is whole, so that a killed process leaves nothing behind; where the disk cannot do
/// that, it is written beside its destination.
final class OutputFile {
  private let path: String
  /// Negative where the file is open only while a part of it is written.
  private let descriptor: Int32
  /// Whether what is written is no regular file.
  let isDirect: Bool
  /// What the file is called until it is in its place; `nil` where it has no name yet.
  private var temporary: String?
  private let permissions: mode_t
  private var buffer: [UInt8] = []
  private var problem: Int32 = 0
  private var isFinished = false

  /// - Parameter isOneOfMany: Whether the file is open only while a part of it is written, for the process may have
  ///   fewer files open than it writes. Such a file has a name beside its destination.
  init(_ path: String, isOneOfMany: Bool = false) throws(PriceTagError) {
    let destination = Self.destination(path)
    self.path = destination
    var status = stat()
    let isThere = stat(destination, &status) == 0
    permissions = isThere ? status.st_mode & 0o7777 : 0o666
    // A file that a standard stream writes to already stays that stream's: nothing is put into its place.
    if isThere, status.st_mode & S_IFMT == S_IFREG, let stream = Self.standardStream(status) {
      isDirect = true
      descriptor = dup(stream)
      if descriptor < 0 { throw unwritable(errno) }
      return
    }
    isDirect = isThere && status.st_mode & S_IFMT != S_IFREG
    if isDirect {
      descriptor = open(destination, O_WRONLY | O_CLOEXEC)
      if descriptor < 0 { throw unwritable(errno) }
      return
    }
    let unnamed = isOneOfMany ? -1 : Self.openUnnamed(in: self.path, permissions)
    if unnamed >= 0 {
      descriptor = unnamed
      // Whatever the mask for new files is, a file that is there keeps what it has.
      if isThere { fchmod(descriptor, permissions) }
      return
    }
    let beside = PartFile.path(of: self.path)
    PartFile.claim([self.path])
    let created = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, permissions)
    if created < 0 {
      descriptor = -1
      throw unwritable(errno)
    }
    if isThere { fchmod(created, permissions) }
    descriptor = isOneOfMany ? -1 : created
    if isOneOfMany { close(created) }
    temporary = beside
    Self.unfinished.withLock { _ = $0.insert(beside) }
  }

  /// Whether so many files are more than the process may have open at once, beside what else it needs.
  static func isTooMany(_ count: Int) -> Bool { count > ProcessResources.descriptorLimit - 64 }

  deinit {
    if isFinished { return }
    if descriptor >= 0 { close(descriptor) }
    discard()
  }

  /// Where a path leads, so that a link stays one; also where nothing stands there yet.
  static func destination(_ path: String) -> String {
    if let resolved = realpath(path, nil) {
      defer { free(resolved) }
      return String(cString: resolved)
    }
    var status = stat()
    var target = [CChar](repeating: 0, count: 4096)
    guard stat(path, &status) != 0 else { return path }
    let count = readlink(path, &target, target.count)
    guard count > 0, count < target.count else { return path }
    let name = String(decoding: target[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    return name.hasPrefix("/") ? name : "\(folder(of: path))/\(name)"
  }

  /// The folder that a path is in.
  static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
  }

  /// Where a file would stand, written one way.
  private static func place(of path: String) -> String {
    let destination = destination(path)
    let name = destination.split(separator: "/").last.map(String.init) ?? ""
    guard let resolved = realpath(folder(of: destination), nil) else { return destination }
    defer { free(resolved) }
    return "\(String(cString: resolved))/\(name)"
  }

  /// A path as a file elsewhere says it: from that file's folder, where both are there; `-` is in the working folder.
  static func path(of path: String, from file: String) -> String {
    let (folder, name) = (folder(of: path), path.split(separator: "/").last.map(String.init) ?? path)
    guard let target = realpath(folder, nil), let origin = realpath(Self.folder(of: destination(file)), nil)
    else {
      return path
    }
    defer {
      free(target)
      free(origin)
    }
    let to = String(cString: target).split(separator: "/")
    let from = String(cString: origin).split(separator: "/")
    let shared = zip(to, from).prefix { $0 == $1 }.count
    let steps = Array(repeating: "..", count: from.count - shared) + to[shared...].map(String.init)
    return (steps + [name]).joined(separator: "/")
  }

  private static func isOne(_ file: stat, _ other: stat) -> Bool {
    file.st_dev == other.st_dev && file.st_ino == other.st_ino
  }

  /// The standard stream that writes to a file; `nil` where none does.
  private static func standardStream(_ file: stat) -> Int32? {
    [STDOUT_FILENO, STDERR_FILENO].first { stream in
      var status = stat()
      return fstat(stream, &status) == 0 && isOne(status, file)
    }
  }

  /// A file without a name in the folder of a path; negative where that cannot be had.
  private static func openUnnamed(in path: String, _ permissions: mode_t) -> Int32 {
    openUnnamedFile(in: folder(of: path), permissions)
  }

  func write(_ text: String) {
    buffer += text.utf8
    if buffer.count >= 1 << 16 { flush() }
  }

  /// Writes a line that is appended in place.
  func writeLine(_ append: (inout [UInt8]) -> Void) {
    append(&buffer)
    buffer.append(0x0A)
    if buffer.count >= 1 << 16 { flush() }
  }

  /// Writes much at once, behind what was written before.
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

  /// Does something with the open file, which says in `errno` why it failed.
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

  /// Puts the file into its place.
  func finish() throws(PriceTagError) { try Self.finish([self]) }

  /// Puts files into their places, all of them once all are on the disk; a process that is told to end meanwhile ends
  /// before or after that.
  static func finish(_ files: [OutputFile]) throws(PriceTagError) {
    try placing.withLock { _ throws(PriceTagError) in
      for file in files { try file.sync() }
      for file in files { try file.place() }
    }
  }

  private func sync() throws(PriceTagError) {
    flush()
    if !isDirect { withDescriptor { fsync($0) == 0 } }
    if problem != 0 { throw unwritable(problem) }
  }

  private func place() throws(PriceTagError) {
    isFinished = true
    if !isDirect, temporary == nil { giveName() }
    // At once, so that next to no moment is left in which a kill leaves the name beside the destination.
    if problem == 0, let temporary, rename(temporary, path) != 0 { problem = errno }
    if descriptor >= 0, close(descriptor) != 0, problem == 0 { problem = errno }
    discard()
    guard problem == 0 else { throw unwritable(problem) }
  }

  /// Gives the file a name beside its destination.
  private func giveName() {
    let beside = PartFile.path(of: path)
    unlink(beside)
    if linkat(AT_FDCWD, "/proc/self/fd/\(descriptor)", AT_FDCWD, beside, AT_SYMLINK_FOLLOW) == 0 {
      temporary = beside
    } else {
      problem = errno
    }
  }

  /// Removes what is left beside the destination.
  private func discard() {
    guard let temporary else { return }
    unlink(temporary)
    Self.unfinished.withLock { _ = $0.remove(temporary) }
  }

  // MARK: Interruptions

  /// Files beside their destinations that are not whole.
  private static let unfinished = Mutex<Set<String>>([])
  /// Held while a file is put into its place.
  private static let placing = Mutex(())

  /// Removes what is not whole, and lets nothing come into its place any more: for a process that ends.
  static func abandonAll(_ end: () -> Never) -> Never {
    placing.withLock { _ in
      unfinished.withLock { $0.forEach { unlink($0) } }
      end()
    }
  }

  private func unwritable(_ number: Int32) -> PriceTagError {
    // Where the signal is ignored, its exit code still says it.
    if number == EPIPE { _exit(141) }
    let error = SystemError(number)
    return PriceTagError(
      .invalidOption,
      "\(quoted(path)) cannot be written: \(error.reason)",
      fix: error.fix(.write)
    )
  }

  /// Whether a path is a symbolic link.
  static func isLink(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  /// Whether something stands at a path.
  static func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  /// Whether a path means a folder: it is one, or is written as one.
  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return path.hasSuffix("/") || (stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR)
  }

  /// Makes a folder, where it is not there.
  static func makeFolder(_ path: String) throws(PriceTagError) {
    guard mkdir(path, 0o777) != 0, errno != EEXIST else { return }
    throw PriceTagError(
      .invalidOption,
      "the folder \(quoted(path)) cannot be made: \(String(cString: strerror(errno)))",
      fix: "give one in a folder that this process may write"
    )
  }

  /// What temporary files are named by.
  static var processID: Int32 { getpid() }

  /// Whether two paths are one file, which is there, or one place for a file.
  static func isSame(_ first: String, _ second: String) -> Bool {
    var (one, other) = (stat(), stat())
    let areThere = (stat(first, &one) == 0, stat(second, &other) == 0)
    if areThere == (false, false) { return place(of: first) == place(of: second) }
    return areThere == (true, true) && one.st_mode & S_IFMT == S_IFREG && isOne(one, other)
  }

  /// Whether something is a folder that is there, or in it or below it; it needs not be there yet.
  static func isInside(_ path: String, folder: String) -> Bool {
    guard let outer = realpath(folder, nil) else { return false }
    defer { free(outer) }
    var trimmed = path
    while trimmed.count > 1, trimmed.hasSuffix("/") { trimmed.removeLast() }
    return "\(place(of: trimmed))/".hasPrefix("\(String(cString: outer))/")
  }

  /// Whether an output, `-` for standard output, is the file of a path.
  static func isOutput(_ output: String, _ path: String) -> Bool {
    output == "-" ? isStandardOutput(path) : isSame(output, path)
  }

  /// Whether standard output is a regular file, and the one of a path.
  private static func isStandardOutput(_ path: String) -> Bool {
    var (one, other) = (stat(), stat())
    return stat(path, &one) == 0 && fstat(STDOUT_FILENO, &other) == 0 && one.st_mode & S_IFMT == S_IFREG
      && isOne(one, other)
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
