import PriceTag
import PriceTagSystem
import PriceTagText
import Synchronization

/// A temporary folder that only this process's user can enter. It is removed when the object is released. Folders that
/// killed processes left behind are removed when a new one is created.
final class PrivateFolder: Sendable {
  let path: String
  /// The descriptor of the lock file, which marks the folder as in use.
  private let lock: Int32

  /// The folder of temporary files.
  static var base: String {
    let variable = getenv("TMPDIR").map { String(cString: $0) } ?? ""
    return variable.isEmpty ? "/tmp" : variable
  }

  private static let name = "pricetag-serve-"
  private static let all = Mutex<Set<String>>([])

  /// Creates a folder.
  ///
  /// - Throws: `.outOfResources`.
  init() throws(ServiceError) {
    let base = Self.base
    Self.removeLeftovers(in: base)
    for _ in 0..<Self.maximumAttemptCount {
      var template = Array("\(base)/\(Self.name)XXXXXX".utf8CString)
      guard let created = mkdtemp(&template) else { break }
      let path = String(cString: created)
      let lock = open("\(path)/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      // Before the folder was locked, another process may have mistaken it for a leftover and removed it.
      var status = stat()
      if lock >= 0, flock(lock, LOCK_EX | LOCK_NB) == 0, fstat(lock, &status) == 0, status.st_nlink > 0 {
        (self.path, self.lock) = (path, lock)
        _ = Self.all.withLock { $0.insert(path) }
        return
      }
      let problem = errno
      if lock >= 0 { close(lock) } else { Self.remove(path) }
      errno = problem
    }
    throw ServiceError(
      .outOfResources,
      "cannot create a folder in \(quoted(base)): \(String(cString: strerror(errno)))",
      fix: "free some space there, or set TMPDIR to another folder"
    )
  }

  /// The number of attempts if other processes remove the new folder.
  private static let maximumAttemptCount = 10

  deinit {
    Self.remove(path)
    close(lock)
    _ = Self.all.withLock { $0.remove(path) }
  }

  /// Removes all folders of this process, for a process that ends while requests still read them.
  static func removeAll() {
    for path in all.withLock({ $0 }) { remove(path) }
  }

  /// Removes folders that no process has locked.
  private static func removeLeftovers(in base: String) {
    for entry in entryNames(ofFolder: base) ?? [] where entry.hasPrefix(name) {
      let path = "\(base)/\(entry)"
      let lock = open("\(path)/lock", O_RDWR | O_CLOEXEC | O_NOFOLLOW)
      // A folder without a lock file is being created.
      guard lock >= 0 else { continue }
      if flock(lock, LOCK_EX | LOCK_NB) == 0 { remove(path) }
      close(lock)
    }
  }

  private static func remove(_ path: String) {
    for entry in entryNames(ofFolder: path) ?? [] { unlink("\(path)/\(entry)") }
    rmdir(path)
  }
}
