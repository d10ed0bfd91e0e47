import Logging

/// A log record, which can be written as a line of text or JSON.
struct LogRecord {
  let time: LogTime
  let level: Logger.Level
  let label: String
  let message: String
  let metadata: Logger.Metadata

  /// The members of a JSON line that are not metadata.
  private static let reservedMembers: Set<String> = ["time", "level", "label", "message"]
  /// The maximum nesting depth of a value.
  private static let maximumDepth = 8

  /// Returns the record as a line: `2026-11-22T08:00:00.123Z info  message key=value`, or
  /// `{"time":"2026-11-22T08:00:00.123Z","level":"info","label":"…","message":"…","key":"value"}`.
  func line(_ format: ServiceLogHandler.Format) -> [UInt8] {
    let json = format == .json
    var line = LogLine()
    let level = level.rawValue
    if json {
      line.append("{\"time\":\"\(time.text)\",\"level\":\"\(level)\",\"label\":")
      line.append(label, as: .json)
      line.append(",\"message\":")
    } else {
      line.append("\(time.text) \(level)\(String(repeating: " ", count: max(0, 5 - level.utf8.count))) ")
    }
    line.append(message, as: json ? .json : .text)
    for (key, value) in Self.sorted(metadata) {
      line.append(json ? "," : " ")
      var remaining = LogLine.maximumValueLength
      Self.append(json ? member(key) : key, json: json, to: &line, remaining: &remaining)
      line.append(json ? ":" : "=")
      remaining = LogLine.maximumValueLength
      Self.append(value, json: json, to: &line, remaining: &remaining, depth: 0)
    }
    line.append(json ? "}\n" : "\n")
    return line.bytes
  }

  /// Returns the member name for a metadata key, prefixed if it would collide with another member.
  private func member(_ key: String) -> String {
    guard Self.reservedMembers.contains(key) else { return key }
    var name = key
    repeat { name = "metadata." + name } while metadata[name] != nil
    return name
  }

  private static func sorted(_ metadata: Logger.Metadata) -> [(key: String, value: Logger.MetadataValue)] {
    metadata.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
  }

  private static func append(
    _ text: String,
    json: Bool,
    to line: inout LogLine,
    remaining: inout Int
  ) {
    let syntax: LogLine.Syntax = json ? .json : LogLine.isWord(text) ? .text : .quotedText
    line.append(text, as: syntax, remaining: &remaining)
  }

  /// Appends a value. The maximum length applies to all nested values together.
  private static func append(
    _ value: Logger.MetadataValue,
    json: Bool,
    to line: inout LogLine,
    remaining: inout Int,
    depth: Int
  ) {
    switch value {
    case .string(let text): append(text, json: json, to: &line, remaining: &remaining)
    case .stringConvertible(let value):
      if let literal = literal(value) {
        remaining -= literal.utf8.count
        line.append(literal)
      } else {
        append(value.description, json: json, to: &line, remaining: &remaining)
      }
    case .array(let values):
      line.append("[")
      for (index, value) in values.enumerated() {
        if index > 0 { line.append(",") }
        guard remaining > 0, depth < maximumDepth else {
          line.append(json ? "\"…\"" : "…")
          break
        }
        remaining -= 1
        append(value, json: json, to: &line, remaining: &remaining, depth: depth + 1)
      }
      line.append("]")
    case .dictionary(let values):
      line.append("{")
      for (index, (key, value)) in sorted(values).enumerated() {
        if index > 0 { line.append(json ? "," : " ") }
        // Room for at least one scalar of the key: two keys truncated to "…" would be duplicates.
        guard remaining > 1, depth < maximumDepth else {
          line.append(json ? "\"…\":\"…\"" : "…")
          break
        }
        remaining -= 1
        append(key, json: json, to: &line, remaining: &remaining)
        line.append(json ? ":" : "=")
        append(value, json: json, to: &line, remaining: &remaining, depth: depth + 1)
      }
      line.append("}")
    }
  }

  /// Returns an integer, a finite floating-point number or a Boolean as a JSON literal; `nil` for other types. Integers
  /// are formatted without `description`, which a custom type could define.
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
