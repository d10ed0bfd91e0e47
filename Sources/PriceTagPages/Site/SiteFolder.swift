import PriceTag
import PriceTagText
import Synchronization

/// The folder of a site, which is replaced as a whole.
///
/// A new site is put together beside the old one: a page that has not changed is the same file in both (a hard link),
/// any other is written. At the end the two folders change places in one step. A process that is killed leaves the old
/// site, and beside it what the next run takes away.
///
/// A site has a list of its files, `.pricetag-site`. A folder that holds anything else is not touched.
///
/// Sendable notes: what changes is under the lock.
final class SiteFolder: Sendable {
  /// What a file came to.
  enum Outcome {
    case written, unchanged
  }

  /// The list of a site's files.
  static let list = ".pricetag-site"
  private static let firstLine =
    "# The files of this site, written by pricetag pages. Another file in this folder stops it."

  private let path: String
  private let staging: String
  /// The folders that are held as long as the site is made: the new one, and the old one where there is one.
  private let held: [Int32]
  private let hasOld: Bool
  /// The old site's files: their names as bytes, for two that look alike are two files.
  private let old: Set<[UInt8]>
  private let state = Mutex(State())

  private struct State {
    var files: Set<[UInt8]> = []
    var folders: Set<[UInt8]> = [[]]
    /// Whether the new site is in its place.
    var isFinished = false
    /// Whether it never will be.
    var isAbandoned = false
  }

  /// Begins a site.
  ///
  /// - Throws: `.foreignFolder` where the folder holds what is not of a site; `.busy`; `.unwritableFolder`.
  init(_ path: String) throws(PagesError) {
    var trimmed = path
    while trimmed.utf8.count > 1, trimmed.utf8.last == UInt8(ascii: "/") { trimmed.removeLast() }
    // A link stays one.
    if let resolved = realpath(trimmed, nil) {
      trimmed = String(cString: resolved)
      free(resolved)
    }
    let name = trimmed.split(separator: "/").last.map(String.init) ?? ""
    guard !name.isEmpty, name != ".", name != ".." else {
      throw PagesError(
        .foreignFolder,
        "\(quoted(path)) cannot be replaced",
        fix: "give a folder of the site's own"
      )
    }
    let staging = trimmed + ".pricetag-new"
    Exchange.restore(trimmed)
    let new = try Self.begin(staging, beside: path)
    do throws(PagesError) {
      var status = stat()
      hasOld = lstat(trimmed, &status) == 0
      guard !hasOld || status.st_mode & S_IFMT == S_IFDIR else {
        throw PagesError(
          .foreignFolder,
          status.st_mode & S_IFMT == S_IFLNK
            ? "\(quoted(path)) is a link that leads nowhere" : "\(quoted(path)) is a file",
          fix: "give a folder"
        )
      }
      held = hasOld ? [new, try Self.hold(trimmed, path, beside: new, status)] : [new]
      old = hasOld ? try Self.checkedFiles(of: trimmed) : []
    } catch {
      Self.remove(staging)
      close(new)
      throw error
    }
    (self.path, self.staging) = (trimmed, staging)
  }

  deinit {
    abandon()
    for descriptor in held { close(descriptor) }
  }

  /// The files of a site that is there.
  ///
  /// - Throws: `.foreignFolder` where there are others.
  private static func checkedFiles(of path: String) throws(PagesError) -> Set<[UInt8]> {
    let listed: Set<[UInt8]>
    if let bytes = try? RegularFile.bytes(of: "\(path)/\(list)", limit: 1 << 30),
      bytes.starts(with: firstLine.utf8)
    {
      listed = Set(bytes.split(separator: 0x0A).dropFirst().map(Array.init))
    } else {
      listed = []
    }
    let foreign = FolderListing.files(of: path).filter { $0 != list && !listed.contains(Array($0.utf8)) }
    guard let first = foreign.first else { return listed }
    let others = foreign.count - 1
    throw PagesError(
      .foreignFolder,
      "\(quoted(path)) holds \(quoted(first))\(others > 0 ? " and \(counted(others, "other thing"))" : ""), which \(others > 0 ? "are" : "is") not of a site",
      fix: listed.isEmpty
        ? "give an empty or a new folder"
        : "move it into the folder of the shop's own files (--assets), or give a new folder"
    )
  }

  // MARK: Holding

  private static func unwritable(_ path: String, _ number: Int32) -> PagesError {
    PagesError(
      .unwritableFolder,
      "\(quoted(path)) cannot be made: \(number == ENOENT ? "the folder that it would be in is not there" : String(cString: strerror(number)))",
      fix: number == ENOENT
        ? "make that first"
        : "give a folder in one that this process may write: the new site is put together beside it"
    )
  }

