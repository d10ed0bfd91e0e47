import PriceTagStrings
import PriceTagText

/// The changes that add a language to a string catalog.
struct CatalogAddition {
  let file: StringsFile
  let pseudolocale: Pseudolocale

  private typealias Replacement = (range: Range<Int>, bytes: [UInt8])

  /// The ranges of an entry's objects.
  private struct Places {
    var entry = 0..<0
    var localizations: Range<Int>?
    var languages: [String: Range<Int>] = [:]
  }

  /// Returns the catalog with a localization in the pseudo-locale for each translatable entry: a copy of the source
  /// language's, with its texts replaced. All other bytes are unchanged.
  var contents: [UInt8] {
    var replacements: [Replacement] = []
    let places = places()
    for entry in file.entries where entry.isTranslatable {
      guard let place = places[entry.offset], isClosed(place.entry) else { continue }
      let name = pseudolocale.language.identifier
      let copy = localization(entry, place)
      if let old = place.languages[name] {
        replacements.append((old, copy))
      } else if let localizations = place.localizations {
        guard isClosed(localizations) else { continue }
        replacements.append(insertion(name, copy, into: localizations, margin: 8))
      } else {
        let inner = Array("{\n        \"\(name)\" : ".utf8) + copy + Array("\n      }".utf8)
        replacements.append(insertion("localizations", inner, into: place.entry, margin: 6))
      }
    }
    return file.replacing(replacements)
  }

  /// Returns whether an object is closed, which it is not in a damaged file.
  private func isClosed(_ object: Range<Int>) -> Bool {
    object.count > 1 && file.bytes[object.upperBound - 1] == UInt8(ascii: "}")
  }

  /// Returns the localization of an entry in the pseudo-locale.
  private func localization(_ entry: StringsFile.Entry, _ place: Places) -> [UInt8] {
    let original = place.languages[file.language] ?? 0..<0
    // If the language appears twice, the texts of one localization are outside the other.
    let texts = entry.texts.filter {
      $0.language == file.language && original.lowerBound <= $0.range.lowerBound
        && $0.range.upperBound <= original.upperBound
    }
    guard !texts.isEmpty else {
      let text = json(pseudolocale.text(entry.key))
      let unit = "{\n            \"state\" : \"translated\",\n            \"value\" : \(text)\n          }"
      return Array("{\n          \"stringUnit\" : \(unit)\n        }".utf8)
    }
    var copy: [UInt8] = []
    var end = original.lowerBound
    for text in texts.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      copy += file.bytes[end..<text.range.lowerBound]
      copy.appendJSONContent(pseudolocale.text(text.text))
      end = text.range.upperBound
    }
    return copy + file.bytes[end..<original.upperBound]
  }

  /// Returns the insertion of a member at the start of an object.
  private func insertion(_ name: String, _ value: [UInt8], into object: Range<Int>, margin: Int)
    -> Replacement
  {
    let start = object.lowerBound + 1
    let inside = file.bytes[start..<object.upperBound - 1]
    let indentation = String(repeating: " ", count: margin)
    let member = Array("\n\(indentation)\(json(name)) : ".utf8) + value
    if !inside.contains(where: { $0 > 0x20 }) {
      let outer = String(repeating: " ", count: margin - 2)
      return (start..<object.upperBound - 1, member + Array("\n\(outer)".utf8))
    }
    return (start..<start, member + [UInt8(ascii: ",")])
  }

  /// Returns the ranges of the objects of each entry, by the offset of its key.
  private func places() -> [Int: Places] {
    var all: [Int: Places] = [:]
    var cursor = JSONCursor(file.bytes)
    cursor.members { cursor, name, _ in
      guard name == "strings", cursor.next == UInt8(ascii: "{") else { return }
      cursor.members { cursor, _, offset in
        guard cursor.next == UInt8(ascii: "{") else { return }
        var places = Places()
        let start = cursor.at
        cursor.members { cursor, name, _ in
          guard name == "localizations", cursor.next == UInt8(ascii: "{") else { return }
          let start = cursor.at
          cursor.members { cursor, language, _ in
            let start = cursor.at
            cursor.skip()
            places.languages[language] = start..<cursor.at
          }
          places.localizations = start..<cursor.at
        }
        places.entry = start..<cursor.at
        all[offset] = places
      }
    }
    return all
  }
}
