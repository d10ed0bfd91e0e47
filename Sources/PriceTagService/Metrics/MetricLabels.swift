/// The labels of a series in the exposition format, ordered by name. They identify a series within its family.
struct MetricLabels: Hashable, Comparable, Sendable {
  /// The text, such as `a="1",b="2"`; empty for a series without labels.
  let text: String

  /// The labels of the shared series for labels beyond the limit.
  static let overflow = MetricLabels([("overflow", "true")], of: .counter)

  /// The maximum length of a value in Unicode scalars. Values may come from clients.
  private static let maximumValueLength = 256

  init(_ dimensions: [(String, String)], of kind: MetricKind) {
    var labels: [(name: String, value: String)] = []
    labels.reserveCapacity(dimensions.count)
    for (name, value) in dimensions {
      labels.append((Self.uniqueName(MetricName.label(name), kind, labels), value))
    }
    // The sanitized names are ASCII, so this is byte order.
    labels.sort { $0.name < $1.name }
    var text = ""
    for (name, value) in labels {
      if !text.isEmpty { text += "," }
      text += name
      text += "=\""
      text += Self.escaped(value)
      text += "\""
    }
    self.text = text
  }

  // Compare bytes: two encodings of é are different values, and equality must agree with the order of the series.
  static func == (one: MetricLabels, other: MetricLabels) -> Bool {
    one.text == other.text && one.text.utf8.elementsEqual(other.text.utf8)
  }

  static func < (one: MetricLabels, other: MetricLabels) -> Bool {
    one.text == other.text ? one.text.utf8.lexicographicallyPrecedes(other.text.utf8) : one.text < other.text
  }

  /// Returns a name that no other label of the series has. A duplicate would make the complete text invalid.
  private static func uniqueName(
    _ name: String,
    _ kind: MetricKind,
    _ others: [(name: String, value: String)]
  ) -> String {
    // Histograms use this name for the boundaries of their buckets.
    let name = name == "le" && kind.type == "histogram" ? "le_" : name
    var (candidate, number) = (name, 2)
    while others.contains(where: { $0.name == candidate }) {
      candidate = "\(name)_\(number)"
      number += 1
    }
    return candidate
  }

  private static func escaped(_ value: String) -> String {
    // Fast path for plain ASCII, which most values are.
    if value.utf8.count <= maximumValueLength, value.utf8.allSatisfy(isPlain) { return value }
    var result = String.UnicodeScalarView()
    for (index, scalar) in value.unicodeScalars.enumerated() {
      guard index < maximumValueLength else {
        result.append("…")
        break
      }
      switch scalar {
      case "\\": result.append(contentsOf: "\\\\".unicodeScalars)
      case "\"": result.append(contentsOf: "\\\"".unicodeScalars)
      case "\n": result.append(contentsOf: "\\n".unicodeScalars)
      // The format has no escapes for these, and some parsers end a line or the text at them.
      case _ where scalar.properties.generalCategory == .control, "\u{2028}", "\u{2029}":
        result.append("\u{FFFD}")
      default: result.append(scalar)
      }
    }
    return String(result)
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    (0x20..<0x7F).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }
}