  private static func busy(_ path: String) -> PagesError {
    PagesError(.busy, "another process is making \(quoted(path))", fix: "wait for it to end")
  }

  /// Makes the folder that the new site is put together in, and holds it.
  private static func begin(_ staging: String, beside path: String) throws(PagesError) -> Int32 {
    // A run that ends meanwhile may take it away.
    for _ in 0..<10 {
      guard mkdir(staging, 0o777) == 0 || errno == EEXIST else { throw unwritable(path, errno) }
      let descriptor = open(staging, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      if descriptor < 0 {
        if errno == ENOENT { continue }
        throw inTheWay(staging)
      }
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
        close(descriptor)
        throw busy(path)
      }
      var (held, there) = (stat(), stat())
      guard fstat(descriptor, &held) == 0, lstat(staging, &there) == 0, held.st_ino == there.st_ino else {
        close(descriptor)
        continue
      }
      do throws(PagesError) {
        // What was left by one that was killed.
        let files = FolderListing.files(of: staging)
        guard files.isEmpty || files.contains(list) else { throw inTheWay(staging) }
        guard FolderRemoval.empty(staging, except: list),
          files.contains(list) || FileBytes.write([], to: "\(staging)/\(list)")
        else { throw unwritable(path, errno) }
      } catch {
        close(descriptor)
        throw error
      }
      return descriptor
    }
    throw busy(path)
  }

  private static func inTheWay(_ staging: String) -> PagesError {
    PagesError(
      .foreignFolder,
      "\(quoted(staging)) is in the way, and is not of a site",
      fix: "move it away: the new site is put together there"
    )
  }

  /// Holds the old folder, so that it is held also when it has given its place away, and gives the new one its rights.
  private static func hold(
    _ folder: String,
    _ path: String,
    beside new: Int32,
    _ status: stat
  ) throws(PagesError) -> Int32 {
    var other = stat()
    guard fstat(new, &other) == 0, other.st_dev == status.st_dev else {
      throw PagesError(
        .unwritableFolder,
        "\(quoted(path)) is a disk of its own, and cannot change places with the new site beside it",
        fix: "give a folder in it"
      )
    }
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if descriptor < 0 { throw unwritable(path, errno) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      throw busy(path)
    }
    // Whose it is can only be said by who may.
    _ = fchown(new, status.st_uid, status.st_gid)
    fchmod(new, status.st_mode & 0o7777)
    return descriptor
  }

  // MARK: Files

  /// Puts a page into the new site.
  ///
  /// - Throws: `.unwritableFolder`; `.invalidShop` where two files have one path.
  func add(_ file: String, _ text: String) throws(PagesError) -> Outcome {
    try claim(file)
    var text = text
    let outcome: Outcome? = text.withUTF8 { bytes in
      let bytes = UnsafeRawBufferPointer(bytes)
      if isOld(file), FileBytes.isFile("\(path)/\(file)", bytes), keep(file) { return .unchanged }
      return FileBytes.write(bytes, to: "\(staging)/\(file)") ? .written : nil
    }
    guard let outcome else { throw unwritable(file, errno) }
    return outcome
  }

  /// Puts a copy of a file into the new site.
  ///
  /// - Throws: as for a page; `.unreadableFile`.
  func add(_ file: String, copyOf source: String) throws(PagesError) -> Outcome {
    try claim(file)
    if isOld(file), FileBytes.areSame(source, "\(path)/\(file)"), keep(file) { return .unchanged }
    guard FileBytes.copy(source, to: "\(staging)/\(file)") else {
      let problem = errno
      if access(source, R_OK) == 0, problem != EINVAL { throw unwritable(file, problem) }
      throw PagesError(
        .unreadableFile,
        "the file cannot be read: \(String(cString: strerror(problem)))",
        fix: "give a regular file that this process may read, or take it out of the folder",
        place: printable(source)
      )
    }
    return .written
  }

  private func isOld(_ file: String) -> Bool { old.contains(Array(file.utf8)) }

  /// Makes a file of the old site one of the new.
  private func keep(_ file: String) -> Bool { link("\(path)/\(file)", "\(staging)/\(file)") == 0 }

