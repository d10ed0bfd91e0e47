import Foundation
import Testing

/// A search through the bytes of a page, from its start to its end.
///
///     var search = PageSearch(page)
///     while search.skip(past: "<h2>"), let text = search.text(before: "</h2>") { headings.append(text) }
///
/// Tests of many pages use it, because a regular expression takes many times as long in a debug build.
struct PageSearch {
  private let bytes: [UInt8]
  private var position = 0

  init(_ page: String) { bytes = Array(page.utf8) }

  /// Moves to the end of the next occurrence of a text.
  ///
  /// - Returns: Whether there is one. If not, the position stays.
  mutating func skip(past text: String) -> Bool {
    guard let start = start(of: text) else { return false }
    position = start + text.utf8.count
    return true
  }

  /// Moves to the end of a text if the page continues with it.
  ///
  /// - Returns: Whether it does.
  mutating func skip(_ text: String) -> Bool {
    guard bytes[position...].starts(with: text.utf8) else { return false }
    position += text.utf8.count
    return true
  }

  /// Returns the text up to the next occurrence of another one, and moves there; `nil` if there is none.
  mutating func text(before end: String) -> String? {
    guard let start = start(of: end) else { return nil }
    defer { position = start }
    return String(decoding: bytes[position..<start], as: UTF8.self)
  }

  /// Returns the position of the next occurrence of a text that is not empty.
  private func start(of text: String) -> Int? {
    let pattern = Array(text.utf8)
    return bytes.withUnsafeBytes { page -> Int? in
      guard let start = page.baseAddress, let first = pattern.first else { return nil }
      var index = position
      while index + pattern.count <= page.count {
        let count = page.count - pattern.count - index + 1
        guard let found = memchr(start + index, Int32(first), count) else { return nil }
        index = start.distance(to: UnsafeRawPointer(found))
        if memcmp(start + index, pattern, pattern.count) == 0 { return index }
        index += 1
      }
      return nil
    }
  }

  // MARK: Pages

  /// Returns the values of an attribute in a page, in order.
  static func values(of attribute: String, in page: String) -> [String] {
    var search = PageSearch(page)
    var values: [String] = []
    while search.skip(past: " \(attribute)=\""), let value = search.text(before: "\"") {
      values.append(value)
    }
    return values
  }

  /// Returns the title of a page; `nil` if it has none.
  static func title(of page: String) -> String? {
    var search = PageSearch(page)
    return search.skip(past: "<title>") ? search.text(before: "</title>") : nil
  }

  /// Returns the first structured data of a page.
  static func jsonLD(_ page: String) throws -> [String: Any] {
    var search = PageSearch(page)
    let text = search.skip(past: "application/ld+json\">") ? search.text(before: "</script>") : nil
    let data = try JSONSerialization.jsonObject(with: Data(try #require(text).utf8))
    return try #require(data as? [String: Any])
  }

  /// Returns the number of elements of a page.
  static func elementCount(of page: String) -> Int {
    let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
    var search = PageSearch(page)
    var count = 0
    while search.skip(past: "<") {
      if search.position < search.bytes.count, letters.contains(search.bytes[search.position]) { count += 1 }
    }
    return count
  }

  /// Returns a page without its tags.
  static func withoutTags(_ page: String) -> String {
    var search = PageSearch(page)
    var text = ""
    while let part = search.text(before: "<") {
      text += part
      guard search.skip(past: ">") else { break }
    }
    return text + String(decoding: search.bytes[search.position...], as: UTF8.self)
  }
}
