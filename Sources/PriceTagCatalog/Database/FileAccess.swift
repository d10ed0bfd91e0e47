import PriceTag
import PriceTagSystem
import PriceTagText

// SQLite does not report why the operating system denied access to a file, so the access is tried again.

extension CatalogError {
  /// The error for a catalog that SQLite cannot open.
  static func unopened(_ path: String) -> CatalogError {
    let error = errorOfOpening(path) ?? SystemError(EACCES)
    return CatalogError(
      .unreadableFile,
      "cannot open the catalog: \(error.reason)",
      fix: error.fix(.read),
      place: printable(path)
    )
  }

  /// The error for a catalog whose file failed while it was open. SQLite reports a full disk and a file size limit as
  /// an I/O error.
  static func failedAccess(_ path: String, _ reason: String) -> CatalogError {
    guard let error = errorOfWriting(path) else {
      return CatalogError(
        .databaseFailed,
        "cannot read or write the catalog: \(reason)",
        fix: SystemError(EIO).fix(.write),
        place: printable(path)
      )
    }
    return CatalogError(
      .databaseFailed,
      "cannot write the catalog: \(error.reason)",
      fix: "\(error.fix(.write)) (the catalog is unchanged)",
      place: printable(path)
    )
  }

  private static func errorOfOpening(_ path: String) -> SystemError? {
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { return SystemError(EISDIR) }
    for (path, flags) in [("/dev/null", O_RDONLY), (path, O_RDONLY)] {
      let descriptor = open(path, flags | O_CLOEXEC | O_NONBLOCK)
      if descriptor < 0 { return SystemError() }
      close(descriptor)
    }
    return nil
  }

  private static func errorOfWriting(_ path: String) -> SystemError? {
    // SQLite writes at most a few pages past the end of a file.
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
