import PriceTagStrings
import PriceTagText

/// The texts of a JSON file with their dotted keys, before its format is known.
///
/// A nested key is joined with dots, and the items of an array are numbered from 0. An object with `defaultMessage` is one
/// text.
struct MessageTree {
  struct Leaf {
    let key: String
    let offset: Int
    /// The offset of the object that the key is in.
    let object: Int
    /// The text; `nil` for a number, a boolean or `null`.
    let text: String?
    let range: Range<Int>
    /// The type of a value that is not a text.
    var kind = ""
  }

  private(set) var leaves: [Leaf] = []
  private(set) var problems: [StringsFile.Problem] = []
  /// The value of `@@locale`, which only an application resource bundle has.
  private(set) var locale: String?
  /// The keys of a string catalog at the top of the file.
  private(set) var isStringCatalog = false
  private var topKeys: Set<String> = []
  /// The fields at the top of the file whose names begin with @.
  private var metadata: [(key: String, isObject: Bool, leaves: Range<Int>)] = []
  private let maximumLeafCount: Int
  private var isFull = false

  /// The maximum size of a dotted key.
  private static let maximumKeyByteCount = 4 << 10

  init(_ bytes: [UInt8], format: StringsFile.Format? = nil, maximumLeafCount: Int = EntryList.maximumCount) {
    self.maximumLeafCount = maximumLeafCount
    var cursor = JSONCursor(bytes)
    if cursor.next == UInt8(ascii: "{") {
      object(&cursor, prefix: "")
      cursor.finish()
    } else {
      cursor.report(
        "the file must contain an object, not \(cursor.kind)",
        fix: "write an object with a text for each key",
        rule: .unreadableFile
      )
    }
    isStringCatalog = topKeys.isSuperset(of: ["sourceLanguage", "strings"])
    removeMetadata(isBundle: format == .arb || locale != nil)
    problems += cursor.problems
  }

  /// Removes the metadata of an application resource bundle: all keys that begin with @. Another file has such metadata
  /// only in objects, beside the key that they describe.
  private mutating func removeMetadata(isBundle: Bool) {
    for (key, isObject, range) in metadata.reversed()
    where isBundle || isObject && topKeys.contains(String(key.dropFirst())) {
      leaves.removeSubrange(range)
    }
  }

  private mutating func append(_ leaf: Leaf) {
    if leaves.count < maximumLeafCount { return leaves.append(leaf) }
    if !isFull { problems.append(EntryList.excess(at: leaf.offset)) }
    isFull = true
  }

  private mutating func object(_ cursor: inout JSONCursor, prefix: String) {
    /// Whether the value of each name is a text.
    var names: [String: Bool] = [:]
    let first = leaves.count
    var messageIndex: Int?
    cursor.members(acceptsRepeated: true) { cursor, name, offset in
      if prefix.isEmpty {
        topKeys.insert(name)
        if name == "@@locale", cursor.next == UInt8(ascii: "\"") {
          locale = cursor.text()?.text
          return
        }
      }
      guard prefix.utf8.count + name.utf8.count < Self.maximumKeyByteCount else {
        return cursor.report("a key is longer than 4 KB", fix: "write shorter keys", at: offset)
      }
      let key = prefix.isEmpty ? name : "\(prefix).\(name)"
      cursor.key = key
      // Two texts with one key are found among the entries.
      let isText = cursor.next == UInt8(ascii: "\"")
      if let wasText = names.updateValue(isText, forKey: name), !(wasText && isText) {
        cursor.report(
          "the key appears twice, and the first is lost",
          fix: "remove one",
          rule: .duplicateKey,
          at: offset
        )
      }
      let (index, isObject) = (leaves.count, cursor.next == UInt8(ascii: "{"))
      value(&cursor, key, offset)
      if name == "defaultMessage", messageIndex == nil, leaves.count == index + 1, leaves[index].key == key {
        messageIndex = index
      }
      if prefix.isEmpty, name.hasPrefix("@") { metadata.append((name, isObject, index..<leaves.count)) }
    }
    // The text of an object with a description is that of its key.
    if !prefix.isEmpty, let messageIndex {
      let message = leaves[messageIndex]
      leaves.removeSubrange(first...)
      leaves.append(
        Leaf(
          key: prefix,
          offset: message.offset,
          object: message.object,
          text: message.text,
          range: message.range,
          kind: message.kind
        )
      )
    }
  }

