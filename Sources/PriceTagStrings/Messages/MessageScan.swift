/// What must be known of a message before ICU sees it: how deep it is nested, and whether it has a choice.
///
/// ICU reads recursively, and some 230 levels overflow a thread's stack. This scan keeps a stack of its own, follows
/// ICU's rules for apostrophes, and stops at the limit. It judges nothing else: what is malformed is ICU's to say, and
/// this says where, where ICU does not.
package struct MessageScan {
  /// Arguments inside the branches of arguments, at most.
  static let mostLevels = 32
  /// A message has at most so many bytes.
  static let mostBytes = 16_384

  enum Finding {
    /// The offset of the argument that is too deep.
    case tooDeep(Int)
    case choice(Int)
  }

  private struct Frame {
    enum Kind {
      /// Text, in which `#` may stand for a number.
      case message(isPlural: Bool)
      /// The branches of a plural or select.
      case branches(isPlural: Bool)
    }

    let kind: Kind
    /// Where its brace is.
    let start: Int
    /// Whether one of the branches is called "other".
    var hasOther = false
  }

  /// What ICU may not read; `nil` where it may.
  private(set) var finding: Finding?
  /// Where the first plural or select is that has no branch "other": ICU does not say.
  private(set) var placeWithoutOther: Int?
  /// Where the first brace is that is never closed: ICU does not say.
  private(set) var placeOfOpenBrace: Int?
  /// Where the first brace is that closes nothing: ICU takes it for text.
  package private(set) var placeOfStrayBrace: Int?

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
        noteSelector()
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

  /// Looks at the word in front of a branch's brace.
  private mutating func noteSelector() {
    let word = bytes[..<at].reversed().drop { $0 <= 0x20 }.prefix { $0 > 0x20 && !",{}".utf8.contains($0) }
    if word.elementsEqual("other".utf8.reversed()) { frames[frames.count - 1].hasOther = true }
  }

  /// Past an apostrophe, and past the text that it quotes.
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

  /// Past `{name}` and `{name, type, style}`, into the branches of a plural or select.
  private mutating func enterArgument() -> Finding? {
    let start = at
    if levels == Self.mostLevels { return .tooDeep(start) }
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
    // What ICU passes over: Unicode's Pattern_White_Space, in which the marks of direction are.
    let word = String(decoding: bytes[start..<at], as: UTF8.self).lowercased().unicodeScalars
    return String(String.UnicodeScalarView(word.filter { !$0.properties.isPatternWhitespace }))
  }

  /// Past the style of a simple argument and its brace: quoted text and balanced braces are part of it.
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
