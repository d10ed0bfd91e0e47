import PriceTag
import PriceTagText

/// Rows of messages to be formatted: `{"language":"ru","message":"…","args":{…}}`, or `key` in place of `message`.
package struct MessageRows {
  private let strings: StoreStrings
  private let isolation: Isolation
  /// Of rows that name none.
  private let language: String
  /// Messages that were read so far, by language and text.
  private var messages: [[String]: Message] = [:]
  private var keptBytes = 0

  /// Of texts that are kept.
  private static let mostBytes = 1 << 20

  package init(strings: StoreStrings, language: String, isolation: Isolation) {
    self.strings = strings
    self.language = language
    self.isolation = isolation
  }

  /// The row with `text`, or `error` saying why there is none, behind its own fields.
  package mutating func answer(
    _ row: String,
    _ reader: inout MessageArgumentsReader
  ) -> (line: String, error: StringsError?) {
    let object: JSONObject
    do throws(StringsError) { object = try Self.object(row) } catch {
      // What is no object cannot take a field: it is put into one.
      return (jsonObject([("row", json(row)), ("error", json(error.description))]), error)
    }
    func appending(_ name: String, _ value: String) -> String {
      guard let end = row.lastIndex(of: "}") else { return row }
      return "\(row[..<end])\(object.members.isEmpty ? "" : ",")\(json(name)):\(json(value))}"
    }
    do throws(StringsError) {
      return (appending("text", try text(object, &reader)), nil)
    } catch {
      return (appending("error", error.description), error)
    }
  }

  private static func object(_ row: String) throws(StringsError) -> JSONObject {
    var row = row
    let value = row.withUTF8 { bytes in Result { () throws(JSONError) in try JSONReader.value(of: bytes) } }
    switch value {
    case .success(.object(let object)):
      if let taken = object.members.first(where: { $0.key == "text" || $0.key == "error" }) {
        throw invalid("the row has a field \(quoted(taken.key)) already", fix: "remove it")
      }
      return object
    case .success(let other): throw invalid("the row is \(other.kind)", fix: "write an object a line")
    case .failure(let error):
      throw invalid("the row is no JSON: \(error.problem) (\(error.place()))", fix: "write an object a line")
    }
  }

  private mutating func text(
    _ object: JSONObject,
    _ reader: inout MessageArgumentsReader
  ) throws(StringsError) -> String {
    let known = ["language", "message", "key", "args"]
    func string(_ name: String) throws(StringsError) -> String? {
      switch object[name] {
      case nil: return nil
      case .string(let text)?: return text
      case let other?: throw Self.invalid("\(quoted(name)) is \(other.kind)", fix: "give a string")
      }
    }
    let language = try string("language") ?? self.language
    let (text, key) = (try string("message"), try string("key"))
    guard (text == nil) != (key == nil) else {
      let misspelt = object.members.map(\.key).first { !known.contains($0) }
      throw Self.invalid(
        text == nil ? "the row has no message" : "the row has both a message and a key",
        fix: "give one of message and key"
          + (text == nil ? misspelt.map { didYouMean($0, among: known) } ?? "" : "")
      )
    }
    let message = try message(text ?? "", key, language: language)
    let arguments = try object["args"].map { (value) throws(StringsError) in try reader.arguments(value) }
    return try message.string(arguments ?? [:], isolation: isolation)
  }

  private mutating func message(
    _ text: String,
    _ key: String?,
    language tag: String
  ) throws(StringsError) -> Message {
    let name = [tag, key ?? "", text]
    if let message = messages[name] { return message }
    let language = try UILanguage(tag)
    let message =
      if let key { try strings.message(key, in: language) } else { try Message(text, language: language) }
    if keptBytes < Self.mostBytes {
      messages[name] = message
      keptBytes += text.utf8.count + 100
    }
    return message
  }

  private static func invalid(_ problem: String, fix: String) -> StringsError {
    StringsError(.invalidArgument, problem, fix: fix)
  }
}
