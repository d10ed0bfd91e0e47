import PriceTag
import PriceTagStrings
import PriceTagText

/// A strings file: its bytes, and the texts in it with their places.
///
///     let file = try StringsFile(contentsOf: "fr.lproj/Localizable.strings")
///     file.language                       // "fr", from the path
///     file.entries.first?.texts.first     // the key's text, and its range in `file.bytes`
///
/// A malformed entry does not prevent the others from being read: it is one of the file's `problems`.
public struct StringsFile: Sendable {
  /// A file format. Raw values are those of `--as`.
  public enum Format: String, Hashable, Sendable, CaseIterable {
    /// ICU messages by key, which may be nested: FormatJS, next-intl.
    case formatJS = "formatjs"
    /// i18next's JSON, version 4: `{{name}}`, `$t(key)`, and a key with a suffix for each plural category.
    case i18next
    /// Flutter's application resource bundle: ICU messages and their metadata.
    case arb
    /// Apple's `.strings`: `"key" = "value";`, or a property list.
    case strings
    /// Apple's `.stringsdict`: a property list of plurals.
    case stringsDictionary = "stringsdict"
    /// Xcode's string catalog: all languages in one JSON file, with plural and device variations.
    case stringCatalog = "xcstrings"
    /// Android's `strings.xml`: strings, plurals and arrays.
    case android

    /// Whether the texts are ICU messages.
    var hasMessages: Bool { self == .formatJS || self == .arb }
  }

  /// What a text is in its entry. All properties are `nil` for the only text of an entry.
  public struct Role: Hashable, Sendable {
    /// The plural category, if the text is a plural branch.
    public var category: String?
    /// The kind of device or the width that the text is for.
    public var device: String?
    /// The name of the substitution (`%#@name@`) that the text belongs to.
    public var substitution: String?
    /// The position of an item of an array, from 0.
    public var item: Int?

    /// Creates a role.
    public init(
      category: String? = nil,
      device: String? = nil,
      substitution: String? = nil,
      item: Int? = nil
    ) {
      (self.category, self.device, self.substitution, self.item) = (category, device, substitution, item)
    }
  }

  /// A text in a file.
  public struct Text: Hashable, Sendable {
    /// The language; empty if it is unknown.
    public let language: String
    /// What the text is in its entry.
    public let role: Role
    /// The text, with the format's escape sequences resolved.
    public let text: String
    /// The range of the text in the file's bytes, without quotation marks or tags around it.
    public let range: Range<Int>
  }

  /// A key with its texts.
  public struct Entry: Sendable {
    /// The key. The parts of a nested key are joined with dots.
    public let key: String
    /// The kind of resource in `strings.xml`: a string and a plural with the same name are two resources.
    var kind = ""
    /// The offset of the key in the file's bytes.
    public let offset: Int
    /// The offset of the JSON object that the key is in: `{"a": {"b": …}, "a.b": …}` has `a.b` in two objects.
    var object = 0
    /// Whether the entry should be translated.
    public var isTranslatable = true
    /// Whether a string catalog marks the key as no longer present in the source code.
    var isStale = false
    /// Whether the plural branches are for ordinals (1st, 2nd).
    var isOrdinal = false
    /// The texts in the order of the file.
    public var texts: [Text] = []
    var substitutions: [Substitution] = []

    init(key: String, offset: Int) { (self.key, self.offset) = (key, offset) }

    /// What identifies the entry in its file.
    var id: String { kind.isEmpty ? key : "\(kind)\u{0}\(key)" }
  }

  /// A part of a text with its own plural: `%#@name@` in a string catalog or `.stringsdict` file.
  struct Substitution: Sendable {
    let language: String
    let name: String
    /// The number of the argument that selects the plural branch, from 1; `nil` if it follows from the order.
    var argument: Int?
    /// The format specifier of the argument, such as `lld`.
    var formatSpecifier: String?
  }

  /// Something in the file that cannot be read, or that the format's own tools reject or misread.
  public struct Problem: Hashable, Sendable {
    /// The rule that it violates.
    public let rule: LintFinding.Rule
    /// The offset in the file's bytes.
    public let offset: Int
    /// The key; empty if it concerns no key.
    public let key: String
    /// The language of the text, if it is not that of the file.
    var language: String?
    /// What is wrong.
    public let problem: String
    /// What to do, as an imperative.
    public let fix: String
    /// The range of the text, if there is one.
    var range: Range<Int>?
    /// Whether keys or problems after it are not in the file's entries and problems.
    var hidesRest = false
    /// Whether the key of an entry could not be read.
    var losesKey = false
  }

  /// The format of the file.
  public let format: Format
  /// The language of the file, or the source language of a string catalog; empty if unknown.
  public let language: String
  /// The contents in UTF-8. A binary property list is converted to XML.
  public let bytes: [UInt8]
  /// The entries in order. A file may contain a key several times.
  public let entries: [Entry]
  /// What is wrong in the file, in order.
  public let problems: [Problem]
  /// Whether each key of the file is in `entries` or `problems`.
  var isComplete: Bool { !problems.contains { $0.hidesRest || $0.losesKey || $0.rule == .unreadableFile } }
  /// The offsets of the lines.
  private let lineStarts: [Int]
  /// The number of characters before each block of 256 bytes, so that a column is found quickly in a long line.
  private let characterCounts: [Int]

  init(
    format: Format,
    language: String,
    bytes: [UInt8],
    entries: [Entry],
    problems: [Problem]
  ) {
    (self.format, self.language, self.bytes, self.entries) = (format, language, bytes, entries)
    self.problems = problems.sorted { $0.offset < $1.offset }
    var (starts, counts, count) = ([0], [0], 0)
    for (offset, byte) in bytes.enumerated() {
      if byte == 0x0A { starts.append(offset + 1) }
      if byte & 0xC0 != 0x80 { count += 1 }
      if offset % 256 == 255 { counts.append(count) }
    }
    (lineStarts, characterCounts) = (starts, counts)
  }

  /// Returns the line of an offset, and the column in characters, both from 1.
  public func place(of offset: Int) -> (line: Int, column: Int) {
    // The first line starts at 0, also for an offset before it.
    let line = max(1, lineStarts.partitioningIndex(where: { $0 > offset }))
    let start = lineStarts[line - 1]
    return (
      line,
      1 + characterCount(before: max(start, min(offset, bytes.count))) - characterCount(before: start)
    )
  }

  private func characterCount(before offset: Int) -> Int {
    characterCounts[offset / 256] + bytes[(offset & ~255)..<offset].count { $0 & 0xC0 != 0x80 }
  }

  /// Returns the file's contents with some ranges replaced. All other bytes are unchanged.
  ///
  /// - Parameter replacements: The ranges, which must not overlap, and their new contents.
  func replacing(_ replacements: [(range: Range<Int>, bytes: [UInt8])]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + bytes.count / 2)
    var end = 0
    for (range, replacement) in replacements.sorted(by: { $0.range.lowerBound < $1.range.lowerBound })
    where range.lowerBound >= end {
      result += bytes[end..<range.lowerBound]
      result += replacement
      end = range.upperBound
    }
    return result + bytes[end...]
  }
}
