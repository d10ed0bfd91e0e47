/// A scan of a message before ICU parses it, for excessive nesting and choice arguments.
///
/// ICU parses recursively, and about 230 levels of nesting overflow a thread's stack. This scan uses an explicit stack,
/// follows ICU's rules for apostrophes, and stops at the limit. ICU detects all other errors. For those that ICU
/// reports without a position, the scan provides one.
package struct MessageScan {
  /// The maximum nesting depth of arguments.
  static let maximumDepth = 32
  /// The maximum length of a message in bytes.
  static let maximumByteCount = 16_384

  /// A construct that must not be passed to ICU, with the UTF-8 offset of its argument.
  enum Finding {
    case tooDeep(Int)
    case choice(Int)
  }

  private struct Frame {
    enum Kind {
      /// A message or branch. In the branch of a plural, `#` is the number.
      case message(isPlural: Bool)
      /// The branches of a plural or select.
      case branches(isPlural: Bool)
    }

    let kind: Kind
    /// The offset of the opening brace.
    let start: Int
    /// Whether one of the branches is named "other".
    var hasOther = false
  }

  /// The reason not to pass the message to ICU, if any.
  private(set) var finding: Finding?
  /// The offset of the first plural or select without a branch "other".
  private(set) var placeWithoutOther: Int?
  /// The offset of the first brace that is never closed.
  private(set) var placeOfOpenBrace: Int?
  /// The offset of the first closing brace without an opening one, which ICU treats as text.
  package private(set) var placeOfStrayBrace: Int?
  /// The place of the first `{{` that is not in a branch.
  private(set) var placeOfDoubledBrace: Int?

  private let bytes: [UInt8]
  private var at = 0
  private var frames: [Frame] = [Frame(kind: .message(isPlural: false), start: 0)]
  private var levels = 0

  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    finding = run()
    placeOfOpenBrace = placeOfOpenBrace ?? frames.dropFirst().first?.start
  }

  private func byte(_ offset: Int = 0) -> UInt8 { at + offset < bytes.count ? bytes[at + offset] : 0 }

  private mutating func run() -> Finding? {
    while at < bytes.count {
      switch (frames.last?.kind ?? .message(isPlural: false), byte()) {
      case (.message(let isPlural), UInt8(ascii: "'")):
        skipApostrophe(isPlural: isPlural)
      case (.message, UInt8(ascii: "{")):
        if let finding = enterArgument() { return finding }
      case (.branches(let isPlural), UInt8(ascii: "{")):
        recordSelector()
        frames.append(Frame(kind: .message(isPlural: isPlural), start: at))
        at += 1
      case (.message, UInt8(ascii: "}")):
        if frames.count > 1 { frames.removeLast() } else { placeOfStrayBrace = placeOfStrayBrace ?? at }
        at += 1
      case (.branches, UInt8(ascii: "}")):
        let branches = frames.removeLast()
        if !branches.hasOther { placeWithoutOther = placeWithoutOther ?? branches.start }
        levels -= 1
        at += 1
      default:
        at += 1
      }
    }
    return nil
  }

  /// Records whether the selector before a branch's opening brace is "other".
  private mutating func recordSelector() {
    let word = bytes[..<at].reversed().drop { $0 <= 0x20 }.prefix { $0 > 0x20 && !",{}".utf8.contains($0) }
    if word.elementsEqual("other".utf8.reversed()) { frames[frames.count - 1].hasOther = true }
  }

  /// Skips an apostrophe and the text that it quotes.
  private mutating func skipApostrophe(isPlural: Bool) {
    switch byte(1) {
    case UInt8(ascii: "'"):
      at += 2
    case UInt8(ascii: "{"), UInt8(ascii: "}"): skipQuoted()
    case UInt8(ascii: "#") where isPlural: skipQuoted()
    default: at += 1
    }
  }

  private mutating func skipQuoted() {
    at += 2
    while at < bytes.count {
      if byte() == UInt8(ascii: "'") {
        at += 1
        if byte() != UInt8(ascii: "'") { return }
      }
      at += 1
    }
  }

  /// Skips `{name}` or `{name, type, style}`, or enters the branches of a plural or select.
  private mutating func enterArgument() -> Finding? {
    let start = at
    if byte(1) == UInt8(ascii: "{") { placeOfDoubledBrace = placeOfDoubledBrace ?? at }
    if levels == Self.maximumDepth { return .tooDeep(start) }
    at += 1
    skipWord()
    guard byte() == UInt8(ascii: ",") else {
      if byte() == UInt8(ascii: "}") { at += 1 } else { placeOfOpenBrace = placeOfOpenBrace ?? start }
      return nil
    }
    at += 1
    let type = skipWord()
    switch type {
    case "choice": return .choice(start)
    case "plural", "select", "selectordinal":
      levels += 1
      frames.append(Frame(kind: .branches(isPlural: type != "select"), start: start))
    default:
      skipStyle()
    }
    return nil
  }

  @discardableResult
  private mutating func skipWord() -> String {
    let start = at
    while at < bytes.count, !",{}".utf8.contains(byte()) { at += 1 }
    // ICU ignores Pattern_White_Space, which includes the directional marks U+200E and U+200F.
    let word = String(decoding: bytes[start..<at], as: UTF8.self).lowercased().unicodeScalars
    return String(String.UnicodeScalarView(word.filter { !$0.properties.isPatternWhitespace }))
  }

  /// Skips the style of a simple argument and its closing brace. The style may contain quoted text and balanced braces.
  private mutating func skipStyle() {
    var braces = 0
    while at < bytes.count {
      switch byte() {
      case UInt8(ascii: "'"):
        repeat { at += 1 } while at < bytes.count && byte() != UInt8(ascii: "'")
      case UInt8(ascii: "{"): braces += 1
      case UInt8(ascii: "}"):
        if braces == 0 {
          at += 1
          return
        }
        braces -= 1
      default: break
      }
      at += 1
    }
  }
}
