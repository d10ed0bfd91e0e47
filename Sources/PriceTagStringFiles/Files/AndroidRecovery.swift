import PriceTag
import PriceTagStrings

extension StringsFile {
  /// Reads a file as far as it can be read: of Android's XML, without the entries that are not well-formed.
  ///
  /// - Returns: The file, and the entries that were left out.
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
/// A parser loses its way at a broken tag; entries do not stand in each other, so each starts anew at the next
/// `<string`, `<plurals` or `<string-array`.
struct AndroidRecovery {
  /// An entry that cannot be read.
  struct MalformedEntry {
    /// The line that it starts on.
    let line: Int
    /// Its key; empty where that cannot be read either.
    let key: String
    let problem: String
    let fix: String
  }

  private var bytes: [UInt8]
  private(set) var malformed: [MalformedEntry] = []

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The file with spaces in the place of entries that are not well-formed; `nil` where none is to blame.
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

  /// Where entries start, outside of comments, character data and instructions.
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
        // One that is not closed is part of the entry that it stands in.
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

  /// Reads an entry alone; one that cannot be read is noted, and its place is left empty.
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
        problem: "the entry cannot be read: \(Self.withoutLines(problem.problem))",
        fix: problem.fix
      )
    )
    for place in range where bytes[place] != 0x0A { bytes[place] = 0x20 }
  }

  /// The key of a broken entry: what stands after its `name=`, up to the quote or what cannot be in a name.
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

  /// A parser's message without the lines that it counts from the entry: `line 1`.
  private static func withoutLines(_ problem: String) -> String {
    var words: [Substring] = []
    for word in problem.split(separator: " ") {
      if words.last == "line", let first = word.utf8.first, (0x30...0x39).contains(first) {
        words.removeLast()
        // What follows the number, such as a closing bracket, stays.
        let rest = word.drop { $0.isNumber }
        if !rest.isEmpty, let last = words.popLast() { words.append(last + rest) }
      } else {
        words.append(word)
      }
    }
    return words.joined(separator: " ")
  }
}
