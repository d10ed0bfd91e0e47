import PriceTag
import PriceTagSystem
import PriceTagText

/// A message in a FormatJS file: `{"key": "text"}` or `{"key": {"defaultMessage": "text"}}`.
package struct FormatJSMessage {
  package let key: String
  package let line: Int
  package let text: String

  /// Returns the messages of a file in order.
  ///
  /// - Parameter bytes: The file's contents in UTF-8.
  /// - Throws: `.malformedFile`, with the line.
  package static func all(in bytes: [UInt8]) throws(StringsError) -> [FormatJSMessage] {
    var messages: [FormatJSMessage] = []
    for member in try JSONObject(stringsFile: bytes).members { messages.append(try FormatJSMessage(member)) }
    return messages
  }

  private init(_ member: JSONObject.Member) throws(StringsError) {
    (key, line) = (member.key, member.line)
    switch member.value {
    case .string(let message): text = message
    case .object(let object): text = try Self.text(of: object, member)
    default:
      throw Self.malformed(
        "the message must be a string or an object, not \(member.value.kind)",
        member,
        fix: "write a string, or an object with \"defaultMessage\""
      )
    }
  }

  private static func text(of object: JSONObject, _ member: JSONObject.Member) throws(StringsError) -> String
  {
    guard let message = object["defaultMessage"] else {
      let nested = object.members.first.map { member.key + "." + $0.key } ?? member.key
      throw malformed(
        "the field \"defaultMessage\" is missing",
        member,
        fix: "add it, or write nested keys on one level, such as \(quoted(nested))"
      )
    }
    guard case .string(let text) = message else {
      throw malformed(
        "the field \"defaultMessage\" must be a string, not \(message.kind)",
        member,
        fix: "write a string"
      )
    }
    return text
  }

  private static func malformed(_ problem: String, _ member: JSONObject.Member, fix: String) -> StringsError {
    StringsError(.malformedFile, problem, fix: fix, place: "line \(member.line), key \(quoted(member.key))")
  }
}

extension JSONObject {
  /// Parses a JSON strings file, which must contain an object.
  ///
  /// - Throws: `.malformedFile`, with the line.
  package init(stringsFile bytes: [UInt8]) throws(StringsError) {
    do throws(JSONError) {
      let value = try JSONReader.value(of: bytes)
      guard case .object(let object) = value else {
        throw JSONError(line: 1, problem: "the file must contain an object, not \(value.kind)")
      }
      self = object
    } catch {
      throw StringsError(
        .malformedFile,
        error.problem,
        fix: "correct the JSON",
        place: error.place()
      )
    }
  }
}
