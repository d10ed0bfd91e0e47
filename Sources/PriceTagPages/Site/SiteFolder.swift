import PriceTag
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

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
  /// Held as long as the site is made.
  private let lock: Int32
  private let hasOld: Bool
  private let old: Set<String>
  private let state = Mutex(State())

  private struct State {
    var files: Set<String> = []
    var folders: Set<String> = [""]
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
    while trimmed.count > 1, trimmed.hasSuffix("/") { trimmed.removeLast() }
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
    self.path = trimmed
    staging = trimmed + ".pricetag-new"
    var status = stat()
    hasOld = stat(trimmed, &status) == 0
    if hasOld, status.st_mode & S_IFMT != S_IFDIR {
      throw PagesError(.foreignFolder, "\(quoted(path)) is a file", fix: "give a folder")
    }
    old = hasOld ? try Self.checkedFiles(of: trimmed) : []
    lock = try Self.begin(staging, beside: path)
  }

  deinit {
    abandon()
    close(lock)
  }

  /// The files of a site that is there.
  ///
  /// - Throws: `.foreignFolder` where there are others.
  private static func checkedFiles(of path: String) throws(PagesError) -> Set<String> {
    let listed: Set<String>
    if let text = FileBytes.read("\(path)/\(list)").map({ String(decoding: $0, as: UTF8.self) }),
      text.hasPrefix(firstLine)
    {
      listed = Set(text.split(separator: "\n").dropFirst().map(String.init))
    } else {
      listed = []
    }
    let found = FolderListing.files(of: path)
    if let foreign = found.first(where: { $0 != list && !listed.contains($0) }) {
      let others = found.count { $0 != list && !listed.contains($0) } - 1
      throw PagesError(
        .foreignFolder,
        "\(quoted(path)) holds \(quoted(foreign))\(others > 0 ? " and \(counted(others, "other file"))" : ""), which \(others > 0 ? "are" : "is") not of a site",
        fix: "give an empty or a new folder, and the shop's own files with --assets"
      )
    }
    return listed
  }

  /// Makes the folder that the new site is put together in, and holds it.
  private static func begin(_ staging: String, beside path: String) throws(PagesError) -> Int32 {
    func unwritable(_ number: Int32) -> PagesError {
      PagesError(
        .unwritableFolder,
        "\(quoted(path)) cannot be made: \(String(cString: strerror(number)))",
        fix: "give a folder in one that this process may write: the new site is put together beside it"
      )
    }
    for _ in 0..<3 {
      if mkdir(staging, 0o777) == 0 || errno == EEXIST {
        let descriptor = open(staging, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if descriptor < 0 {
          if errno == ENOENT { continue }
          throw unwritable(errno)
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
          close(descriptor)
          throw PagesError(
            .busy,
            "another process is making \(quoted(path))",
            fix: "wait for it to end"
          )
        }
        // What was left by one that was killed.
        let files = FolderListing.files(of: staging)
        if !files.isEmpty, !files.contains(list) {
          close(descriptor)
          throw PagesError(
            .foreignFolder,
            "\(quoted(staging)) is in the way, and is not of a site",
            fix: "move it away: the new site is put together there"
          )
        }
        if files.isEmpty || FolderRemoval.empty(staging) {
          guard FileBytes.write([], to: "\(staging)/\(list)") else {
            let problem = errno
            close(descriptor)
            throw unwritable(problem)
          }
          return descriptor
        }
        close(descriptor)
        throw unwritable(errno)
      }
      throw unwritable(errno)
    }
    throw unwritable(EBUSY)
  }

  // MARK: Files

  /// Puts a file into the new site.
  ///
  /// - Throws: `.unwritableFolder`; `.invalidShop` where two files have one path.
  func add(_ file: String, _ bytes: UnsafeRawBufferPointer) throws(PagesError) -> Outcome {
    try claim(file)
    let (source, destination) = ("\(path)/\(file)", "\(staging)/\(file)")
    if old.contains(file), FileBytes.isFile(source, bytes), link(source, destination) == 0 {
      return .unchanged
    }
    guard FileBytes.write(bytes, to: destination) else { throw unwritable(file, errno) }
    return .written
  }

  func add(_ file: String, _ text: String) throws(PagesError) -> Outcome {
    var text = text
    let outcome: Result<Outcome, PagesError> = text.withUTF8 { bytes in
      do throws(PagesError) { return .success(try add(file, UnsafeRawBufferPointer(bytes))) } catch {
        return .failure(error)
      }
    }
    return try outcome.get()
  }

  /// Notes a file, and makes its folder.
  private func claim(_ file: String) throws(PagesError) {
    var folders: [String] = []
    let isNew: Bool? = state.withLock { state in
      if state.isAbandoned { return nil }
      var folder = Self.folder(of: file)
      while !state.folders.contains(folder) {
        state.folders.insert(folder)
        folders.append(folder)
        folder = Self.folder(of: folder)
      }
      // Made under the lock: who finds a folder noted finds it there.
      for folder in folders.reversed() { mkdir("\(staging)/\(folder)", 0o777) }
      return state.files.insert(file).inserted
    }
    guard let isNew else { throw unwritable(file, ECANCELED) }
    guard isNew else {
      throw PagesError(
        .invalidShop,
        "the site has two files \(quoted(file))",
        fix: "call the shop's own file something else"
      )
    }
  }

  private static func folder(of file: String) -> String {
    file.lastIndex(of: "/").map { String(file[..<$0]) } ?? ""
  }

  private func unwritable(_ file: String, _ number: Int32) -> PagesError {
    PagesError(
      .unwritableFolder,
      "\(quoted("\(path)/\(file)")) cannot be written: \(String(cString: strerror(number)))",
      fix: "give a folder on a disk with room; the old site is as it was"
    )
  }

  // MARK: The end

  /// Puts the new site into the place of the old one.
  ///
  /// - Returns: How many files are gone.
  /// - Throws: `.unwritableFolder`.
  func finish() throws(PagesError) -> Int {
    let files = state.withLock { $0.files }
    let text = "\(Self.firstLine)\n\(files.sorted().map { "\($0)\n" }.joined())"
    guard FileBytes.write(Array(text.utf8), to: "\(staging)/\(Self.list)") else {
      throw unwritable(Self.list, errno)
    }
    // Who abandons the site meanwhile does it before this or after.
    let problem: Int32 = state.withLock { state in
      if state.isAbandoned { return ECANCELED }
      let isPlaced = hasOld ? Exchange.exchange(staging, path) : rename(staging, path) == 0
      if !isPlaced { return errno }
      state.isFinished = true
      return 0
    }
    if problem != 0 { throw unwritable("", problem) }
    // What is there now is the old one.
    if hasOld { removeStaging() }
    return old.subtracting(files).count
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
    for _ in 0..<20 where !removeStaging() { usleep(5000) }
    return false
  }

  /// Takes the folder away that is beside the site, its list last: as long as anything is left, the list says whose it
  /// is.
  @discardableResult
  private func removeStaging() -> Bool {
    guard FolderRemoval.empty(staging, except: Self.list) else { return false }
    unlink("\(staging)/\(Self.list)")
    if rmdir(staging) == 0 || errno == ENOENT { return true }
    _ = FileBytes.write([], to: "\(staging)/\(Self.list)")
    return false
  }
}
