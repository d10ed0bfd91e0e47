import PriceTag

/// A placeholder in a text, such as `%d`, `%1$@`, `%#@files@`, `{name}`, `{{ name }}` or `${name}`.
package struct Placeholder: Hashable {
  /// The syntax of a placeholder.
  package enum Style: Hashable {
    /// A printf conversion, `%d`.
    case printf
    /// A substitution of a string catalog, `%#@name@`, `%2$#@name@` or `%arg`.
    case substitution
    /// `{name}` or `${name}`.
    case braces
    /// `{{ name }}`.
    case mustache
  }

  package let style: Style
  /// The part that a translation must preserve: the name, or the position and type of a printf conversion (`1:@`,
  /// `:d`).
  package let identity: String
  /// The placeholder as it appears in the text.
  package let text: String
  /// The range of UTF-8 offsets.
  package let range: Range<Int>

  package init(style: Style, identity: String, text: String, range: Range<Int>) {
    (self.style, self.identity, self.text, self.range) = (style, identity, text, range)
  }

  /// Returns the placeholders of a text in order. `%%` is an escaped percent sign, not a placeholder.
  package static func all(in text: String) -> [Placeholder] {
    var scanner = Scanner(bytes: Array(text.utf8))
    var found: [Placeholder] = []
    while let next = scanner.next() { found.append(next) }
    return found
  }

  private struct Scanner {
    let bytes: [UInt8]
    var at = 0

    private func byte(_ index: Int) -> UInt8 { bytes.indices.contains(index) ? bytes[index] : 0 }

    mutating func next() -> Placeholder? {
      while at < bytes.count {
        let found: Placeholder?
        switch byte(at) {
        case UInt8(ascii: "%") where byte(at + 1) == UInt8(ascii: "%"):
          at += 2
          continue
        // A percent sign after a digit, as in "50%de réduction", is only a placeholder if it has a position.
        case UInt8(ascii: "%") where at > 0 && UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte(at - 1):
          found = printf().flatMap { $0.text.utf8.contains(UInt8(ascii: "$")) ? $0 : nil }
        case UInt8(ascii: "%"): found = substitution() ?? printf()
        case UInt8(ascii: "{"): found = mustache() ?? braces(from: at)
        case UInt8(ascii: "$") where byte(at + 1) == UInt8(ascii: "{"): found = braces(from: at + 1)
        default: found = nil
        }
        if let found {
          at = found.range.upperBound
          return found
        }
        at += 1
      }
      return nil
    }

    private func placeholder(_ style: Style, _ identity: String, _ end: Int) -> Placeholder {
      Placeholder(
        style: style,
        identity: identity,
        text: String(decoding: bytes[at..<end], as: UTF8.self),
        range: at..<end
      )
    }

    /// Parses `%[position$][flags][width][.precision][length]type`.
    private func printf() -> Placeholder? {
      // The number in a substitution of a string catalog.
      if bytes[at...].starts(with: "%arg".utf8) { return placeholder(.substitution, "arg", at + 4) }
      var index = at + 1
      func digits() -> String {
        let start = index
        while UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte(index) { index += 1 }
        return String(decoding: bytes[start..<index], as: UTF8.self)
      }
      var position = digits()
      if byte(index) == UInt8(ascii: "$") {
        index += 1
      } else {
        position = ""
        index = at + 1
      }
      // A position without $ before an object: %1@ is a misspelled %1$@.
      if position.isEmpty, UInt8(ascii: "1")...UInt8(ascii: "9") ~= byte(index),
        byte(index + 1) == UInt8(ascii: "@")
      {
        return placeholder(.printf, "\(byte(index) - UInt8(ascii: "0"))?:@", index + 2)
      }
      // The dates and times of java.util.Formatter, and its other conversions, with a position: %1$tY, %2$b.
      if !position.isEmpty {
        let isDate =
          byte(index) | 0x20 == UInt8(ascii: "t")
          && UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte(index + 1) | 0x20
        if isDate { return placeholder(.printf, "\(position):t", index + 2) }
        if "bBhH".utf8.contains(byte(index)),
          !(UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte(index + 1) | 0x20)
        {
          return placeholder(.printf, "\(position):b", index + 1)
        }
      }
      // Unlike in printf, a space is not a flag: "50 % off" is ordinary text.
      while "-+0#,".utf8.contains(byte(index)) { index += 1 }
      func width() { if byte(index) == UInt8(ascii: "*") { index += 1 } else { _ = digits() } }
      width()
      if byte(index) == UInt8(ascii: ".") {
        index += 1
        width()
      }
      while "hlLqjzt".utf8.contains(byte(index)) { index += 1 }
      let type = byte(index)
      guard "@diouxXeEfFgGcCsSaAp".utf8.contains(type) else { return nil }
      // All integer conversions are equivalent in a translation.
      let kind = "dioux".utf8.contains(type) ? "d" : String(decoding: [type], as: UTF8.self)
      return placeholder(.printf, "\(position):\(kind)", index + 1)
    }

    /// Parses `%[position$]#@name@`.
    private func substitution() -> Placeholder? {
      var start = at + 1
      while UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte(start) { start += 1 }
      start = start > at + 1 && byte(start) == UInt8(ascii: "$") ? start + 1 : at + 1
      guard byte(start) == UInt8(ascii: "#"), byte(start + 1) == UInt8(ascii: "@"),
        let end = bytes[(start + 2)...].prefix(Self.maximumNameByteCount).firstIndex(of: UInt8(ascii: "@")),
        end > start + 2
      else { return nil }
      let name = String(decoding: bytes[(start + 2)..<end], as: UTF8.self)
      return isName(name) ? placeholder(.substitution, name, end + 1) : nil
    }

    private func mustache() -> Placeholder? {
      guard byte(at + 1) == UInt8(ascii: "{"),
        let end = bytes[(at + 2)...].prefix(Self.maximumNameByteCount).firstIndex(of: UInt8(ascii: "}")),
        byte(end + 1) == UInt8(ascii: "}")
      else { return nil }
      let name = String(decoding: bytes[(at + 2)..<end], as: UTF8.self).trimming { $0 == " " }
      return isName(name) ? placeholder(.mustache, name, end + 2) : nil
    }

    private func braces(from start: Int) -> Placeholder? {
      guard let end = bytes[start...].prefix(Self.maximumNameByteCount).firstIndex(of: UInt8(ascii: "}")),
        end > start + 1
      else { return nil }
      let name = String(decoding: bytes[(start + 1)..<end], as: UTF8.self).trimming { $0 == " " }
      return isName(name) ? placeholder(.braces, name, end + 1) : nil
    }

    /// The maximum length of a name with surrounding spaces, which bounds the search for its end.
    private static let maximumNameByteCount = 72

    private func isName(_ text: String) -> Bool {
      !text.isEmpty && text.utf8.count <= 64
        && text.unicodeScalars.allSatisfy {
          $0.properties.isAlphabetic || "0123456789_.-".unicodeScalars.contains($0)
        }
    }
  }
}
