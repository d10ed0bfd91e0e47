import CFolders

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

// The system's own, beside methods of the same name.
private let readSome: @Sendable (Int32, UnsafeMutableRawPointer?, Int) -> Int = { read($0, $1, $2) }
private let writeSome: @Sendable (Int32, UnsafeRawPointer?, Int) -> Int = { write($0, $1, $2) }

/// Whole files.
enum FileBytes {
  /// `nil` where there is no such file, or it cannot be read.
  static func read(_ path: String) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0 { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return [UInt8](unsafeUninitializedCapacity: Int(status.st_size)) { buffer, count in
      while count < buffer.count, let start = buffer.baseAddress {
        let got = readSome(descriptor, start + count, buffer.count - count)
        if got < 0, errno == EINTR { continue }
        if got <= 0 { break }
        count += got
      }
    }
  }

  /// Whether a file has these bytes.
  static func isFile(_ path: String, _ bytes: UnsafeRawBufferPointer) -> Bool {
    var status = stat()
    // Mostly another page has another length.
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, Int(status.st_size) == bytes.count
    else { return false }
    return read(path)?.elementsEqual(bytes) ?? false
  }

  /// Writes a file where none is, or over the one that is there. Where that fails, `errno` says why.
  static func write(_ bytes: UnsafeRawBufferPointer, to path: String) -> Bool {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    if descriptor < 0 { return false }
    var done = 0
    while done < bytes.count, let start = bytes.baseAddress {
      let count = writeSome(descriptor, start + done, bytes.count - done)
      if count < 0 {
        if errno == EINTR { continue }
        let problem = errno
        close(descriptor)
        errno = problem
        return false
      }
      done += count
    }
    return close(descriptor) == 0
  }

  static func write(_ bytes: [UInt8], to path: String) -> Bool {
    bytes.withUnsafeBytes { write($0, to: path) }
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

  /// The things in a folder itself; none where it cannot be read.
  static func entries(of path: String) -> [Entry] {
    guard let folder = opendir(path) else { return [] }
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

  /// The paths of all that is no folder, in it and below it; symbolic links are not followed.
  static func files(of path: String) -> [String] {
    var files: [String] = []
    var folders = [""]
    while let folder = folders.popLast() {
      for entry in entries(of: "\(path)/\(folder)") {
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
      for entry in FolderListing.entries(of: folder) {
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
  /// In one step where the system can do that; else the second is away for a moment. Where it fails, `errno` says why.
  static func exchange(_ first: String, _ second: String) -> Bool {
    if cfolders_exchange(first, second) { return true }
    guard errno == EINVAL || errno == ENOSYS else { return false }
    let aside = second + ".pricetag-old"
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
