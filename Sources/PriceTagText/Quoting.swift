/// Returns a value as errors quote it: in quotation marks, with invisible characters escaped, and cut if it is long.
///
///     quoted("US\u{202E}A")   // "US\u{202E}A", with the quotation marks and the escape
@inlinable
package func quoted(_ value: some StringProtocol) -> String {
  // Most values are short and plain. They skip the lookup of each character, so that rejected rows are cheap.
  if value.utf8.count <= 48,
    value.utf8.allSatisfy({
      (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
    })
  {
    return "\"\(value)\""
  }
  return "\"\(printable(value, limit: 48, isQuoted: true))\""
}

/// Returns a text for one line of output: with invisible characters escaped, and cut if it is long.
@inlinable
package func printable(
  _ value: some StringProtocol,
  limit: Int = 240,
  isQuoted: Bool = false
) -> String {
  var text = ""
  var count = 0
  for scalar in value.unicodeScalars {
    if count == limit { return text + "…" }
    if isQuoted, scalar == "\"" || scalar == "\\" { text += "\\" }
    text += escaped(scalar)
    count += 1
  }
  return text
}

/// Returns a text with zeros before it, up to a number of bytes.
package func zeroPadded(_ text: String, _ width: Int) -> String {
  String(repeating: "0", count: max(0, width - text.utf8.count)) + text
}

/// Returns a count with a noun in the right number: `1 file`, `2 files`.
package func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

/// Returns whether a text is ASCII without NUL, so that it can be uppercased and passed to C.
@inlinable
package func isASCII(_ text: some StringProtocol) -> Bool {
  text.utf8.allSatisfy { (0x01...0x7F).contains($0) }
}

/// Returns a scalar, or its escape `\u{…}` if it is invisible or changes the direction of text.
@usableFromInline
package func escaped(_ scalar: Unicode.Scalar) -> String {
  if (" "..."~").contains(scalar) { return String(scalar) }
  switch scalar.properties.generalCategory {
  case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator:
    return "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
  case .spaceSeparator where scalar != " ":
    return "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
  default:
    return String(scalar)
  }
}
