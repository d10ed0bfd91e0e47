/// A syntax error in a CSV record, and its place.
package struct CSVProblem {
  package enum Kind {
    case unclosedQuote, textAfterQuote, quoteInField, loneCarriageReturn, tooManyFields
  }

  package let kind: Kind
  /// The offset in the record, in bytes.
  package let offset: Int
  /// The number of the field, starting at 1.
  package let field: Int
  /// The number of line feeds in the block before the error.
  package let line: Int

  /// What was wrong.
  package var problem: String {
    switch kind {
    case .unclosedQuote: "a quoted field is not closed"
    case .textAfterQuote: "text follows a closing quote"
    case .quoteInField: "an unquoted field contains a quote"
    case .loneCarriageReturn: "a carriage return has no line feed after it"
    case .tooManyFields: "the record has too many fields"
    }
  }

  /// How to fix it, as an imperative.
  package var fix: String {
    switch kind {
    case .unclosedQuote: #"add the closing quote, and write "" for a quote inside the field"#
    case .textAfterQuote: #"write "" for a quote inside a quoted field"#
    case .quoteInField: #"put the field in quotes, and write "" for a quote"#
    case .loneCarriageReturn: "put the field in quotes"
    case .tooManyFields: "end each record with a line break"
    }
  }
}

/// Returns whether a byte can separate the fields of CSV: a tab, or an ASCII character that is neither a quote nor a letter
/// nor a digit.
package func isCSVDelimiter(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "\""), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
    UInt8(ascii: "a")...UInt8(ascii: "z"):
    false
  default: byte == 0x09 || (0x20...0x7E).contains(byte)
  }
}

/// Returns whether a field that contains a byte must be quoted in CSV.
@inlinable @inline(__always)
package func isSpecialInCSV(_ byte: UInt8, _ delimiter: UInt8) -> Bool {
  byte == delimiter || byte == UInt8(ascii: "\"") || byte == 0x0A || byte == 0x0D
}

/// Returns a text as a quoted field of CSV.
///
///     quotedForCSV("1\" disk")   // "1"" disk", with the quotes
package func quotedForCSV(_ text: String) -> String {
  var quoted = String.UnicodeScalarView()
  quoted.append("\"")
  for scalar in text.unicodeScalars {
    if scalar == "\"" { quoted.append(scalar) }
    quoted.append(scalar)
  }
  quoted.append("\"")
  return String(quoted)
}

/// Writes a value with doubled quotes as single quotes, and returns the number of bytes, which is at most `count`.
@inlinable
package func withoutDoubledQuotes(
  _ start: UnsafePointer<UInt8>,
  _ count: Int,
  to text: UnsafeMutablePointer<UInt8>
) -> Int {
  var written = 0
  var index = 0
  while index < count {
    text[written] = start[index]
    written += 1
    index += start[index] == UInt8(ascii: "\"") ? 2 : 1
  }
  return written
}

/// Returns the number of line feeds.
package func lineFeedCount(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int {
  UnsafeBufferPointer(start: bytes, count: count).count { $0 == 0x0A }
}

/// Returns the offset of the last line feed between two offsets.
package func lastLineFeed(_ bytes: UnsafePointer<UInt8>, _ from: Int, _ to: Int) -> Int? {
  var place = to
  while place > from {
    place -= 1
    if bytes[place] == 0x0A { return place }
  }
  return nil
}
