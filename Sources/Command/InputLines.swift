import PriceTag
import PriceTagText

/// The lines of a file, or of standard input under the name `-`, read one by one.
struct InputLines {
  let path: String

  /// Hands over each line without its end; `nil` for one that is not UTF-8.
  func forEach(_ body: (String?) -> Void) throws(PriceTagError) {
    // A copy of standard input's descriptor, so that both are closed alike.
    guard let file = path == "-" ? fdopen(dup(STDIN_FILENO), "r") : fopen(path, "r") else {
      throw unreadable()
    }
    defer { fclose(file) }
    var line: UnsafeMutablePointer<CChar>?
    var capacity = 0
    defer { free(line) }
    while true {
      let count = getline(&line, &capacity, file)
      guard count > 0, let line else { break }
      let bytes = UnsafeRawBufferPointer(start: line, count: count)
      var end = bytes.count
      if end > 0, bytes[end - 1] == UInt8(ascii: "\n") { end -= 1 }
      if end > 0, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
      body(String(validating: bytes[..<end], as: UTF8.self))
    }
    if ferror(file) != 0 { throw unreadable() }
  }

  private func unreadable() -> PriceTagError {
    PriceTagError(
      .invalidOption,
      "\(quoted(path)) cannot be read: \(String(cString: strerror(errno)))",
      fix: "give a file that this process may read, or - for standard input"
    )
  }
}