  private mutating func value(_ cursor: inout JSONCursor, _ key: String, _ offset: Int) {
    switch cursor.next {
    case UInt8(ascii: "\""):
      if let (text, range) = cursor.text() {
        append(Leaf(key: key, offset: offset, object: cursor.object, text: text, range: range))
      }
    case UInt8(ascii: "{"): object(&cursor, prefix: key)
    case UInt8(ascii: "["):
      cursor.items { cursor, index in value(&cursor, "\(key).\(index)", cursor.at) }
    default:
      let kind = cursor.kind
      // The cursor reports it.
      guard cursor.isAtValue else { return cursor.skip() }
      append(
        Leaf(key: key, offset: offset, object: cursor.object, text: nil, range: offset..<offset, kind: kind)
      )
      cursor.skip()
    }
  }

  // MARK: Format

  /// Decides the format of the file by its contents, and returns a key and text that show it, if any.
  ///
  /// `@@locale` makes it an application resource bundle, `sourceLanguage` and `strings` a string catalog. Otherwise, each
  /// text with `{{name}}` or `$t(…)` and each plural's key that ends in `_other` or `_plural` counts for i18next, and each
  /// other text with a brace for ICU messages. The higher count wins; ICU messages win a tie, and are shown only if other
  /// texts have the syntax of i18next, so that one of the two is read wrongly.
  var format: (format: StringsFile.Format, evidence: String?) {
    if isStringCatalog { return (.stringCatalog, nil) }
    if locale != nil { return (.arb, "@@locale") }
    var (i18next, messages, hasBoth) = (0, 0, false)
    var (evidence, message): (String?, String?)
    let families = PluralSuffix.families(of: leaves)
    for leaf in leaves {
      guard let text = leaf.text else { continue }
      let bytes = ByteSet(text)
      let isPlural =
        ["_other", "_plural"].contains { leaf.key.hasSuffix($0) }
        && PluralSuffix(leaf.key).map { families.contains($0.key) } == true
      let hasSyntax =
        bytes.contains("{") && Self.hasInterpolation(text) || bytes.contains("$") && text.contains("$t(")
      hasBoth = hasBoth || hasSyntax
      if message == nil, bytes.contains("{"), !text.contains("{{") { message = text }
      if isPlural || hasSyntax {
        i18next += 1
        if evidence == nil { evidence = isPlural ? leaf.key : text }
      } else if bytes.contains("{") {
        messages += 1
      }
    }
    return i18next > messages ? (.i18next, evidence) : (.formatJS, hasBoth ? message : nil)
  }

  /// Returns whether a text contains `{{name}}` of i18next, and no plural or select of ICU, whose branches may also begin
  /// with two braces.
  private static func hasInterpolation(_ text: String) -> Bool {
    guard text.contains("{{"), !text.contains(", plural,"), !text.contains(", select") else { return false }
    let bytes = Array(text.utf8)
    return bytes.indices.dropLast(4).contains { start in
      guard bytes[start...].starts(with: "{{".utf8) else { return false }
      let name = bytes[(start + 2)...].prefix(200).prefix {
        $0 != UInt8(ascii: "{") && $0 != UInt8(ascii: "}")
      }
      return name.contains { $0 >= 0x30 } && bytes[name.endIndex...].starts(with: "}}".utf8)
    }
  }
}

extension StringsFile {
  /// Creates a file of ICU messages: FormatJS, next-intl or an application resource bundle.
  static func messages(_ tree: MessageTree, _ bytes: [UInt8], format: Format, language: String) -> StringsFile
  {
    var entries: [Entry] = []
    var problems = ProblemList(tree.problems)
    let language = format == .arb ? tree.locale.map { languageTag($0) ?? $0 } ?? language : language
    for leaf in tree.leaves {
      guard let text = leaf.text else {
        // A text that is null has not been translated yet.
        if leaf.kind != "null" {
          problems.report(
            "the message must be a string, not \(leaf.kind)",
            "write it in quotation marks",
            key: leaf.key,
            at: leaf.offset
          )
        }
        continue
      }
      var entry = Entry(key: leaf.key, offset: leaf.offset)
      entry.object = leaf.object
      entry.texts = [Text(language: language, role: Role(), text: text, range: leaf.range)]
      entries.append(entry)
    }
    return StringsFile(
      format: format,
      language: language,
      bytes: bytes,
      entries: entries,
      problems: problems.problems
    )
  }
}
