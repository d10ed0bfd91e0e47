import PriceTag
import PriceTagStrings
import PriceTagText

extension StringsFile {
  /// Reads a file; if it is Android's `strings.xml` and not well-formed, without the malformed entries and without text
  /// between entries.
  ///
  /// - Returns: The file, and the entries and texts that were omitted.
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

/// Finds the entries of Android's `strings.xml` that are not well-formed, and the text between entries, so that the other
/// entries can be read.
///
/// An XML parser stops at a broken tag. Entries are never nested, so the next entry starts at the next `<string`,
/// `<plurals` or `<string-array`.
struct AndroidRecovery {
  /// An entry that is not well-formed, or a text between entries.
  struct MalformedEntry {
    /// The first line of the entry or text.
    let line: Int
    /// The key, or an empty string if it cannot be determined, and for a text.
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
    let starts = tagStarts(AndroidStrings.entries, before: bytes.count)
    guard let first = starts.first else { return nil }
    let ending = Array("</resources".utf8)
    let end =
      (first..<bytes.count).last { bytes[$0] == ending[0] && bytes[$0...].starts(with: ending) }
      ?? bytes.count
    if let head = headEnd(before: first) { removeText(in: head..<first, line: 1 + lineFeeds(0..<head)) }
    var line = 1 + lineFeeds(0..<first)
    for (index, start) in starts.enumerated() {
      let next = min(index + 1 < starts.count ? starts[index + 1] : end, end)
      guard start < next else { break }
      check(start..<next, line: line)
      line += lineFeeds(start..<next)
    }
    return malformed.isEmpty ? nil : bytes
  }

  /// Returns the offsets at which elements start, outside comments, CDATA sections and processing instructions.
  private func tagStarts(_ elements: [String], before end: Int) -> [Int] {
    let tags = elements.map { Array("<\($0)".utf8) }
    var starts: [Int] = []
    var unclosed: Set<[UInt8]> = []
    var at = 0
    while let found = bytes[at..<end].firstIndex(of: UInt8(ascii: "<")) {
      at = found + 1
      // An unclosed section belongs to the entry that contains it.
      if let sectionEnd = endOfSection(at: found, before: end, &unclosed) {
        at = sectionEnd
      } else if tags.contains(where: { isTag($0, at: found) }) {
        starts.append(found)
      }
    }
    return starts
  }

  private static let sections = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")].map {
    (opening: Array($0.utf8), closing: Array($1.utf8))
  }

  /// Returns the end of the comment, CDATA section or processing instruction that starts at an offset.
  ///
  /// - Parameter unclosed: The closings that do not follow, so that each is searched for only once.
  private func endOfSection(at place: Int, before end: Int, _ unclosed: inout Set<[UInt8]>) -> Int? {
    let section = Self.sections.first { bytes[place..<end].starts(with: $0.opening) }
    guard let closing = section?.closing, !unclosed.contains(closing) else { return nil }
    guard let found = index(of: closing, in: place + 1..<end) else {
      unclosed.insert(closing)
      return nil
    }
    return found + closing.count
  }

