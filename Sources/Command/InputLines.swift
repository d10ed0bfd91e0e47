import PriceTag
import PriceTagText

/// The lines of a file, or of standard input with the path `-`.
struct InputLines {
  let path: String

  /// Calls a closure with each line, without its line end; `nil` for a line that is not UTF-8.
  func forEach(_ body: (String?) -> Void) throws(PriceTagError) {
    // Duplicates the descriptor of standard input, because `fclose` closes it.
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
    let error = SystemError()
    return PriceTagError(
      .invalidOption,
      "cannot read the file: \(error.reason)",
      fix: "\(error.fix(.read)), or use - for standard input",
      place: path == "-" ? "standard input" : printable(path)
    )
  }
}
