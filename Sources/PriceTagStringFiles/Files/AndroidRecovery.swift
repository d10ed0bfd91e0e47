import PriceTag
import PriceTagStrings

extension StringsFile {
  /// Reads a file; if it is Android's `strings.xml` and not well-formed, without the malformed entries.
  ///
  /// - Returns: The file, and the entries that were omitted.
  static func recovering(
    contentsOf path: String
  ) throws(StringsError) -> (file: StringsFile, malformed: [AndroidRecovery.MalformedEntry]) {
    let failure: StringsError
    do throws(StringsError) { return (try StringsFile(contentsOf: path), []) } catch { failure = error }
    guard failure.code == .malformedFile, try Format(path: path) == .android else { throw failure }
    var recovery = AndroidRecovery(try bytes(of: path))
    guard let bytes = recovery.wellFormed(),
      let file = try? StringsFile(bytes, format: .android, language: language(ofPath: path))
    else { throw failure }
    return (file, recovery.malformed)
  }
}

/// Finds the entries of Android's `strings.xml` that are not well-formed, so that the others can be read.
///
/// An XML parser stops at a broken tag. Entries are never nested, so the next entry starts at the next `<string`,
/// `<plurals` or `<string-array`.
struct AndroidRecovery {
  /// An entry that is not well-formed.
  struct MalformedEntry {
    /// The first line of the entry.
    let line: Int
    /// The key, or an empty string if it cannot be determined.
    let key: String
    let problem: String
    let fix: String
  }

  private var bytes: [UInt8]
  private(set) var malformed: [MalformedEntry] = []

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Returns the file with spaces in place of the malformed entries, or `nil` if no entry is malformed.
  mutating func wellFormed() -> [UInt8]? {
    let starts = entryStarts()
    guard let first = starts.first else { return nil }
    let end = lastIndex(of: "</resources", from: first) ?? bytes.count
    var line = 1 + lineFeeds(0..<first)
    for (index, start) in starts.enumerated() {
      let next = min(index + 1 < starts.count ? starts[index + 1] : end, end)
      guard start < next else { break }
      check(start..<next, line: line)
      line += lineFeeds(start..<next)
    }
    return malformed.isEmpty ? nil : bytes
  }

  /// Returns the offsets at which entries start, outside comments, CDATA sections and processing instructions.
  private func entryStarts() -> [Int] {
    let skipped = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")].map {
      (Array($0.utf8), Array($1.utf8))
    }
    let names = AndroidStrings.entries.map { Array("<\($0)".utf8) }
    var starts: [Int] = []
    var at = 0
    while let found = bytes[at...].firstIndex(of: UInt8(ascii: "<")) {
      at = found + 1
      if let (_, closing) = skipped.first(where: { bytes[found...].starts(with: $0.0) }) {
        // An unclosed section belongs to the entry that contains it.
        if let end = index(of: closing, from: at) { at = end + closing.count }
      } else if names.contains(where: { isTag($0, at: found) }) {
        starts.append(found)
      }
    }
    return starts
  }

  private func isTag(_ tag: [UInt8], at place: Int) -> Bool {
    guard bytes[place...].starts(with: tag), place + tag.count < bytes.count else { return false }
    let next = bytes[place + tag.count]
    return next <= 0x20 || next == UInt8(ascii: ">") || next == UInt8(ascii: "/")
  }

  private func index(of text: [UInt8], from start: Int) -> Int? {
    var at = start
    while let found = bytes[at...].firstIndex(of: text[0]) {
      if bytes[found...].starts(with: text) { return found }
      at = found + 1
    }
    return nil
  }

  private func lastIndex(of text: String, from start: Int) -> Int? {
    let text = Array(text.utf8)
    var end = bytes.count
    while let found = bytes[start..<end].lastIndex(of: text[0]) {
      if bytes[found...].starts(with: text) { return found }
      end = found
    }
    return nil
  }

  private func lineFeeds(_ range: Range<Int>) -> Int { bytes[range].count { $0 == 0x0A } }

  /// Parses an entry separately. If it is malformed, records it and replaces it with spaces.
  private mutating func check(_ range: Range<Int>, line: Int) {
    let document = Array("<resources>".utf8) + bytes[range] + Array("</resources>".utf8)
    let problem: StringsError
    do throws(StringsError) {
      _ = try StringsFile.readAndroid(document, language: "")
      return
    } catch { problem = error }
    malformed.append(
      MalformedEntry(
        line: line,
        key: key(in: range),
        problem: "the entry is malformed: \(Self.withoutLineNumbers(problem.problem))",
        fix: problem.fix
      )
    )
    for place in range where bytes[place] != 0x0A { bytes[place] = 0x20 }
  }

  /// Returns the key of a malformed entry: the text after `name="` up to a character that cannot be part of a key.
  private func key(in range: Range<Int>) -> String {
    let name = Array(" name=\"".utf8)
    guard let found = index(of: name, from: range.lowerBound), found + name.count <= range.upperBound else {
      return ""
    }
    let text = bytes[(found + name.count)..<range.upperBound].prefix {
      $0 > 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: ">")
    }
    return text.count > 1000 ? "" : String(decoding: text, as: UTF8.self)
  }

  /// Removes `line 1` and the like from a parser's message, because its line numbers are relative to the entry.
  private static func withoutLineNumbers(_ problem: String) -> String {
    var words: [Substring] = []
    for word in problem.split(separator: " ") {
      if words.last == "line", let first = word.utf8.first, (0x30...0x39).contains(first) {
        words.removeLast()
        // Preserves text after the number, such as a closing bracket.
        let rest = word.drop { $0.isNumber }
        if !rest.isEmpty, let last = words.popLast() { words.append(last + rest) }
      } else {
        words.append(word)
      }
    }
    return words.joined(separator: " ")
  }
}
