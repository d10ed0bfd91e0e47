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

  init(_ bytes: [UInt8]) {
    var cursor = JSONCursor(bytes)
    if cursor.next == UInt8(ascii: "{") {
      object(&cursor, prefix: "")
    } else {
      cursor.report(
        "the file must contain an object, not \(cursor.kind)",
        fix: "write an object with a text for each key",
        rule: .unreadableFile
      )
    }
    isStringCatalog = topKeys.isSuperset(of: ["sourceLanguage", "strings"])
    problems += cursor.problems
  }

  private mutating func object(_ cursor: inout JSONCursor, prefix: String) {
    var objects: Set<String> = []
    let first = leaves.count
    cursor.members { cursor, name, offset in
      // The metadata of an application resource bundle.
      if prefix.isEmpty {
        topKeys.insert(name)
        if name.hasPrefix("@") {
          if name == "@@locale", cursor.next == UInt8(ascii: "\"") { locale = cursor.text()?.text }
          return
        }
      }
      let key = prefix.isEmpty ? name : "\(prefix).\(name)"
      cursor.key = key
      if "{[".utf8.contains(cursor.next), !objects.insert(name).inserted {
        cursor.report(
          "the key appears twice, and the first is lost",
          fix: "remove one",
          rule: .duplicateKey,
          at: offset
        )
      }
      value(&cursor, key, offset)
    }
    // The text of an object with a description is that of its key.
    if !prefix.isEmpty, let message = leaves[first...].first(where: { $0.key == prefix + ".defaultMessage" })
    {
      leaves.removeSubrange(first...)
      leaves.append(
        Leaf(
          key: prefix,
          offset: message.offset,
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
        leaves.append(Leaf(key: key, offset: offset, text: text, range: range))
      }
    case UInt8(ascii: "{"): object(&cursor, prefix: key)
    case UInt8(ascii: "["):
      cursor.items { cursor, index in value(&cursor, "\(key).\(index)", cursor.at) }
    default:
      let kind = cursor.kind
      leaves.append(Leaf(key: key, offset: offset, text: nil, range: offset..<offset, kind: kind))
      cursor.skip()
    }
  }

  // MARK: Format

  /// Decides the format of the file by its contents, and returns a key and text that show it, if any.
  ///
  /// `@@locale` makes it an application resource bundle, `sourceLanguage` and `strings` a string catalog. Otherwise, each
  /// text with `{{…}}` or `$t(…)` and each key that ends in `_other` or `_plural` counts for i18next, and each text with
  /// `{name}` or `{name, …}` for ICU messages. The higher count wins; ICU messages win a tie.
  var format: (format: StringsFile.Format, evidence: String?) {
    if isStringCatalog { return (.stringCatalog, nil) }
    if locale != nil { return (.arb, "@@locale") }
    var (i18next, messages) = (0, 0)
    var evidence: String?
    for leaf in leaves {
      guard let text = leaf.text else { continue }
      let bytes = ByteSet(text)
      let isPlural = ["_other", "_plural"].contains { leaf.key.hasSuffix($0) }
      let hasSyntax =
        bytes.contains("{") && text.contains("{{") || bytes.contains("$") && text.contains("$t(")
      if isPlural || hasSyntax {
        i18next += 1
        if evidence == nil { evidence = isPlural ? leaf.key : text }
      } else if bytes.contains("{") {
        messages += 1
      }
    }
    return i18next > messages ? (.i18next, evidence) : (.formatJS, nil)
  }
}

extension StringsFile {
  /// Creates a file of ICU messages: FormatJS, next-intl or an application resource bundle.
  static func messages(_ tree: MessageTree, _ bytes: [UInt8], format: Format, language: String) -> StringsFile
  {
    var entries = EntryList()
    var problems = tree.problems
    let language = format == .arb ? tree.locale.map { languageTag($0) ?? $0 } ?? language : language
    for leaf in tree.leaves {
      guard let text = leaf.text else {
        // A text that is null has not been translated yet.
        if leaf.kind != "null" {
          problems.append(
            Problem(
              rule: .malformedEntry,
              offset: leaf.offset,
              key: leaf.key,
              problem: "the message must be a string, not \(leaf.kind)",
              fix: "write it in quotation marks"
            )
          )
        }
        continue
      }
      var entry = Entry(key: leaf.key, offset: leaf.offset)
      entry.texts = [Text(language: language, role: Role(), text: text, range: leaf.range)]
      entries.append(entry)
    }
    return StringsFile(
      format: format,
      language: language,
      bytes: bytes,
      entries: entries.entries,
      problems: problems + entries.problems
    )
  }
}
