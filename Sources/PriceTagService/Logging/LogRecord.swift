import Logging

/// A record, and how it is written as a line.
struct LogRecord {
  let time: LogTime
  let level: Logger.Level
  let label: String
  let message: String
  let metadata: Logger.Metadata

  /// The members of a line of JSON that are no metadata.
  private static let ownMembers: Set<String> = ["time", "level", "label", "message"]
  /// Of values in values.
  private static let deepest = 8

  /// `2026-11-22T08:00:00.123Z info  message key=value`
  var text: [UInt8] {
    var line = LogLine()
    let level = level.rawValue
    line.append("\(time.text) \(level)\(String(repeating: " ", count: max(0, 5 - level.utf8.count))) ")
    Self.append(message, as: .text, to: &line)
    for (key, value) in Self.sorted(metadata) {
      line.append(" ")
      var left = LogLine.longestValue
      Self.appendWord(key, to: &line, left: &left)
      line.append("=")
      left = LogLine.longestValue
      Self.append(value, json: false, to: &line, left: &left, depth: 0)
    }
    line.append("\n")
    return line.bytes
  }

  /// `{"time":"2026-11-22T08:00:00.123Z","level":"info","label":"…","message":"…","key":"value"}`
  var json: [UInt8] {
    var line = LogLine()
    line.append("{\"time\":\"\(time.text)\",\"level\":\"\(level.rawValue)\",\"label\":")
    Self.append(label, as: .json, to: &line)
    line.append(",\"message\":")
    Self.append(message, as: .json, to: &line)
    for (key, value) in Self.sorted(metadata) {
      line.append(",")
      Self.append(member(key), as: .json, to: &line)
      line.append(":")
      var left = LogLine.longestValue
      Self.append(value, json: true, to: &line, left: &left, depth: 0)
    }
    line.append("}\n")
    return line.bytes
  }

  /// A name that no other member of the line has.
  private func member(_ key: String) -> String {
    guard Self.ownMembers.contains(key) else { return key }
    var name = key
    repeat { name = "metadata." + name } while metadata[name] != nil
    return name
  }

  private static func sorted(_ metadata: Logger.Metadata) -> [(key: String, value: Logger.MetadataValue)] {
    metadata.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
  }

  private static func append(_ text: String, as writing: LogLine.Writing, to line: inout LogLine) {
    var left = LogLine.longestValue
    line.append(text, as: writing, left: &left)
  }

  private static func appendWord(_ text: String, to line: inout LogLine, left: inout Int) {
    line.append(text, as: LogLine.isWord(text) ? .text : .quotedText, left: &left)
  }

  private static func append(
    _ text: String,
    json: Bool,
    to line: inout LogLine,
    left: inout Int
  ) {
    if json { line.append(text, as: .json, left: &left) } else { appendWord(text, to: &line, left: &left) }
  }

  /// Appends a value with the values in it, all of them together no longer than one.
  private static func append(
    _ value: Logger.MetadataValue,
    json: Bool,
    to line: inout LogLine,
    left: inout Int,
    depth: Int
  ) {
    switch value {
    case .string(let text): append(text, json: json, to: &line, left: &left)
    case .stringConvertible(let value):
      if let literal = literal(value) {
        left -= literal.utf8.count
        line.append(literal)
      } else {
        append(value.description, json: json, to: &line, left: &left)
      }
    case .array(let values):
      line.append("[")
      for (index, value) in values.enumerated() {
        if index > 0 { line.append(",") }
        guard left > 0, depth < deepest else {
          line.append(json ? "\"…\"" : "…")
          break
        }
        left -= 1
        append(value, json: json, to: &line, left: &left, depth: depth + 1)
      }
      line.append("]")
    case .dictionary(let values):
      line.append("{")
      for (index, (key, value)) in sorted(values).enumerated() {
        if index > 0 { line.append(json ? "," : " ") }
        // One more for the key: a key of nothing but … could stand twice.
        guard left > 1, depth < deepest else {
          line.append(json ? "\"…\":\"…\"" : "…")
          break
        }
        left -= 1
        append(key, json: json, to: &line, left: &left)
        line.append(json ? ":" : "=")
        append(value, json: json, to: &line, left: &left, depth: depth + 1)
      }
      line.append("}")
    }
  }

  /// Numbers and Booleans, which JSON has too; digits and signs only, whoever describes them.
  private static func literal(_ value: any CustomStringConvertible) -> String? {
    switch value {
    case let bool as Bool: bool ? "true" : "false"
    case let integer as any FixedWidthInteger: String(integer, radix: 10)
    case let number as Double where number.isFinite: number.description
    case let number as Float where number.isFinite: number.description
    default: nil
    }
  }
}
