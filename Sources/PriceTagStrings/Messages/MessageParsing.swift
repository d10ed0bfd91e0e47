import CICU
import PriceTag

extension MessageCompiler {
  /// Returns the parts of a message as parsed by ICU.
  ///
  /// - Throws: `.malformedMessage`, `.messageTooLarge`, or `.refusedFormat` for a choice argument.
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
    guard bytes.count <= MessageScan.maximumByteCount else {
      throw error(
        .messageTooLarge,
        "the message is larger than \(MessageScan.maximumByteCount >> 10) KB",
        "split it",
        at: nil
      )
    }
    if let offset = bytes.firstIndex(of: 0) {
      throw error(
        .malformedMessage,
        "the message contains a NUL character (U+0000)",
        "remove it",
        at: offset
      )
    }
    let scan = MessageScan(bytes)
    switch scan.finding {
    case .tooDeep(let offset):
      throw error(
        .messageTooLarge,
        "arguments are nested more than \(MessageScan.maximumDepth) levels deep",
        "split the message",
        at: offset
      )
    case .choice(let offset):
      throw error(.refusedFormat, "choice arguments are not supported", "use plural or select", at: offset)
    case nil: break
    }
    var message: OpaquePointer?
    var offset: Int32 = 0
    let status = cicu_message_open(bytes, Int32(bytes.count), &message, &offset)
    defer { cicu_message_close(message) }
    let place = offset >= 0 ? Int(offset) : nil
    // ICU reports an unclosed brace by various errors.
    let isOpen = status == CICUMessageMalformed && scan.placeOfOpenBrace != nil
    switch isOpen ? CICUMessageUnmatchedBraces : status {
    case CICUMessageParsed: break
    case CICUMessageUnmatchedBraces:
      throw error(
        .malformedMessage,
        "the braces are not balanced",
        "close every { with a }, and enclose literal braces in apostrophes: '{'",
        at: scan.placeOfOpenBrace
      )
    case CICUMessageWithoutOther:
      throw error(
        .malformedMessage,
        "a plural or select has no branch \"other\"",
        "add it for values that no other branch matches",
        at: scan.placeWithoutOther
      )
    case CICUMessageTooLong:
      throw error(
        .messageTooLarge,
        "a name is too long, or there are too many branches",
        "shorten the name, or split the message",
        at: place
      )
    default:
      throw error(
        .malformedMessage,
        "the text is not valid ICU MessageFormat",
        "write {name}, {name, number}, {name, plural, one {…} other {…}} or {name, select, a {…} other {…}}",
        at: place
      )
    }
    guard let message else { return [] }
    var count: Int32 = 0
    return Array(UnsafeBufferPointer(start: cicu_message_parts(message, &count), count: Int(count)))
  }
}
