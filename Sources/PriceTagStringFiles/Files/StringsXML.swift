import PriceTag
import PriceTagStrings
import PriceTagText
import PriceTagXML

// Reading XML with errors of type `StringsError`.
extension XMLReader {
  static func reading(_ bytes: [UInt8]) throws(StringsError) -> XMLReader {
    do throws(XMLError) { return try XMLReader(bytes) } catch { throw StringsError(error) }
  }

  /// Returns the next event, or `nil` after the last one.
  func nextEvent() throws(StringsError) -> XMLEvent? {
    do throws(XMLError) { return try next() } catch { throw StringsError(error) }
  }

  /// Reads the text of an element after its start tag, up to its end tag. Anything but text is an error.
  func text() throws(StringsError) -> String {
    do throws(XMLError) { return try textToEnd() } catch { throw StringsError(error) }
  }
}

extension [XMLAttribute] {
  /// The XML attributes as attributes of a strings file.
  var ofFile: [StringsFile.Attribute] { map { .init(name: $0.name, value: $0.value) } }
}

extension StringsError {
  fileprivate init(_ error: XMLError) {
    self.init(.malformedFile, error.problem, fix: error.fix, place: error.place)
  }

  /// Creates the error for a malformed XML document.
  static func malformedXML(
    _ problem: String,
    line: Int,
    key: String? = nil,
    fix: String = "correct the XML"
  ) -> StringsError {
    let key = key.map { ", key \(quoted($0))" } ?? ""
    return StringsError(.malformedFile, problem, fix: fix, place: "line \(line)\(key)")
  }
}
