import PriceTagSystem

/// The file system's metadata of a catalog file. If it is equal, the file has not changed.
struct CatalogFileStatus: Equatable, Sendable {
  private struct Metadata: Equatable {
    let device, inode, size, seconds, nanoseconds: Int
  }

  /// The metadata of the file, of SQLite's write-ahead log beside it, and of the document in an iTunes Store package.
  private let files: [Metadata?]
  /// The modification time, in seconds since 1970.
  let modified: Int
  private let modifiedNanoseconds: Int

  /// Reads the status of a file; `nil` if there is no such file, or if it is a pipe, which cannot be read again.
  init?(_ path: String) {
    // An iTunes Store package is a folder that contains its document.
    let files = [path, "\(path)-wal", "\(path)/metadata.xml"].map { path -> Metadata? in
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      guard [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) else { return nil }
      let time = status.st_mtim
      return Metadata(
        device: Int(truncatingIfNeeded: status.st_dev),
        inode: Int(truncatingIfNeeded: status.st_ino),
        size: Int(status.st_size),
        seconds: Int(time.tv_sec),
        nanoseconds: Int(time.tv_nsec)
      )
    }
    guard files[0] != nil else { return nil }
    self.files = files
    let latest = files.compactMap { $0 }.max { ($0.seconds, $0.nanoseconds) < ($1.seconds, $1.nanoseconds) }
    (modified, modifiedNanoseconds) = (latest?.seconds ?? 0, latest?.nanoseconds ?? 0)
  }

  /// The time since the last modification, by the system's clock; negative if the modification time is in the future.
  var age: Duration {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return .seconds(Int(now.tv_sec)) - .seconds(modified)
      + .nanoseconds(Int(now.tv_nsec)) - .nanoseconds(modifiedNanoseconds)
  }
}
