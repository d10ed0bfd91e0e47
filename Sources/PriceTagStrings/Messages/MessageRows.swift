import PriceTag
import PriceTagText

/// Formats the messages in rows of JSON: `{"language":"ru","message":"…","args":{…}}`, or with `key` instead of
/// `message`.
package struct MessageRows {
  private let strings: StoreStrings
  private let isolation: Isolation
  /// The language of rows without the field `language`.
  private let language: String
  /// The cached messages, by language, key and text.
  private var messages: [[String]: Message] = [:]
  private var cachedByteCount = 0

  /// The maximum size of the cached messages' texts.
  private static let maximumByteCount = 1 << 20

  package init(strings: StoreStrings, language: String, isolation: Isolation) {
    self.strings = strings
    self.language = language
    self.isolation = isolation
  }

  /// Returns a row with the formatted message appended as the field `text`, or the problem as the field `error`.
  package mutating func answer(
    _ row: String,
    _ reader: inout MessageArgumentsReader
  ) -> (line: String, error: StringsError?) {
    let object: JSONObject
    do throws(StringsError) { object = try Self.object(row) } catch {
      // No field can be appended to a row that is not an object.
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
      if let existing = object.members.first(where: { $0.key == "text" || $0.key == "error" }) {
        throw invalid("the row already has a field \(quoted(existing.key))", fix: "remove it")
      }
      return object
    case .success(let other):
      throw invalid("the row must be an object, not \(other.kind)", fix: "write one object per line")
    case .failure(let error):
      throw invalid(
        "the row is not valid JSON: \(error.problem) (\(error.place()))",
        fix: "write one object per line"
      )
    }
  }

  private mutating func text(
    _ object: JSONObject,
    _ reader: inout MessageArgumentsReader
  ) throws(StringsError) -> String {
    let fields = ["language", "message", "key", "args"]
    func string(_ name: String) throws(StringsError) -> String? {
      switch object[name] {
      case nil: return nil
      case .string(let text)?: return text
      case let other?:
        throw Self.invalid(
          "the field \(quoted(name)) must be a string, not \(other.kind)",
          fix: "write a string"
        )
      }
    }
    let language = try string("language") ?? self.language
    let (text, key) = (try string("message"), try string("key"))
    if text != nil, key != nil {
      throw Self.invalid("\"message\" and \"key\" cannot be combined", fix: "remove one")
    }
    if text == nil, key == nil {
      let unknown = object.members.map(\.key).first { !fields.contains($0) }
      throw Self.invalid(
        "the field \"message\" or \"key\" is missing",
        fix: "add one" + (unknown.map { didYouMean($0, among: fields) } ?? "")
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
    let cacheKey = [tag, key ?? "", text]
    if let message = messages[cacheKey] { return message }
    let language = try UILanguage(tag)
    let message =
      if let key { try strings.message(key, in: language) } else { try Message(text, language: language) }
    if cachedByteCount < Self.maximumByteCount {
      messages[cacheKey] = message
      cachedByteCount += text.utf8.count + 100
    }
    return message
  }

  private static func invalid(_ problem: String, fix: String) -> StringsError {
    StringsError(.invalidArgument, problem, fix: fix)
  }
}