  /// Returns the end of the tag that starts at an offset. A `>` in the value of an attribute does not end it.
  private func endOfTag(at place: Int, before end: Int) -> Int? {
    var quote: UInt8?
    for at in place..<end {
      let byte = bytes[at]
      if let opening = quote {
        if byte == opening { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: ">") {
        return at + 1
      }
    }
    return nil
  }

  private func isTag(_ tag: [UInt8], at place: Int) -> Bool {
    guard bytes[place...].starts(with: tag), place + tag.count < bytes.count else { return false }
    let next = bytes[place + tag.count]
    return next <= 0x20 || next == UInt8(ascii: ">") || next == UInt8(ascii: "/")
  }

  private func index(of text: [UInt8], in range: Range<Int>) -> Int? {
    range.first { bytes[$0] == text[0] && bytes[$0..<range.upperBound].starts(with: text) }
  }

  private func lineFeeds(_ range: Range<Int>) -> Int { bytes[range].count { $0 == 0x0A } }

  /// Parses an entry separately, with what follows up to the next one. Records a text that follows, or else the malformed
  /// entry, and replaces it with spaces.
  private mutating func check(_ range: Range<Int>, line: Int) {
    if removeText(in: range, line: line) { return }
    guard let problem = problem(in: bytes[range]) else { return }
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

  /// Returns why a part of the file cannot be read.
  private func problem(in part: ArraySlice<UInt8>) -> StringsError? {
    let document = Array("<resources>".utf8) + part + Array("</resources>".utf8)
    do throws(StringsError) {
      _ = try StringsFile.readAndroid(document, language: "")
      return nil
    } catch { return error }
  }

  // MARK: Text between entries

  /// Returns the end of the tag `<resources>` before the first entry.
  private func headEnd(before first: Int) -> Int? {
    guard let tag = tagStarts(["resources"], before: first).first else { return nil }
    return endOfTag(at: tag, before: first)
  }

  /// Records the texts outside of elements and replaces them with spaces, if the rest can then be read.
  ///
  /// - Returns: Whether it can.
  @discardableResult
  private mutating func removeText(in range: Range<Int>, line: Int) -> Bool {
    if problem(in: bytes[range]) == nil { return true }
    let texts = textsOutsideElements(of: range)
    var rest = bytes[range]
    for place in texts.joined() where rest[place] != 0x0A { rest[place] = 0x20 }
    if problem(in: rest) != nil { return false }
    var textLine = line
    var counted = range.lowerBound
    for text in texts {
      textLine += lineFeeds(counted..<text.lowerBound)
      counted = text.lowerBound
      malformed.append(
        MalformedEntry(
          line: textLine,
          key: "",
          problem:
            "the text \(quoted(String(decoding: bytes[text], as: UTF8.self))) is not in <string> or <item>",
          fix:
            "remove it, or make it a comment (<!-- … -->), because pricetag strings pseudo rejects the file"
        )
      )
    }
    for place in range { bytes[place] = rest[place] }
    return true
  }

  /// Returns whether a `<` is the start of a tag or of another section, and not a character of a text.
  private func isMarkup(at place: Int) -> Bool {
    guard bytes[place] == UInt8(ascii: "<"), place + 1 < bytes.count else { return false }
    let next = bytes[place + 1]
    return "/!?".utf8.contains(next) || (0x41...0x5A).contains(next & 0xDF)
  }

  /// Returns the texts outside of elements, comments and instructions, without white space around them.
  private func textsOutsideElements(of range: Range<Int>) -> [Range<Int>] {
    var texts: [Range<Int>] = []
    var unclosed: Set<[UInt8]> = []
    var (at, depth) = (range.lowerBound, 0)
    while at < range.upperBound {
      let next = (at..<range.upperBound).first { isMarkup(at: $0) } ?? range.upperBound
      if depth == 0, let first = bytes[at..<next].firstIndex(where: { $0 > 0x20 }),
        let last = bytes[at..<next].lastIndex(where: { $0 > 0x20 })
      {
        texts.append(first..<last + 1)
      }
      guard next < range.upperBound else { break }
      if let end = endOfSection(at: next, before: range.upperBound, &unclosed) {
        if depth == 0, bytes[next...].starts(with: "<![CDATA[".utf8) { texts.append(next..<end) }
        at = end
        continue
      }
      guard let end = endOfTag(at: next, before: range.upperBound) else { break }
      if bytes[next...].starts(with: "</".utf8) {
        depth = max(0, depth - 1)
      } else if bytes[end - 2] != UInt8(ascii: "/") {
        depth += 1
      }
      at = end
    }
    return texts
  }

  /// Returns the key of a malformed entry: the text after `name="` up to a character that cannot be part of a key.
  private func key(in range: Range<Int>) -> String {
    let name = Array(" name=\"".utf8)
    guard let found = index(of: name, in: range) else { return "" }
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
