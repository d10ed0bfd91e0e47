/// Names of metrics and labels as the format allows them.
enum MetricName {
  /// A name of a metric: letters, digits, `_` and `:`, and no digit at the start.
  static func metric(_ name: String) -> String { sanitized(name, allowsColon: true) }

  /// A name of a label: letters, digits and `_`, no digit at the start, and not the two underscores that are reserved.
  static func label(_ name: String) -> String {
    let name = sanitized(name, allowsColon: false)
    guard name.utf8.starts(with: "__".utf8) else { return name }
    return "_" + name.drop { $0 == "_" }
  }

  private static func sanitized(_ name: String, allowsColon: Bool) -> String {
    // Nearly every name is one already.
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
