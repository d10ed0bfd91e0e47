/// Reads regular files only. It never opens a pipe, a device or a folder, so reading cannot block.
package enum RegularFile {
  /// An error of reading a file.
  package struct Failure: Error {
    /// The system's error number; `EINVAL` for something other than a regular file, `EFBIG` for a file over the limit.
    package let number: Int32
    package let reason: String
    package let fix: String
  }

  /// Returns the bytes of a file.
  ///
  ///     try RegularFile.bytes(of: "shop.json", limit: 64 << 20)
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - limit: The maximum size in bytes.
  /// - Throws: A failure if the file is not a regular file, is larger than the limit, or cannot be read.
  package static func bytes(of path: String, limit: Int) throws(Failure) -> [UInt8] {
    let (descriptor, size) = try descriptor(of: path)
    defer { close(descriptor) }
    guard size <= limit else { throw tooLarge(limit) }
    var failed = false
    // Reads one byte more than the size, to notice a file that is growing.
    var bytes = [UInt8](unsafeUninitializedCapacity: size + 1) { buffer, count in
      (count, failed) = filled(buffer, from: descriptor)
    }
    var pieceCount = bytes.count > size ? 1 << 16 : 0
    while !failed, pieceCount == 1 << 16, bytes.count <= limit {
      bytes += [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
        (count, failed) = filled(buffer, from: descriptor)
        pieceCount = count
      }
    }
    if failed { throw failure(SystemError()) }
    guard bytes.count <= limit else { throw tooLarge(limit) }
    return bytes
  }

  /// Opens a file for reading. The caller closes it.
  package static func descriptor(of path: String) throws(Failure) -> (descriptor: Int32, size: Int) {
    guard !path.utf8.contains(0) else {
      throw Failure(number: EINVAL, reason: "its path contains a NUL character", fix: "check the path")
    }
    var status = stat()
    guard stat(path, &status) == 0 else {
      let error = SystemError()
      // A folder listing has this character for every byte that is not UTF-8.
      if error.number == ENOENT, path.unicodeScalars.contains("\u{FFFD}") {
        throw Failure(number: ENOENT, reason: "its name is not UTF-8", fix: "rename it")
      }
      throw failure(error)
    }
    guard status.st_mode & S_IFMT == S_IFREG else { throw irregular }
    // The file may have been replaced by a pipe meanwhile. O_NONBLOCK does not wait for its writer.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw failure(SystemError()) }
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw irregular
    }
    return (descriptor, Int(status.st_size))
  }

  /// Reads from a descriptor until a buffer is full or the file ends.
  ///
  /// - Returns: The number of bytes; a negative number if reading fails, with the reason in `errno`.
  package static func fill(_ buffer: UnsafeMutableRawBufferPointer, from descriptor: Int32) -> Int {
    var done = 0
    while done < buffer.count, let start = buffer.baseAddress {
      let count = read(descriptor, start + done, buffer.count - done)
      if count < 0, errno == EINTR { continue }
      if count < 0 { return -1 }
      if count == 0 { break }
      done += count
    }
    return done
  }

  private static func filled(
    _ buffer: UnsafeMutableBufferPointer<UInt8>,
    from descriptor: Int32
  ) -> (count: Int, failed: Bool) {
    let count = fill(UnsafeMutableRawBufferPointer(buffer), from: descriptor)
    return (max(count, 0), count < 0)
  }

  private static var irregular: Failure {
    Failure(number: EINVAL, reason: "it is a folder, a pipe or a device", fix: "use a regular file")
  }

  private static func tooLarge(_ limit: Int) -> Failure {
    let amount = limit % (1 << 20) == 0 ? "\(limit >> 20) MB" : "\(limit) bytes"
    return Failure(number: EFBIG, reason: "it is larger than \(amount)", fix: "split it")
  }

  private static func failure(_ error: SystemError) -> Failure {
    Failure(number: error.number, reason: error.reason, fix: error.fix(.read))
  }
}
