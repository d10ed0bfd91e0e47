import PriceTagStrings
import PriceTagText

/// A text with what the rules look for in it, each found once.
final class ParsedText {
  let text: String
  let role: StringsFile.Role
  /// The range in the file.
  let range: Range<Int>
  private let format: StringsFile.Format
  private let language: UILanguage?

  init(_ text: StringsFile.Text, format: StringsFile.Format, language: UILanguage?) {
    (self.text, role, range) = (text.text, text.role, text.range)
    (self.format, self.language) = (format, language)
  }

  var category: String? { role.category }

  private(set) lazy var bytes = ByteSet(text)

  /// The compiled message, or why ICU rejects it; `nil` if the text has no syntax of messages.
  private(set) lazy var compilation: Result<CompiledMessage, StringsError>? = {
    guard format.hasMessages,
      bytes.contains("{") || bytes.contains("}") || bytes.contains("\0")
    else { return nil }
    // Flutter's messages have no quoting, unless a project asks for it.
    let isLiteral = format == .arb && !text.contains("'{'") && !text.contains("'}'")
    let source = isLiteral ? text.replacing("'", with: "’") : text
    do throws(StringsError) {
      return .success(try CompiledMessage.forLint(source, language: language ?? .development))
    } catch { return .failure(error) }
  }()

  var message: CompiledMessage? { if case .success(let message)? = compilation { message } else { nil } }

  private(set) lazy var prose = message.map { LintProse(prose: $0.prose) } ?? LintProse(text, format: format)

  /// The placeholders, identified by their names.
  private(set) lazy var identities: [Identity] = {
    if format.hasMessages {
      return message?.arguments.map { Identity(name: $0.name, text: "{\($0.name)}") } ?? []
    }
    let placeholders = prose.placeholders
    // Without explicit positions, the order determines them: %@ is equivalent to %1$@.
    let hasPositions = placeholders.contains { $0.style == .printf && !$0.identity.hasPrefix(":") }
    var position = 0
    return placeholders.map { placeholder in
      guard placeholder.style == .printf else {
        return Identity(name: placeholder.identity, text: placeholder.text)
      }
      position += 1
      let name = hasPositions ? placeholder.identity : "\(position)\(placeholder.identity)"
      return Identity(name: name, text: placeholder.text)
    }
  }()

  /// Whether some conversions of printf have positions, and others do not.
  var mixesPositions: Bool {
    let conversions = format.hasMessages ? [] : prose.placeholders.filter { $0.style == .printf }
    return Set(conversions.map { $0.identity.hasPrefix(":") }).count > 1
  }

  private(set) lazy var tags: Tags = {
    let hasTags = bytes.contains("<") && bytes.contains(">") && text.utf8.count <= Self.maximumByteCount
    return hasTags ? Tags(text, format: format) : Tags()
  }()

  /// The maximum size of a text in which tags and placeholders of i18next are found, which bounds the time.
  static let maximumByteCount = 1 << 16

  /// The apostrophe that quotes syntax, if any.
  private(set) lazy var swallowedQuote: SwallowedQuote? =
    format == .formatJS && bytes.contains("'") ? SwallowedQuote(text, quotesTags: true) : nil

  /// The maximum number of characters displayed, without the values of arguments.
  private(set) lazy var length = message?.maximumLiteralCount ?? prose.text.count { $0 != "\u{FFFC}" }

  var isBlank: Bool { text.unicodeScalars.allSatisfy(\.properties.isWhitespace) }

  /// A placeholder, identified by its name only.
  struct Identity: Hashable {
    let name: String
    let text: String

    static func == (first: Identity, second: Identity) -> Bool { first.name == second.name }
    func hash(into hasher: inout Hasher) { hasher.combine(name) }
  }
}

/// The tags in a text, such as `<b>` and `<link>`.
struct Tags {
  /// The names of all tags.
  private(set) var names: Set<String> = []
  /// The names of start tags without an end tag, and of end tags without a start tag.
  private(set) var unclosed: [String] = []
  private(set) var unopened: [String] = []

  /// The elements of HTML that have no end tag, and that texts have.
  static let voidElements: Set = ["br", "hr", "img", "input", "wbr"]

  init() {}

