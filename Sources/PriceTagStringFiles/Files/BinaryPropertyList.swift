import PriceTag
import PriceTagStrings
import PriceTagText

extension StringsFile {
  /// Reads a binary property list, the form of the `.strings` files that Xcode builds into an app.
  ///
  /// Line numbers are all 1. `text()` returns an XML property list.
  static func readBinaryPropertyList(_ bytes: [UInt8], language: String) throws(StringsError) -> StringsFile {
    let damaged = StringsError(
      .malformedFile,
      "the binary property list is damaged",
      fix: "write it again, or convert it to XML with: plutil -convert xml1"
    )
    guard let list = BinaryPropertyList(bytes), let top = list.object(list.topObject) else { throw damaged }
    guard case .dictionary(let members) = top else {
      throw StringsError(
        .malformedFile,
        "the binary property list does not contain a dictionary",
        fix: "use a dictionary with a string for each key"
      )
    }
    var file = StringsFile(format: .apple, language: language, entries: [])
    file.attributes = [Attribute(name: PropertyList.attribute, value: "\t")]
    // Several keys can refer to the same object, so a small file can contain a large amount of text.
    var remainingByteCount = 64 << 20
    for member in members {
      guard case .string(let key?)? = list.object(member.key), let value = list.object(member.value) else {
        throw damaged
      }
      guard case .string(let text) = value else {
        throw StringsError(
          .malformedFile,
          "the value is not a string",
          fix: "use a string for each key, and move plurals to a .stringsdict file or a string catalog",
          place: "key \(quoted(key))"
        )
      }
      guard let text else { throw damaged }
      remainingByteCount -= key.utf8.count + text.utf8.count
      guard remainingByteCount >= 0 else {
        throw StringsError(.malformedFile, "the strings are larger than 64 MB", fix: "split the file")
      }
      file.entries.append(
        Entry(key: key, localizations: [language: Localization(.text(text), line: 1)], line: 1)
      )
    }
    return file
  }
}
