/// The files of the running program: the executable, and the libraries that it uses.
package enum ProgramFiles {
  /// Returns the identities of the files, sorted by path; `nil` if they cannot be read, or if they are not all that decides the
  /// results, because ICU reads data from a folder.
  ///
  /// An identity is the path with the inode, the size, and the times of the last change. The contents of 50 MB would take
  /// longer to read than most sites take to write, and no tool can restore the time of an inode's change.
  package static func all() -> [String]? {
    if let folder = getenv("ICU_DATA"), folder.pointee != 0 { return nil }
    guard let bytes = try? RegularFile.bytes(of: "/proc/self/maps", limit: 1 << 24) else { return nil }
    let map = String(decoding: bytes, as: UTF8.self)
    var paths: Set<String> = []
    for line in map.split(separator: "\n") {
      // 7f1c… r-xp 00000000 08:01 1234 /usr/lib/x86_64-linux-gnu/libicuuc.so.72.1
      let fields = line.split(separator: " ", maxSplits: 2)
      guard fields.count == 3, fields[1].contains("x"), let path = line.firstIndex(of: "/") else { continue }
      paths.insert(String(line[path...]))
    }
    var files: [String] = []
    for path in paths.sorted() {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      files.append(
        "\(path) \(status.st_dev) \(status.st_ino) \(status.st_size) \(status.st_mtim) \(status.st_ctim)"
      )
    }
    return files.isEmpty ? nil : files
  }
}
