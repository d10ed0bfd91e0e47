import CFolders
import PriceTag
import PriceTagSystem
import PriceTagText

/// Reads, writes, compares, and copies files.
enum FileBytes {
  /// Returns whether a file has these bytes.
  static func isFile(_ path: String, _ bytes: [UInt8]) -> Bool {
    var status = stat()
    // Most changed pages have another length.
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, Int(status.st_size) == bytes.count
    else { return false }
    return (try? RegularFile.bytes(of: path, limit: bytes.count)) == bytes
  }

  /// Writes a new file. On failure it sets `errno`.
  static func create(_ path: String, _ bytes: [UInt8]) -> Bool {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
    if descriptor < 0 { return false }
    return finishWriting(descriptor, isWritten: bytes.withUnsafeBytes { append($0, to: descriptor) })
  }

  /// Appends to a file, which is created if it does not exist. On failure it sets `errno`.
  static func append(_ bytes: [UInt8], to path: String) -> Bool {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0o666)
    if descriptor < 0 { return false }
    return finishWriting(descriptor, isWritten: bytes.withUnsafeBytes { append($0, to: descriptor) })
  }

  private static func append(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
    var done = 0
    while done < bytes.count, let start = bytes.baseAddress {
      let count = write(descriptor, start + done, bytes.count - done)
      if count < 0, errno == EINTR { continue }
      if count < 0 { return false }
      done += count
    }
    return true
  }

  /// Closes a file after writing and keeps the `errno` of a failed write.
  private static func finishWriting(_ descriptor: Int32, isWritten: Bool) -> Bool {
    let writeError = errno
    let isClosed = close(descriptor) == 0
    if !isWritten { errno = writeError }
    return isWritten && isClosed
  }

  /// The size of the blocks in which files are compared and copied.
  private static let blockSize = 1 << 16

  /// Returns whether two files have the same bytes.
  static func areSame(_ one: String, _ other: String) -> Bool {
    guard let first = try? RegularFile.descriptor(of: one) else { return false }
    defer { close(first.descriptor) }
    guard let second = try? RegularFile.descriptor(of: other) else { return false }
    defer { close(second.descriptor) }
    guard first.size == second.size else { return false }
    return withUnsafeTemporaryAllocation(byteCount: blockSize * 2, alignment: 16) { buffer in
      let blocks = (
        UnsafeMutableRawBufferPointer(rebasing: buffer[..<blockSize]),
        UnsafeMutableRawBufferPointer(rebasing: buffer[blockSize...])
      )
      while true {
        let (count, otherCount) = (
          RegularFile.fill(blocks.0, from: first.descriptor),
          RegularFile.fill(blocks.1, from: second.descriptor)
        )
        guard count >= 0, count == otherCount, blocks.0[..<count].elementsEqual(blocks.1[..<count]) else {
          return false
        }
        if count < blockSize { return true }
      }
    }
  }

  /// Copies a file to a new file. On failure it sets `errno`.
  static func copy(_ source: String, to destination: String) -> Bool {
    let (input, size): (Int32, Int)
    do throws(RegularFile.Failure) { (input, size) = try RegularFile.descriptor(of: source) } catch {
      errno = error.number
      return false
    }
    defer { close(input) }
    let output = open(destination, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
    if output < 0 { return false }
    let isWritten = withUnsafeTemporaryAllocation(byteCount: blockSize, alignment: 16) { buffer in
      var done = 0
      while true {
        let count = RegularFile.fill(buffer, from: input)
        guard count >= 0, append(UnsafeRawBufferPointer(rebasing: buffer[..<count]), to: output) else {
          return false
        }
        done += count
        if count < blockSize {
          if done != size { errno = EIO }
          return done == size
        }
      }
    }
    return finishWriting(output, isWritten: isWritten)
  }
}

/// Lists folders.
enum FolderListing {
  /// Returns whether a path is a folder.
  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Checks that a path is a folder whose files can be listed.
  ///
  /// - Returns: The path without symbolic links.
  /// - Throws: `.unreadableFile`.
  @discardableResult
  static func checkReadable(_ path: String) throws(PagesError) -> String {
    if isFolder(path), access(path, R_OK | X_OK) == 0, let resolved = resolved(path) { return resolved }
    throw PagesError(.unreadableFile, "cannot read the folder \(quoted(path))", fix: "check the path")
  }

