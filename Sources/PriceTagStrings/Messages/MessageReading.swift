import CICU
import PriceTag

/// How ICU reads a message, and what is wrong where it does not.
extension MessageCompiler {
  /// The parts that ICU sees in a text.
  ///
  /// - Throws: `.malformedMessage`, `.messageTooLarge`; `.refusedFormat` for a choice.
  static func parts(
    of text: String,
    _ bytes: [UInt8],
    language: UILanguage,
    key: String
  ) throws(StringsError) -> [CICUPart] {
    func error(_ code: StringsError.Code, _ problem: String, _ fix: String, at offset: Int?) -> StringsError {
      StringsError(
        code,
        problem,
        fix: fix,
        place: messagePlace(key: key, language: language, text: text, offset: offset)
      )
    }
    guard bytes.count <= MessageScan.mostBytes else {
      throw error(
        .messageTooLarge,
        "the message has \(bytes.count) bytes, more than \(MessageScan.mostBytes)",
        "say it in several messages",
        at: nil
      )
    }
    if let offset = bytes.firstIndex(of: 0) {
      throw error(
        .malformedMessage,
        "the message has a zero character (U+0000), which no text can show",
        "remove it",
        at: offset
      )
    }
    let scan = MessageScan(bytes)
    switch scan.finding {
    case .tooDeep(let offset):
      throw error(
        .messageTooLarge,
        "arguments are nested more than \(MessageScan.mostLevels) deep",
        "say it in several messages",
        at: offset
      )
    case .choice(let offset):
      throw error(.refusedFormat, "a choice is no part of a message", "use plural or select", at: offset)
    case nil: break
    }
    var message: OpaquePointer?
    var offset: Int32 = 0
    let status = cicu_message_open(bytes, Int32(bytes.count), &message, &offset)
    defer { cicu_message_close(message) }
    let place = offset >= 0 ? Int(offset) : nil
    // Of a brace that is left open ICU says many things.
    let isOpen = status == CICUMessageMalformed && scan.placeOfOpenBrace != nil
    switch isOpen ? CICUMessageUnmatchedBraces : status {
    case CICUMessageParsed: break
    case CICUMessageUnmatchedBraces:
      throw error(
        .malformedMessage,
        "the braces are not balanced",
        "close every { with a }, and put text that has braces between apostrophes: '{'",
        at: scan.placeOfOpenBrace
      )
    case CICUMessageWithoutOther:
      throw error(
        .malformedMessage,
        "a plural or select has no branch \"other\"",
        "add one: it is for everything that no other branch is for",
        at: scan.placeWithoutOther
      )
    case CICUMessageTooLong:
      throw error(
        .messageTooLarge,
        "a name is too long, or there are too many branches",
        "shorten it, or say it in several messages",
        at: place
      )
    default:
      throw error(
        .malformedMessage,
        "this is no ICU MessageFormat",
        "write {name}, {name, number}, {name, plural, one {…} other {…}} or {name, select, a {…} other {…}}",
        at: place
      )
    }
    guard let message else { return [] }
    var count: Int32 = 0
    return Array(UnsafeBufferPointer(start: cicu_message_parts(message, &count), count: Int(count)))
  }
}
