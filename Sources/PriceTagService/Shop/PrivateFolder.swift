import PriceTag
import PriceTagText
import Synchronization

/// A folder that only this process's user may enter, and that is removed with the last that holds it; what a process that
/// was killed has left is removed by the next.
final class PrivateFolder: Sendable {
  let path: String
  /// Of the folder's lock, which says that somebody lives in it.
  private let lock: Int32

  private static let name = "pricetag-serve-"
  private static let all = Mutex<Set<String>>([])

  /// - Throws: `.outOfResources`.
  init() throws(ServiceError) {
    let variable = getenv("TMPDIR").map { String(cString: $0) } ?? ""
    let base = variable.isEmpty ? "/tmp" : variable
    Self.removeLeftovers(in: base)
    for _ in 0..<Self.attempts {
      var template = Array("\(base)/\(Self.name)XXXXXX".utf8CString)
      guard let made = mkdtemp(&template) else { break }
      let path = String(cString: made)
      let lock = open("\(path)/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      // Before it was locked, another process may have taken the folder for one that was left, and removed it.
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
      "no folder can be made in \(quoted(base)): \(String(cString: strerror(errno)))",
      fix: "make room there, or name another folder in TMPDIR"
    )
  }

  /// How often a folder is made that another process removes at once.
  private static let attempts = 10

  deinit {
    Self.remove(path)
    close(lock)
    _ = Self.all.withLock { $0.remove(path) }
  }

  /// Removes the folders of a process that ends without waiting for who reads them.
  static func removeAll() {
    for path in all.withLock({ $0 }) { remove(path) }
  }

  /// Removes folders that nobody lives in any more.
  private static func removeLeftovers(in base: String) {
    for entry in entries(of: base) where entry.hasPrefix(name) {
      let path = "\(base)/\(entry)"
      let lock = open("\(path)/lock", O_RDWR | O_CLOEXEC | O_NOFOLLOW)
      // One without a lock is being made just now.
      guard lock >= 0 else { continue }
      if flock(lock, LOCK_EX | LOCK_NB) == 0 { remove(path) }
      close(lock)
    }
  }

  private static func remove(_ path: String) {
    for entry in entries(of: path) { unlink("\(path)/\(entry)") }
    rmdir(path)
  }

  private static func entries(of path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var entries: [String] = []
    while let entry = readdir(folder) {
      withUnsafePointer(to: &entry.pointee.d_name) { name in
        name.withMemoryRebound(to: CChar.self, capacity: 256) { name in
          entries.append(String(cString: name))
        }
      }
    }
    return entries
  }
}