  /// Notes a file, and makes its folder.
  private func claim(_ file: String) throws(PagesError) {
    let bytes = Array(file.utf8)
    var missing: [[UInt8]] = []
    let isNew: Bool? = state.withLock { state in
      if state.isAbandoned { return nil }
      var folder = Self.folder(of: bytes)
      while state.folders.insert(folder).inserted {
        missing.append(folder)
        folder = Self.folder(of: folder)
      }
      // Made under the lock: who finds a folder noted finds it there.
      for folder in missing.reversed() {
        mkdir("\(staging)/\(String(decoding: folder, as: UTF8.self))", 0o777)
      }
      return state.files.insert(bytes).inserted
    }
    guard let isNew else { throw unwritable(file, ECANCELED) }
    guard isNew else { throw unwritable(file, EEXIST) }
  }

  private static func folder(of file: [UInt8]) -> [UInt8] {
    file.lastIndex(of: UInt8(ascii: "/")).map { Array(file[..<$0]) } ?? []
  }

  private func unwritable(_ file: String, _ number: Int32) -> PagesError {
    if [EEXIST, EISDIR, ENOTDIR].contains(number) {
      return PagesError(
        .invalidShop,
        "the site has two files \(quoted(file)), or a file and a folder of one name",
        fix: "call the shop's own file something else"
      )
    }
    return PagesError(
      .unwritableFolder,
      "\(quoted(file.isEmpty ? path : "\(path)/\(file)")) cannot be written: \(String(cString: strerror(number)))",
      fix: [ENOSPC, EDQUOT].contains(number)
        ? "make room on the disk; the old site is as it was"
        : "give another folder; the old site is as it was"
    )
  }

  // MARK: The end

  /// Puts the new site into the place of the old one.
  ///
  /// - Returns: How many files are gone.
  /// - Throws: `.unwritableFolder`; `.foreignFolder` where somebody has put something into the old site meanwhile.
  func finish() throws(PagesError) -> Int {
    let files = state.withLock { $0.files }
    let names = files.map { String(decoding: $0, as: UTF8.self) }.sorted()
    unlink("\(staging)/\(Self.list)")
    let text = "\(Self.firstLine)\n\(names.map { "\($0)\n" }.joined())"
    guard FileBytes.write(Array(text.utf8), to: "\(staging)/\(Self.list)") else {
      throw unwritable(Self.list, errno)
    }
    if hasOld { _ = try Self.checkedFiles(of: path) }
    // Who abandons the site meanwhile does it before this or after.
    let problem: Int32 = state.withLock { state in
      if state.isAbandoned { return ECANCELED }
      let isPlaced = hasOld ? Exchange.exchange(staging, path) : rename(staging, path) == 0
      if !isPlaced { return errno }
      state.isFinished = true
      return 0
    }
    if problem != 0 { throw unwritable("", problem) }
    if hasOld { try removeOld() }
    return old.subtracting(files).count
  }

  /// Takes the old site away, which is beside the new one now: the files of its list, and nothing else.
  private func removeOld() throws(PagesError) {
    var folders: Set<[UInt8]> = []
    for file in old {
      unlink("\(staging)/\(String(decoding: file, as: UTF8.self))")
      var folder = Self.folder(of: file)
      while !folder.isEmpty, folders.insert(folder).inserted { folder = Self.folder(of: folder) }
    }
    // The deepest first.
    for folder in folders.sorted(by: { $0.count > $1.count }) {
      rmdir("\(staging)/\(String(decoding: folder, as: UTF8.self))")
    }
    unlink("\(staging)/\(Self.list)")
    guard rmdir(staging) != 0, errno != ENOENT else { return }
    throw PagesError(
      .foreignFolder,
      "the new site is in its place, but somebody has put other files into the old one meanwhile",
      fix: "take them from \(quoted(staging)), and remove that folder"
    )
  }

  /// Takes away what is not whole, and lets nothing come into the site's place any more.
  ///
  /// - Returns: Whether the new site is in its place already.
  @discardableResult
  func abandon() -> Bool {
    let isFinished = state.withLock { state in
      state.isAbandoned = true
      return state.isFinished
    }
    if isFinished { return true }
    // A thread may be writing its last file.
    for _ in 0..<20 where !Self.remove(staging) { usleep(5000) }
    return false
  }

  /// Takes away a folder in which a site was put together, its list last: as long as anything is left, the list says
  /// whose it is.
  @discardableResult
  private static func remove(_ staging: String) -> Bool {
    guard FolderRemoval.empty(staging, except: list) else { return false }
    unlink("\(staging)/\(list)")
    if rmdir(staging) == 0 || errno == ENOENT { return true }
    _ = FileBytes.write([], to: "\(staging)/\(list)")
    return false
  }
}
