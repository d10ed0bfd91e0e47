/// The labels of a series as they are written, in the order of their names: what tells it from the others of its
/// family.
struct MetricLabels: Hashable, Comparable, Sendable {
  /// `a="1",b="2"`; nothing for a series without labels.
  let text: String

  /// The labels of the series that takes what is beyond the bound.
  static let overflow = MetricLabels([("overflow", "true")], of: .counter)

  /// Of a longer value the rest is cut: a client may be behind it.
  private static let longestValue = 256

  init(_ dimensions: [(String, String)], of kind: MetricKind) {
    var labels: [(name: String, value: String)] = []
    labels.reserveCapacity(dimensions.count)
    for (name, value) in dimensions {
      labels.append((Self.free(MetricName.label(name), kind, labels), value))
    }
    // Names are ASCII now: the order is that of their bytes.
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

  // By their bytes: two spellings of é are two values, and dictionaries and the order of the series must agree.
  static func == (one: MetricLabels, other: MetricLabels) -> Bool {
    one.text == other.text && one.text.utf8.elementsEqual(other.text.utf8)
  }

  static func < (one: MetricLabels, other: MetricLabels) -> Bool {
    one.text == other.text ? one.text.utf8.lexicographicallyPrecedes(other.text.utf8) : one.text < other.text
  }

  /// A name that no other label has: one of two equal names would make the whole answer unreadable.
  private static func free(_ name: String, _ kind: MetricKind, _ taken: [(name: String, value: String)])
    -> String
  {
    // A histogram has its borders under this name.
    let name = name == "le" && kind.type == "histogram" ? "le_" : name
    var (candidate, number) = (name, 2)
    while taken.contains(where: { $0.name == candidate }) {
      candidate = "\(name)_\(number)"
      number += 1
    }
    return candidate
  }

  private static func escaped(_ value: String) -> String {
    // Nearly every value: nothing to escape, and not looked at as characters.
    if value.utf8.count <= longestValue, value.utf8.allSatisfy(isPlain) { return value }
    var result = String.UnicodeScalarView()
    for (index, scalar) in value.unicodeScalars.enumerated() {
      guard index < longestValue else {
        result.append("…")
        break
      }
      switch scalar {
      case "\\": result.append(contentsOf: "\\\\".unicodeScalars)
      case "\"": result.append(contentsOf: "\\\"".unicodeScalars)
      case "\n": result.append(contentsOf: "\\n".unicodeScalars)
      // The format has no escapes for these, and some readers end a line or the whole text at them.
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
