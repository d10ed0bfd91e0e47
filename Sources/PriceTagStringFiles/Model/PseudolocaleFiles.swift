import PriceTagStrings
import PriceTagText

extension Pseudolocale {
  /// Returns the contents of a file in the pseudo-locale. Only the bytes of its texts, and `@@locale` of `.arb`, are
  /// changed.
  ///
  /// The language is added to a string catalog; a file of another format is converted to the language. Entries that are
  /// not translatable, malformed entries and malformed messages remain unchanged.
  public func contents(of file: StringsFile) -> [UInt8] {
    if file.format == .stringCatalog { return CatalogAddition(file: file, pseudolocale: self).contents }
    var replacements: [(range: Range<Int>, bytes: [UInt8])] = []
    let malformed = Set(file.problems.map(\.key))
    for entry in file.entries where entry.isTranslatable && !malformed.contains(entry.key) {
      for text in entry.texts {
        var (range, bytes) = (text.range, bytes(of: text, in: file))
        // An entry of .strings without a value: the text is the key, which must remain.
        if file.format == .strings, range.lowerBound <= entry.offset + 1 {
          let isQuoted = range.lowerBound > entry.offset
          let end = range.upperBound + (isQuoted ? 1 : 0)
          range = end..<end
          bytes = Array(" = \"\(AppleStrings.escaped(self.text(text.text), quote: "\""))\"".utf8)
        }
        replacements.append((range, bytes))
      }
    }
    if file.format == .arb {
      var cursor = JSONCursor(file.bytes)
      let name = language.identifier.replacing("-", with: "_")
      cursor.members { cursor, key, _ in
        guard key == "@@locale", cursor.next == UInt8(ascii: "\""), let range = cursor.text()?.range else {
          return
        }
        replacements.append((range, Array(name.utf8)))
      }
    }
    return file.replacing(replacements)
  }

  /// Returns the pseudo-translation of a text as the bytes of its file.
  private func bytes(of text: StringsFile.Text, in file: StringsFile) -> [UInt8] {
    switch file.format {
    case .formatJS, .arb: return jsonContent(icuMessage(text.text))
    // In a longer text, placeholders are not found.
    case .i18next where text.text.utf8.count > ParsedText.maximumByteCount:
      return Array(file.bytes[text.range])
    case .i18next:
      return jsonContent(self.text(text.text, placeholders: Placeholder.i18next(in: text.text)))
    case .stringCatalog: return jsonContent(self.text(text.text))
    case .stringsDictionary: return Array(escapedForHTML(self.text(text.text)).utf8)
    case .android:
      // Tags, entities and escape sequences are preserved.
      return Array(self.text(String(decoding: file.bytes[text.range], as: UTF8.self)).utf8)
    case .strings:
      let before = text.range.lowerBound > 0 ? file.bytes[text.range.lowerBound - 1] : 0
      if before == UInt8(ascii: ">") { return Array(escapedForHTML(self.text(text.text)).utf8) }
      let isQuoted = before == UInt8(ascii: "\"") || before == UInt8(ascii: "'")
      let escaped = AppleStrings.escaped(
        self.text(text.text),
        quote: isQuoted ? Unicode.Scalar(before) : "\""
      )
      return Array((isQuoted ? escaped : "\"\(escaped)\"").utf8)
    }
  }

  private func jsonContent(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendJSONContent(text)
    return bytes
  }
}
