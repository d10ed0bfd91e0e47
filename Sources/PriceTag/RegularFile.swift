#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The bytes of a file of the disk, which has an end: a pipe or a device is never opened.
package enum RegularFile {
  /// Why a file cannot be read, and what to do.
  package struct Failure: Error {
    package let reason: String
    package let fix: String
  }

  /// Returns the bytes of a file of at most so many megabytes.
  package static func bytes(of path: String, limitInMegabytes limit: Int) throws(Failure) -> [UInt8] {
    guard !path.utf8.contains(0) else {
      throw Failure(reason: "its path has a NUL", fix: "correct the path")
    }
    var status = stat()
    guard stat(path, &status) == 0 else {
      let error = SystemError()
      // The list of a folder has that character for every byte that is not UTF-8.
      if error.number == ENOENT, path.unicodeScalars.contains("\u{FFFD}") {
        throw Failure(reason: "its name is not UTF-8", fix: "rename it")
      }
      throw failure(error)
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw Failure(reason: "it is a folder, a pipe or a device", fix: "give a regular file")
    }
    guard status.st_size <= limit << 20 else {
      throw Failure(reason: "it has more than \(limit) MB", fix: "split it")
    }
    guard let file = fopen(path, "re") else { throw failure(SystemError()) }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    let count = fread(&bytes, 1, bytes.count, file)
    if ferror(file) != 0 { throw failure(SystemError()) }
    bytes.removeLast(bytes.count - count)
    return bytes
  }

  private static func failure(_ error: SystemError) -> Failure {
    Failure(reason: error.reason, fix: error.fix(.read))
  }
}
