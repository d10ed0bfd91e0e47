import CICU
import PriceTag

extension MessageCompiler {
  /// Returns the parts of a message as parsed by ICU.
  ///
  /// - Throws: `.malformedMessage`, `.messageTooLarge`, or `.refusedFormat` for a choice argument.
  static func parts(of source: MessageSource, _ bytes: [UInt8]) throws(StringsError) -> [CICUPart] {
    guard bytes.count <= MessageScan.maximumByteCount else {
      throw source.error(
        .messageTooLarge,
        "the message is larger than \(MessageScan.maximumByteCount >> 10) KB",
        fix: "split it"
      )
    }
    if let offset = bytes.firstIndex(of: 0) {
      throw source.error(
        .malformedMessage,
        "the message contains a NUL character (U+0000)",
        fix: "remove it",
        at: offset
      )
    }
    let scan = MessageScan(bytes)
    switch scan.finding {
    case .tooDeep(let offset):
      throw source.error(
        .messageTooLarge,
        "arguments are nested more than \(MessageScan.maximumDepth) levels deep",
        fix: "split the message",
        at: offset
      )
    case .choice(let offset):
      let problem = "choice arguments are not supported"
      throw source.error(.refusedFormat, problem, fix: "use plural or select", at: offset)
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
    case CICUMessageUnmatchedBraces where scan.placeOfDoubledBrace != nil,
      CICUMessageMalformed where scan.placeOfDoubledBrace != nil:
      throw source.error(
        .malformedMessage,
        "the name of an argument is in doubled braces",
        fix: "write {name}, or enclose literal braces in apostrophes: '{'",
        at: scan.placeOfDoubledBrace
      )
    case CICUMessageUnmatchedBraces:
      throw source.error(
        .malformedMessage,
        "the braces are not balanced",
        fix: "close every { with a }, and enclose literal braces in apostrophes: '{'",
        at: scan.placeOfOpenBrace
      )
    case CICUMessageWithoutOther:
      throw source.error(
        .malformedMessage,
        "a plural or select has no branch \"other\"",
        fix: "add it for values that no other branch matches",
        at: scan.placeWithoutOther
      )
    case CICUMessageTooLong:
      throw source.error(
        .messageTooLarge,
        "a name is too long, or there are too many branches",
        fix: "shorten the name, or split the message",
        at: place
      )
    default:
      throw source.error(
        .malformedMessage,
        "the text is not valid ICU MessageFormat",
        fix: "write {name}, {name, number}, {name, plural, one {…} other {…}} "
          + "or {name, select, a {…} other {…}}",
        at: place
      )
    }
    guard let message else { return [] }
    var count: Int32 = 0
    return Array(UnsafeBufferPointer(start: cicu_message_parts(message, &count), count: Int(count)))
  }
}
