import PriceTag

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A folder that only this process's user may enter, and that is removed with the last that holds it.
final class PrivateFolder: Sendable {
  let path: String

  /// - Throws: `.outOfResources`.
  init() throws(ServiceError) {
    let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(base.isEmpty ? "/tmp" : base)/pricetag-serve-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else {
      throw ServiceError(
        .outOfResources,
        "no folder can be made in \(quoted(base)): \(String(cString: strerror(errno)))",
        fix: "make room there, or name another folder in TMPDIR"
      )
    }
    path = String(cString: made)
  }

  deinit {
    guard let folder = opendir(path) else { return }
    while let entry = readdir(folder) {
      withUnsafePointer(to: &entry.pointee.d_name) { name in
        name.withMemoryRebound(to: CChar.self, capacity: 256) { name in
          _ = unlink("\(path)/\(String(cString: name))")
        }
      }
    }
    closedir(folder)
    rmdir(path)
  }
}