  /// Returns a path without symbolic links; `nil` if it does not exist.
  static func resolved(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Returns whether a resolved path is below a resolved folder.
  static func isPath(_ path: String, in folder: String) -> Bool {
    path.utf8.starts(with: (folder == "/" ? folder : folder + "/").utf8)
  }

  /// Returns the entries of a folder, sorted by name; `nil` if it cannot be read.
  static func entries(of path: String) -> [(name: String, isFolder: Bool)]? {
    folderEntries(of: path)?.sorted { $0.name < $1.name }.map { entry in
      (entry.name, entry.isFolder ?? (status(of: "\(path)/\(entry.name)").st_mode & S_IFMT == S_IFDIR))
    }
  }

  /// Returns the status of a file, not of what it links to; all zeros if it does not exist.
  private static func status(of path: String) -> stat {
    var status = stat()
    return lstat(path, &status) == 0 ? status : stat()
  }

  /// Returns the relative paths of all files in a folder and its subfolders. Subfolders that are empty or unreadable are
  /// included with a trailing `/`. Symbolic links are not followed.
  static func files(of path: String) -> [String] {
    var files: [String] = []
    forEachFile(of: path) { file, _ in files.append(file) }
    return files
  }

  /// Calls the body with the paths that `files(of:)` returns, in the order of the names, and their status.
  static func forEachFile(of path: String, _ body: (String, stat) -> Void) { visit("", of: path, body) }

  /// The recursion ends: file systems limit the length of a path.
  private static func visit(_ folder: String, of path: String, _ body: (String, stat) -> Void) {
    let entries = entries(of: "\(path)/\(folder)") ?? []
    if entries.isEmpty, !folder.isEmpty { body(folder, status(of: "\(path)/\(folder)")) }
    for entry in entries {
      let name = folder + entry.name
      if entry.isFolder {
        visit(name + "/", of: path, body)
      } else {
        body(name, status(of: "\(path)/\(name)"))
      }
    }
  }
}

/// Removes the contents of folders.
enum FolderRemoval {
  /// Removes the files of a folder that satisfy a condition, and the subfolders that are empty then. Symbolic links are not
  /// followed.
  ///
  /// - Returns: Whether all of them were removed. If not, `errno` is set.
  @discardableResult
  static func removeFiles(of path: String, _ folder: String = "", where isRemoved: (String) -> Bool) -> Bool {
    // The first failure is the one that is reported.
    var reason: Int32?
    for entry in FolderListing.entries(of: "\(path)/\(folder)") ?? [] {
      let file = folder + entry.name
      let isGone =
        entry.isFolder
        ? removeFiles(of: path, file + "/", where: isRemoved) && rmdir("\(path)/\(file)") == 0
        : !isRemoved(file) || unlink("\(path)/\(file)") == 0
      if !isGone, reason == nil { reason = errno }
    }
    if let reason { errno = reason }
    return reason == nil
  }
}

/// Exchanges the names of two folders.
enum FolderExchange {
  private static let backupSuffix = ".pricetag-old"

  /// Restores a folder that an interrupted exchange left under its backup name.
  static func restore(_ folder: String) {
    var status = stat()
    if lstat(folder, &status) != 0 { rename(folder + backupSuffix, folder) }
  }

  /// Exchanges two folders: atomically if the file system supports it; otherwise the second folder is missing for a
  /// moment. On failure it sets `errno`.
  static func exchange(_ first: String, _ second: String) -> Bool {
    if cfolders_exchange(first, second) { return true }
    guard errno == EINVAL || errno == ENOSYS else { return false }
    let backup = second + backupSuffix
    guard rename(second, backup) == 0 else { return false }
    guard rename(first, second) == 0 else {
      let renameError = errno
      rename(backup, second)
      errno = renameError
      return false
    }
    return rename(backup, first) == 0
  }
}
