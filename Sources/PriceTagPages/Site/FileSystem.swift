import CFolders
import PriceTagText

// The system's own, beside methods of the same name.
private let writeSome: @Sendable (Int32, UnsafeRawPointer?, Int) -> Int = { write($0, $1, $2) }
private let openSome: @Sendable (String, Int32, mode_t) -> Int32 = { open($0, $1, $2) }

/// Whole files.
enum FileBytes {
  /// Whether a file has these bytes.
  static func isFile(_ path: String, _ bytes: UnsafeRawBufferPointer) -> Bool {
    var status = stat()
    // Mostly another page has another length.
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, Int(status.st_size) == bytes.count
    else { return false }
    return (try? RegularFile.bytes(of: path, limit: bytes.count))?.elementsEqual(bytes) ?? false
  }

  /// Writes a file where nothing is. Where that fails, `errno` says why.
  static func write(_ bytes: UnsafeRawBufferPointer, to path: String) -> Bool {
    let descriptor = openSome(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
    if descriptor < 0 { return false }
    return ending(descriptor, append(bytes, to: descriptor))
  }

  static func write(_ bytes: [UInt8], to path: String) -> Bool {
    bytes.withUnsafeBytes { write($0, to: path) }
  }

  private static func append(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
    var done = 0
    while done < bytes.count, let start = bytes.baseAddress {
      let count = writeSome(descriptor, start + done, bytes.count - done)
      if count < 0, errno == EINTR { continue }
      if count < 0 { return false }
      done += count
    }
    return true
  }

  /// Closes a file that was written, and keeps the `errno` of what failed before.
  private static func ending(_ descriptor: Int32, _ isWritten: Bool) -> Bool {
    let problem = errno
    let isClosed = close(descriptor) == 0
    if !isWritten { errno = problem }
    return isWritten && isClosed
  }

  /// What a file is read by that may be of any size.
  private static let blockSize = 1 << 16

  /// Whether two files have the same bytes.
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

  /// Copies a file to where nothing is. Where that fails, `errno` says why.
  static func copy(_ source: String, to destination: String) -> Bool {
    let (input, size): (Int32, Int)
    do throws(RegularFile.Failure) { (input, size) = try RegularFile.descriptor(of: source) } catch {
      errno = error.number
      return false
    }
    defer { close(input) }
    let output = openSome(destination, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
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
    return ending(output, isWritten)
  }
}

/// What is in a folder.
enum FolderListing {
  /// One thing in a folder.
  struct Entry {
    let name: String
    let isFolder: Bool
  }

  /// Whether there is a folder at a path.
  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Returns a path without symbolic links; `nil` where it leads nowhere.
  static func resolved(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Returns whether a resolved path is below a resolved folder.
  static func isPath(_ path: String, in folder: String) -> Bool {
    path.utf8.starts(with: (folder == "/" ? folder : folder + "/").utf8)
  }

  /// The things in a folder itself; `nil` where it cannot be read.
  static func entries(of path: String) -> [Entry]? {
    guard let folder = opendir(path) else { return nil }
    defer { closedir(folder) }
    var entries: [Entry] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name == "." || name == ".." { continue }
      var status = stat()
      let isFolder = lstat("\(path)/\(name)", &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
      entries.append(Entry(name: name, isFolder: isFolder))
    }
    return entries.sorted { $0.name < $1.name }
  }

  /// The paths of all that is no folder, in it and below it, and with `/` at the end those of folders that are empty or
  /// cannot be read; symbolic links are not followed.
  static func files(of path: String) -> [String] {
    var files: [String] = []
    var folders = [""]
    while let folder = folders.popLast() {
      let entries = entries(of: "\(path)/\(folder)") ?? []
      if entries.isEmpty, !folder.isEmpty { files.append(folder) }
      for entry in entries {
        let name = folder + entry.name
        if entry.isFolder { folders.append(name + "/") } else { files.append(name) }
      }
    }
    return files
  }
}

/// Taking folders away.
enum FolderRemoval {
  /// Takes away what is in a folder, but for one file; symbolic links are not followed.
  static func empty(_ path: String, except kept: String = "") -> Bool {
    var folders: [String] = [path]
    var found: [String] = []
    while let folder = folders.popLast() {
      for entry in FolderListing.entries(of: folder) ?? [] {
        if folder == path, entry.name == kept { continue }
        let name = "\(folder)/\(entry.name)"
        if entry.isFolder {
          folders.append(name)
          found.append(name)
        } else if unlink(name) != 0 {
          return false
        }
      }
    }
    return found.reversed().allSatisfy { rmdir($0) == 0 }
  }
}

/// Two folders in each other's place.
enum Exchange {
  private static let aside = ".pricetag-old"

  /// Puts a folder back that was away when a process was killed.
  static func restore(_ folder: String) {
    var status = stat()
    if lstat(folder, &status) != 0 { rename(folder + aside, folder) }
  }

  /// In one step where the system can do that; else the second is away for a moment. Where it fails, `errno` says why.
  static func exchange(_ first: String, _ second: String) -> Bool {
    if cfolders_exchange(first, second) { return true }
    guard errno == EINVAL || errno == ENOSYS else { return false }
    let aside = second + aside
    guard rename(second, aside) == 0 else { return false }
    guard rename(first, second) == 0 else {
      let problem = errno
      rename(aside, second)
      errno = problem
      return false
    }
    return rename(aside, first) == 0
  }
}
