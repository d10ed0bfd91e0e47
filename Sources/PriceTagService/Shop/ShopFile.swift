import PriceTagText

/// What a file system says of a catalogue's file: when this differs, the file may.
struct ShopFile: Equatable, Sendable {
  private struct Facts: Equatable {
    let device, inode, size, seconds, nanoseconds: Int
  }

  /// Of the file, and of what an import has written beside it.
  private let facts: [Facts?]
  /// When it was changed last, in seconds since 1970.
  let modified: Int
  private let modifiedNanoseconds: Int

  /// - Returns: `nil` where there is no such file, or it is a pipe, which cannot be read again.
  init?(_ path: String) {
    // An iTunes Store package is a folder, and its document is what is read.
    let facts = [path, "\(path)-wal", "\(path)/metadata.xml"].map { path -> Facts? in
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      guard [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) else { return nil }
      let time = status.modificationTime
      return Facts(
        device: Int(truncatingIfNeeded: status.st_dev),
        inode: Int(truncatingIfNeeded: status.st_ino),
        size: Int(status.st_size),
        seconds: Int(time.tv_sec),
        nanoseconds: Int(time.tv_nsec)
      )
    }
    guard facts[0] != nil else { return nil }
    self.facts = facts
    let latest = facts.compactMap { $0 }.max { ($0.seconds, $0.nanoseconds) < ($1.seconds, $1.nanoseconds) }
    (modified, modifiedNanoseconds) = (latest?.seconds ?? 0, latest?.nanoseconds ?? 0)
  }

  /// How long ago the file was changed last, by the system's clock; negative where its time is in the future.
  var age: Duration {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return .seconds(Int(now.tv_sec)) - .seconds(modified)
      + .nanoseconds(Int(now.tv_nsec)) - .nanoseconds(modifiedNanoseconds)
  }
}
