/// What the start of a CSV file says about its fields.
package struct CSVStart {
  /// The delimiter of fields.
  package let delimiter: UInt8
  /// The number of bytes before the header: those of a first line such as `sep=;`, with which spreadsheets name the
  /// delimiter; 0 without such a line.
  package let headerOffset: Int

  /// The number of bytes after which the header is not searched further.
  package static let maximumByteCount = 1 << 16

  /// Reads the start of a file: the delimiter is the one of the line `sep=;`, else the most frequent one in the unquoted
  /// part of the header: a comma, a semicolon or a tab, which spreadsheets write in some countries.
  ///
  /// - Parameters:
  ///   - bytes: The first bytes of the file, after a byte order mark.
  ///   - isLast: Whether no further bytes can be read.
  /// - Returns: `nil` if the header may not end within the bytes.
  package init?(_ bytes: some RandomAccessCollection<UInt8>, isLast: Bool) {
    if let named = Self.namedDelimiter(bytes) {
      (delimiter, headerOffset) = named
      return
    }
    let delimiters = [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09]
    var counts = [0, 0, 0]
    var isQuoted = false
    var isComplete = isLast || bytes.count >= Self.maximumByteCount
    // Leading empty lines are skipped.
    for byte in bytes.prefix(Self.maximumByteCount).drop(while: { $0 == 0x0A || $0 == 0x0D }) {
      if byte == UInt8(ascii: "\"") {
        isQuoted.toggle()
      } else if !isQuoted {
        if byte == 0x0A {
          isComplete = true
          break
        }
        if let index = delimiters.firstIndex(of: byte) { counts[index] += 1 }
      }
    }
    guard isComplete else { return nil }
    // If two are equally frequent, the first one is the delimiter.
    let index = counts.indices.max { counts[$0] < counts[$1] || (counts[$0] == counts[$1] && $0 > $1) }
    (delimiter, headerOffset) = (delimiters[index ?? 0], 0)
  }

  /// Returns the delimiter of a first line such as `sep=;`, and the number of bytes of that line.
  private static func namedDelimiter(
    _ bytes: some RandomAccessCollection<UInt8>
  ) -> (delimiter: UInt8, byteCount: Int)? {
    // At most: two quotes, `sep=;`, and a line end of two bytes.
    let line = Array(bytes.prefix(9))
    let quoteCount = line.first == UInt8(ascii: "\"") ? 1 : 0
    let text = line.dropFirst(quoteCount)
    guard String(decoding: text.prefix(4), as: UTF8.self).lowercased() == "sep=",
      let delimiter = text.dropFirst(4).first, isCSVDelimiter(delimiter)
    else { return nil }
    let rest = text.dropFirst(5)
    guard quoteCount == 0 || rest.first == UInt8(ascii: "\"") else { return nil }
    let end = rest.dropFirst(quoteCount)
    if end.first == 0x0A { return (delimiter, end.startIndex + 1) }
    if end.starts(with: [0x0D, 0x0A]) { return (delimiter, end.startIndex + 2) }
    return nil
  }
}
