/// A value as an error quotes it: in quotation marks, invisible characters escaped, long text cut.
@inlinable
package func quoted(_ value: some StringProtocol) -> String {
  // Most are short and plain: a rejected row should not cost a search for each of its characters.
  if value.utf8.count <= 48,
    value.utf8.allSatisfy({
      (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
    })
  {
    return "\"\(value)\""
  }
  return "\"\(printable(value, limit: 48, isQuoted: true))\""
}

/// A text that fits one line and moves nothing around it: invisible characters escaped, long text cut.
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

/// `1 file`, `2 files`.
package func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

/// Whether a text is ASCII without a zero, so that it can be compared in capitals and given to C.
@inlinable
package func isASCII(_ text: some StringProtocol) -> Bool {
  text.utf8.allSatisfy { (0x01...0x7F).contains($0) }
}

/// A scalar as it can be read: itself, or `\u{…}` where it cannot be seen or would move its neighbours.
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
