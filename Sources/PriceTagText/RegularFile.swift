/// Reads regular files, which have an end. It never opens a pipe, a device or a folder, so reading cannot block.
package enum RegularFile {
  /// Why a file cannot be read, and what to do.
  package struct Failure: Error {
    /// The system's error number; `EINVAL` for something other than a regular file, `EFBIG` for a file over the limit.
    package let number: Int32
    package let reason: String
    package let fix: String
  }

  /// Returns the bytes of a file of at most so many bytes.
  ///
  ///     try RegularFile.bytes(of: "shop.json", limit: 64 << 20)
  package static func bytes(of path: String, limit: Int) throws(Failure) -> [UInt8] {
    let (descriptor, size) = try descriptor(of: path)
    defer { close(descriptor) }
    guard size <= limit else { throw tooLarge(limit) }
    var failed = false
    // One byte more than the size shows whether the file grew meanwhile.
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
      throw Failure(number: EINVAL, reason: "its path has a NUL", fix: "correct the path")
    }
    var status = stat()
    guard stat(path, &status) == 0 else {
      let error = SystemError()
      // The list of a folder has that character for every byte that is not UTF-8.
      if error.number == ENOENT, path.unicodeScalars.contains("\u{FFFD}") {
        throw Failure(number: ENOENT, reason: "its name is not UTF-8", fix: "rename it")
      }
      throw failure(error)
    }
    guard status.st_mode & S_IFMT == S_IFREG else { throw irregular }
    // A pipe may have taken the file's place meanwhile: opening does not wait for its writer.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw failure(SystemError()) }
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw irregular
    }
    return (descriptor, Int(status.st_size))
  }

  /// Reads from a descriptor until a buffer is full or the file ends; negative if that fails, with `errno`.
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
    Failure(number: EINVAL, reason: "it is a folder, a pipe or a device", fix: "give a regular file")
  }

  private static func tooLarge(_ limit: Int) -> Failure {
    let amount = limit % (1 << 20) == 0 ? "\(limit >> 20) MB" : "\(limit) bytes"
    return Failure(number: EFBIG, reason: "it has more than \(amount)", fix: "split it")
  }

  private static func failure(_ error: SystemError) -> Failure {
    Failure(number: error.number, reason: error.reason, fix: error.fix(.read))
  }
}
