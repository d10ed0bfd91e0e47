import Foundation

/// A minimal HTML parser for well-formed pages, which reads the elements, the title, and the structured data.
struct HTMLPage {
  /// The start tag of an element.
  struct Element {
    let name: String
    let attributes: [String: String]
  }

  private(set) var elements: [Element] = []
  /// The JSON-LD scripts.
  private(set) var structuredData: [Data] = []
  private(set) var title = ""

  /// Elements whose content is raw text.
  private static let rawText: Set<String> = ["script", "style", "title", "textarea"]

  init(_ data: Data) {
    let bytes = Array(data)
    var index = 0
    while let open = bytes[index...].firstIndex(of: UInt8(ascii: "<")) {
      index = open + 1
      guard index < bytes.count else { break }
      if bytes[index...].starts(with: "!--".utf8) {
        index = Self.end(of: "-->", in: bytes, from: index)
      } else if Self.isLetter(bytes[index]) {
        let element = Self.element(bytes, &index)
        elements.append(element)
        if Self.rawText.contains(element.name) { index = rawText(of: element, bytes, index) }
      }
    }
  }

  private mutating func rawText(of element: Element, _ bytes: [UInt8], _ start: Int) -> Int {
    let close = "</\(element.name)"
    let end = Self.end(of: close, in: bytes, from: start)
    let content = bytes[start..<max(start, end - close.utf8.count)]
    if element.name == "script", element.attributes["type"] == "application/ld+json" {
      structuredData.append(Data(content))
    }
    if element.name == "title", title.isEmpty { title = Self.unescaped(content) }
    return end
  }

  /// Returns the index after a text, or the end if it does not occur.
  private static func end(of text: String, in bytes: [UInt8], from start: Int) -> Int {
    let text = Array(text.utf8)
    var index = start
    while let found = bytes[index...].firstIndex(of: text[0]) {
      if bytes[found...].starts(with: text) { return found + text.count }
      index = found + 1
    }
    return bytes.count
  }

  private static func element(_ bytes: [UInt8], _ index: inout Int) -> Element {
    let name = word(bytes, &index)
    var attributes: [String: String] = [:]
    while index < bytes.count, bytes[index] != UInt8(ascii: ">") {
      guard !isSpace(bytes[index]), bytes[index] != UInt8(ascii: "/") else {
        index += 1
        continue
      }
      let attribute = word(bytes, &index)
      var value = ""
      if index < bytes.count, bytes[index] == UInt8(ascii: "=") {
        index += 1
        value = Self.value(bytes, &index)
      } else if attribute.isEmpty {
        index += 1
      }
      attributes[attribute] = value
    }
    index += 1
    return Element(name: name, attributes: attributes)
  }

  private static func word(_ bytes: [UInt8], _ index: inout Int) -> String {
    let start = index
    while index < bytes.count, !isSpace(bytes[index]), !"=>/".utf8.contains(bytes[index]) { index += 1 }
    return String(decoding: bytes[start..<index], as: UTF8.self).lowercased()
  }

  private static func value(_ bytes: [UInt8], _ index: inout Int) -> String {
    guard index < bytes.count else { return "" }
    let quote = bytes[index]
    let isQuoted = quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
    if isQuoted { index += 1 }
    let start = index
    while index < bytes.count,
      isQuoted ? bytes[index] != quote : !isSpace(bytes[index]) && bytes[index] != UInt8(ascii: ">")
    {
      index += 1
    }
    let value = unescaped(bytes[start..<min(index, bytes.count)])
    if isQuoted { index += 1 }
    return value
  }

  /// Replaces the character references that pages use.
  private static func unescaped(_ bytes: ArraySlice<UInt8>) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    guard bytes.contains(UInt8(ascii: "&")) else { return text }
    return [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")].reduce(text) {
      $0.replacing($1.0, with: $1.1)
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D
  }
}

/// The target of a link.
enum LinkTarget: Equatable {
  /// A file of the site, and the identifier of an element in it.
  case file(String, fragment: String?)
  /// Another site.
  case otherSite
  /// An address that pages must not contain, with the reason.
  case invalid(String)

  /// Resolves an address as a browser does.
  ///
  /// - Parameters:
  ///   - address: The address of the link.
  ///   - page: The path of the page in the site.
  ///   - site: The base address of the site, if it has one.
  init(_ address: String, on page: String, of site: String?) {
    if let site, address.hasPrefix(site) {
      self.init(String(address.dropFirst(site.count)), on: "index.html", of: nil)
      return
    }
    if let scheme = address.prefixMatch(of: #/([A-Za-z][A-Za-z0-9+.\-]*):/#) {
      self = ["http", "https", "mailto"].contains(scheme.1) ? .otherSite : .invalid("the scheme \(scheme.1)")
      return
    }
    guard !address.hasPrefix("/") else {
      self = .invalid("an address that is not relative")
      return
    }
    let parts = address.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    let path = parts[0].prefix { $0 != "?" }
    let fragment = parts.count > 1 ? String(parts[1]).removingPercentEncoding : nil
    guard !path.isEmpty else {
      self = .file(page, fragment: fragment)
      return
    }
    var folders = page.split(separator: "/").dropLast().map(String.init)
    let names = path.split(separator: "/", omittingEmptySubsequences: false)
    for (index, name) in names.enumerated() {
      switch name {
      case "..":
        guard folders.popLast() != nil else {
          self = .invalid("an address outside of the site")
          return
        }
        if index == names.count - 1 { folders.append("") }
      case ".": if index == names.count - 1 { folders.append("") }
      case "" where index < names.count - 1:
        self = .invalid("an empty folder")
        return
      default: folders.append(String(name).removingPercentEncoding ?? String(name))
      }
    }
    let file = folders.joined(separator: "/")
    self = .file(file.isEmpty || file.hasSuffix("/") ? file + "index.html" : file, fragment: fragment)
  }
}
