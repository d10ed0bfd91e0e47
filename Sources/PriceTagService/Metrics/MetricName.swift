/// Converts names of metrics and labels to names that the exposition format allows.
enum MetricName {
  /// Returns a metric name: ASCII letters, digits, `_` and `:`, not starting with a digit.
  static func metric(_ name: String) -> String { sanitized(name, allowsColon: true) }

  /// Returns a label name: ASCII letters, digits and `_`, not starting with a digit or with two underscores, which are
  /// reserved.
  static func label(_ name: String) -> String {
    let name = sanitized(name, allowsColon: false)
    guard name.utf8.starts(with: "__".utf8) else { return name }
    return "_" + name.drop { $0 == "_" }
  }

  private static func sanitized(_ name: String, allowsColon: Bool) -> String {
    // Most names are valid.
    if isValid(name, allowsColon) { return name }
    var result: [UInt8] = []
    result.reserveCapacity(name.utf8.count + 1)
    for scalar in name.unicodeScalars {
      switch scalar {
      case "a"..."z", "A"..."Z", "_": result.append(UInt8(truncatingIfNeeded: scalar.value))
      case "0"..."9":
        if result.isEmpty { result.append(UInt8(ascii: "_")) }
        result.append(UInt8(truncatingIfNeeded: scalar.value))
      case ":" where allowsColon: result.append(UInt8(ascii: ":"))
      default: result.append(UInt8(ascii: "_"))
      }
    }
    return result.isEmpty ? "_" : String(decoding: result, as: UTF8.self)
  }

  private static func isValid(_ name: String, _ allowsColon: Bool) -> Bool {
    guard let first = name.utf8.first, !(0x30...0x39).contains(first) else { return false }
    return name.utf8.allSatisfy { byte in
      switch byte {
      case 0x61...0x7A, 0x41...0x5A, 0x30...0x39, 0x5F: true
      default: allowsColon && byte == 0x3A
      }
    }
  }
}
