import PriceTag
import PriceTagStrings
import PriceTagText
import PriceTagXML

/// XML as files of strings read it: failures are those of a file of strings.
extension XMLReader {
  static func reading(_ bytes: [UInt8]) throws(StringsError) -> XMLReader {
    do throws(XMLError) { return try XMLReader(bytes) } catch { throw StringsError(error) }
  }

  /// The next event; `nil` behind the last.
  func nextEvent() throws(StringsError) -> XMLEvent? {
    do throws(XMLError) { return try next() } catch { throw StringsError(error) }
  }

  /// The text inside the element that has just started, to its end; anything but text is rejected.
  func text() throws(StringsError) -> String {
    do throws(XMLError) { return try textToEnd() } catch { throw StringsError(error) }
  }
}

extension [XMLAttribute] {
  /// The attributes of an element, as a file stores them.
  var ofFile: [StringsFile.Attribute] { map { .init(name: $0.name, value: $0.value) } }
}

extension StringsError {
  fileprivate init(_ error: XMLError) {
    self.init(.malformedFile, error.problem, fix: error.fix, place: error.place)
  }

  /// An XML document that breaks a rule.
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
