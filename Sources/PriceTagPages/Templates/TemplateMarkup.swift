/// A minimal HTML parser that finds the start tags of templates, for the Content-Security-Policy.
enum TemplateMarkup {
  /// A start tag; for `<script>` and `<style>` also the contents of the element.
  struct Element {
    let name: String
    let attributes: [(name: String, value: String)]
    let contents: String
    let line: Int

    subscript(name: String) -> String? { attributes.first { $0.name == name }?.value }
  }

  /// Returns the elements of a template, in order. Comments and Mustache tags are skipped.
  static func elements(of text: String) -> [Element] {
    var reader = Reader(bytes: Array(text.utf8))
    var elements: [Element] = []
    while !reader.isAtEnd {
      if reader.skip("{{!", through: "}}") || reader.skip("<!--", through: "-->") { continue }
      if reader.skip("{{", through: "}}") { continue }
      if let element = reader.element() { elements.append(element) } else { reader.position += 1 }
    }
    return elements
  }

  private struct Reader {
    let bytes: [UInt8]
    var position = 0
    /// The line at a position that was already counted.
    private var counted = (position: 0, line: 1)

    init(bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { position >= bytes.count }
    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    private func has(_ text: String, at position: Int) -> Bool {
      let end = position + text.utf8.count
      return end <= bytes.count && bytes[position..<end].elementsEqual(text.utf8)
    }

    /// Skips a construct that starts here, up to its end or the end of the text.
    mutating func skip(_ start: String, through end: String) -> Bool {
      guard has(start, at: position) else { return false }
      position += start.utf8.count
      while !isAtEnd, !has(end, at: position) { position += 1 }
      position = min(bytes.count, position + end.utf8.count)
      return true
    }

    mutating func element() -> Element? {
      guard current == UInt8(ascii: "<"), position + 1 < bytes.count, Self.isLetter(bytes[position + 1])
      else {
        return nil
      }
      let line = line(of: position)
      position += 1
      let name = word().lowercased()
      var attributes: [(name: String, value: String)] = []
      while let byte = current, byte != UInt8(ascii: ">") {
        if skip("{{", through: "}}") { continue }
        guard !Self.isBlank(byte), byte != UInt8(ascii: "/") else {
          position += 1
          continue
        }
        attributes.append((attributeName().lowercased(), attributeValue()))
      }
      position += 1
      let contents = name == "script" || name == "style" ? rawText(endedBy: "</\(name)") : ""
      return Element(name: name, attributes: attributes, contents: contents, line: line)
    }

    private mutating func word() -> String {
      let start = position
      while let byte = current, Self.isLetter(byte) || (0x30...0x39).contains(byte) || byte == 0x2D {
        position += 1
      }
      return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func attributeName() -> String {
      let start = position
      while let byte = current, !Self.isBlank(byte), ![0x3D, 0x3E, 0x2F].contains(byte),
        !has("{{", at: position)
      {
        position += 1
      }
      // Always advance, even over a character that cannot start a name.
      if position == start { position += 1 }
      return String(decoding: bytes[start..<min(position, bytes.count)], as: UTF8.self)
    }

    private mutating func attributeValue() -> String {
      var ahead = position
      while ahead < bytes.count, Self.isBlank(bytes[ahead]) { ahead += 1 }
      guard ahead < bytes.count, bytes[ahead] == UInt8(ascii: "=") else { return "" }
      position = ahead + 1
      while let byte = current, Self.isBlank(byte) { position += 1 }
      let quote = current.flatMap { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") ? $0 : nil }
      if quote != nil { position += 1 }
      let start = position
      while let byte = current {
        if let quote { if byte == quote { break } } else if Self.isBlank(byte) || byte == 0x3E { break }
        if !skip("{{", through: "}}") { position += 1 }
      }
      let value = String(decoding: bytes[start..<min(position, bytes.count)], as: UTF8.self)
      if quote != nil { position += 1 }
      return value
    }

    private mutating func rawText(endedBy end: String) -> String {
      let start = position
      while !isAtEnd {
        let piece = bytes[position..<min(position + end.utf8.count, bytes.count)]
        if String(decoding: piece, as: UTF8.self).lowercased() == end { break }
        position += 1
        while let byte = current, byte != UInt8(ascii: "<") { position += 1 }
      }
      return String(decoding: bytes[min(start, bytes.count)..<position], as: UTF8.self)
    }

    private mutating func line(of position: Int) -> Int {
      let more = bytes[counted.position..<position].count { $0 == UInt8(ascii: "\n") }
      counted = (position, counted.line + more)
      return counted.line
    }

    private static func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0C, 0x0D].contains(byte) }

    private static func isLetter(_ byte: UInt8) -> Bool {
      (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }
  }
}