  init(_ text: String, format: StringsFile.Format) {
    // The name of a tag in i18next may be a number: <0>.
    let acceptsNumbers = format == .i18next
    let bytes = Array(text.utf8)
    var open: [String] = []
    // How often each name is in `open`, which is searched only for a name that it has.
    var counts: [String: Int] = [:]
    var at = 0
    while let start = bytes[at...].firstIndex(of: UInt8(ascii: "<")) {
      at = start + 1
      // An apostrophe before it quotes a tag; two are one of the text.
      if format == .formatJS,
        !bytes[..<start].reversed().prefix(while: { $0 == UInt8(ascii: "'") }).count.isMultiple(of: 2)
      {
        continue
      }
      let isEnd = at < bytes.count && bytes[at] == UInt8(ascii: "/")
      let nameStart = isEnd ? at + 1 : at
      let name = bytes[nameStart...].prefix {
        $0 >= 0x80 || "_-.:".utf8.contains($0) || (0x41...0x5A).contains($0 & 0xDF)
          || (0x30...0x39).contains($0)
      }
      guard let first = name.first,
        let close = bytes[name.endIndex...].prefix(500).firstIndex(of: UInt8(ascii: ">")),
        (0x41...0x5A).contains(first & 0xDF)
          || acceptsNumbers && name.allSatisfy({ (0x30...0x39).contains($0) }),
        close == name.endIndex || " /\n".utf8.contains(bytes[name.endIndex])
      else { continue }
      let text = String(decoding: name, as: UTF8.self)
      at = close + 1
      names.insert(text)
      if bytes[close - 1] == UInt8(ascii: "/"), !isEnd { continue }
      if !isEnd {
        open.append(text)
        counts[text, default: 0] += 1
      } else if counts[text] ?? 0 > 0, let index = open.lastIndex(of: text) {
        unclosed += open[(index + 1)...]
        for name in open[index...] { counts[name, default: 1] -= 1 }
        open.removeSubrange(index...)
      } else {
        unopened.append(text)
      }
    }
    unclosed += open
  }

  var isBalanced: Bool { unclosed.isEmpty && unopened.isEmpty }
}

/// The texts of the development language, parsed once for all translations.
final class LintSource {
  struct Entry {
    let entry: StringsFile.Entry
    let texts: [ParsedText]
  }

  let file: StringsFile
  let language: String
  /// The keys of problems.
  let problemKeys: Set<String>
  /// The keys whose localization cannot be read.
  let damaged: Set<String>
  /// Whether each key of the file is known.
  let isComplete: Bool
  let texts: TextsByLanguage
  private let index: [String: Int]
  private var entries: [Entry?]

  init(_ file: StringsFile, language: String) {
    (self.file, self.language, texts) = (file, language, TextsByLanguage(file))
    problemKeys = Set(file.problems.map(\.key))
    isComplete = file.isComplete
    damaged = Set(file.problems.filter { $0.language == language }.map(\.key))
    index = Dictionary(file.entries.enumerated().lazy.map { ($1.id, $0) }) { _, last in last }
    entries = Array(repeating: nil, count: file.entries.count)
  }

  /// The keys of entries with plural branches.
  var plurals: Set<String> {
    guard file.format == .i18next else { return [] }
    return Set(file.entries.filter { $0.texts.first?.role.category != nil }.map(\.key))
  }

  func contains(_ id: String) -> Bool { index[id] != nil }

  subscript(id: String) -> Entry? {
    guard let place = index[id] else { return nil }
    if let entry = entries[place] { return entry }
    let uiLanguage = try? UILanguage(language)
    let entry = file.entries[place]
    let parsed = Entry(
      entry: entry,
      texts: texts.texts(of: place, in: language).map {
        ParsedText($0, format: file.format, language: uiLanguage)
      }
    )
    entries[place] = parsed
    return parsed
  }
}

/// The texts of a file by entry and, in a string catalog, by language: a catalog with many languages is grouped once.
struct TextsByLanguage {
  private let file: StringsFile
  /// The texts of each language in the order of the file.
  private var places: [String: [(entry: Int32, text: Int32)]] = [:]

  init(_ file: StringsFile) {
    self.file = file
    guard file.format == .stringCatalog else { return }
    for (index, entry) in file.entries.enumerated() {
      for (text, value) in entry.texts.enumerated() {
        places[value.language, default: []].append(
          (Int32(truncatingIfNeeded: index), Int32(truncatingIfNeeded: text))
        )
      }
    }
  }

  /// The languages of a string catalog, sorted.
  var languages: [String] { places.keys.sorted() }

  /// Returns the texts of an entry in a language. In a string catalog, a key without a text in the source language is
  /// itself the text.
  func texts(of index: Int, in language: String) -> [StringsFile.Text] {
    let entry = file.entries[index]
    guard file.format == .stringCatalog else { return entry.texts }
    let places = self.places[language] ?? []
    let rest = places[places.partitioningIndex(where: { $0.entry >= index })...]
    let texts = rest.prefix { $0.entry == index }.map { entry.texts[Int($0.text)] }
    if !texts.isEmpty || language != file.language { return texts }
    return [.init(language: language, role: .init(), text: entry.key, range: entry.offset..<entry.offset)]
  }
}
