import PriceTag
import PriceTagText

/// What SQLite does not say: why the operating system refused a file. It is asked again.
extension CatalogError {
  /// A catalog that SQLite cannot open.
  static func unopened(_ path: String) -> CatalogError {
    let error = errorOfOpening(path) ?? SystemError(EACCES)
    return CatalogError(
      .unreadableFile,
      "the catalog cannot be opened: \(error.reason)",
      fix: error.fix(.read),
      place: printable(path)
    )
  }

  /// A catalog whose file failed while it was open: a full disk and a limit of file sizes look like a broken disk to
  /// SQLite.
  static func failedAccess(_ path: String, _ reason: String) -> CatalogError {
    guard let error = errorOfWriting(path) else {
      return CatalogError(
        .databaseFailed,
        "the catalog cannot be read or written: \(reason)",
        fix: SystemError(EIO).fix(.write),
        place: printable(path)
      )
    }
    return CatalogError(
      .databaseFailed,
      "the catalog cannot be written: \(error.reason)",
      fix: "\(error.fix(.write)); the catalog is as it was",
      place: printable(path)
    )
  }

  private static func errorOfOpening(_ path: String) -> SystemError? {
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { return SystemError(EISDIR) }
    for (path, flags) in [("/dev/null", O_RDONLY), (path, O_RDONLY)] {
      let descriptor = open(path, flags | O_CLOEXEC)
      if descriptor < 0 { return SystemError() }
      close(descriptor)
    }
    return nil
  }

  private static func errorOfWriting(_ path: String) -> SystemError? {
    // SQLite writes at most a few pages beyond what is there.
    let margin = 1 << 20
    let sizes = ["", "-wal", "-shm", "-journal"].compactMap { CatalogFile(path: path + $0).byteCount }
    if let limit = ResourceLimit.fileSize.current, limit <= (sizes.max() ?? 0) + margin {
      return SystemError(EFBIG)
    }
    var disk = statvfs()
    let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let room =
      statvfs(folder, &disk) == 0
      ? UInt64(disk.f_bavail).multipliedReportingOverflow(by: UInt64(disk.f_frsize)) : (UInt64.max, false)
    if !room.1, room.0 < UInt64(margin) { return SystemError(ENOSPC) }
    return nil
  }
}
