/// The phrases of a pack, in place: compiled messages by language and key. `PhraseCheck` checks all of them once.
///
/// Every record refers to others by their distance from its own start. Languages, tags, keys and arguments start with the
/// distance and the length of their name. docs/packs.md describes the layout, and `PhraseEncoder` writes it.
///
/// Sendable notes: the bytes do not change.
struct PhraseBytes: @unchecked Sendable {
  let start: UnsafeRawPointer

  /// The first minor version of packs with phrases.
  static let minorVersion = 2
  /// The place of the offset and the number of bytes in the header of the pack, after the other sections.
  static let headerPlace = PackBytes.Field.sections + 8 * PackBytes.Section.count
  /// The maximum number of bytes of a formatted phrase, and the maximum number of nodes that are evaluated for it.
  static let maximumLength = 65_536
  /// The maximum number of messages inside each other. With all their branches, they need half of a WebAssembly module's stack.
  static let maximumMessageDepth = 16
  /// The maximum number of branches inside each other in one message.
  static let maximumDepth = 32

  /// The offsets of the fields at the start.
  enum Head {
    static let languageCount = 0
    static let languages = 4
    static let tagCount = 8
    static let tags = 12
    static let keyCount = 16
    static let keys = 20
    static let size = 24
  }

  /// The offsets of the fields of a language.
  enum Language {
    /// 1 if the language is written from right to left.
    static let isRightToLeft = 6
    /// The plural rules for counts and for ordinal numbers.
    static let cardinals = 8
    static let ordinals = 12
    /// The patterns that write counts and percentages, with as many decimals as the number has.
    static let decimal = 16
    static let percent = 20
    /// The messages, in the order of the keys.
    static let messages = 24
    /// The number of keys, or 0 for a language that only provides messages for others.
    static let messageCount = 28
    static let keys = 32
    static let size = 36
  }

  /// The offsets of the fields of a tag, with the index of its language.
  enum Tag {
    static let language = 6
    static let size = 8
    /// The language of a tag that is not close to any language of the pack.
    static let none = 0xFFFF
  }

  /// The offsets of the fields of a key.
  enum Key {
    static let argumentCount = 6
    static let arguments = 8
    static let size = 12
    static let maximumArgumentCount = 255
  }

  /// The offsets of the fields of an argument.
  enum Argument {
    static let kind = 6
    static let size = 8
  }

  /// The offsets of the fields of a message.
  enum Message {
    /// 0 if the language does not have the message.
    static let code = 0
    /// The language whose rules and patterns the message uses.
    static let language = 4
    static let key = 8
    static let size = 12
  }

  /// The problems of a request. The raw values are status codes of the C library; they never change.
  enum Problem: UInt8, Error {
    case missingPlural = 17
    case noPhrases = 25
    case unknownLanguage = 26
    case unknownPhrase = 27
    case missingArgument = 28
    case extraArgument = 29
    case wrongArgument = 30
    case phraseTooLong = 31
  }

  /// Returns the language with an index.
  func language(_ index: Int) -> UnsafeRawPointer {
    start.target(at: Head.languages) + index &* Language.size
  }

  /// Returns the language of a BCP 47 tag: that of the tag itself, or of the tag without its last subtags.
  func language(_ tag: UnsafeRawBufferPointer) throws(Problem) -> UnsafeRawPointer {
    let tags = start.target(at: Head.tags)
    var count = tag.count
    while count > 0, let text = tag.baseAddress {
      let prefix = UnsafeRawBufferPointer(start: text, count: count)
      let found = PackBytes.index(below: Int(truncatingIfNeeded: start.uint32(at: Head.tagCount))) {
        PackBytes.compare(prefix, (tags + $0 &* Tag.size).recordName)
      }
      if let found {
        let language = (tags + found &* Tag.size).uint16(at: Tag.language)
        guard language != Tag.none else { throw .unknownLanguage }
        return self.language(language)
      }
      repeat { count &-= 1 } while count > 0 && text.uint8(at: count) != 0x2D && text.uint8(at: count) != 0x5F
    }
    throw .unknownLanguage
  }

  /// Returns the message of a language with a key.
  static func message(_ key: UnsafeRawBufferPointer, in language: UnsafeRawPointer) throws(Problem)
    -> UnsafeRawPointer
  {
    let keys = language.target(at: Language.keys)
    let found = PackBytes.index(below: Int(truncatingIfNeeded: language.uint32(at: Language.messageCount))) {
      compare(key, (keys + $0 &* Key.size).recordName)
    }
    guard let found else { throw .unknownPhrase }
    let message = language.target(at: Language.messages) + found &* Message.size
    guard message.uint32(at: Message.code) != 0 else { throw .unknownPhrase }
    return message
  }

  /// Returns the argument of a message with an index; `nil` if it has no more.
  @inline(__always)
  static func argument(_ index: Int, of message: UnsafeRawPointer) -> UnsafeRawPointer? {
    let key = message.target(at: Message.key)
    guard index >= 0, index < key.uint16(at: Key.argumentCount) else { return nil }
    return key.target(at: Key.arguments) + index &* Argument.size
  }

  /// Returns the kind of an argument; `nil` for an unknown one, which a checked pack does not have.
  static func kind(of argument: UnsafeRawPointer) -> PhraseArgumentKind? {
    PhraseArgumentKind(rawValue: UInt8(clamping: argument.uint16(at: Argument.kind)))
  }

  /// Compares two texts by their bytes: -1, 0 or 1.
  static func compare(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> Int {
    let count = min(first.count, second.count)
    if let left = first.baseAddress, let right = second.baseAddress {
      var index = 0
      while index < count {
        let difference = left.uint8(at: index) &- right.uint8(at: index)
        if difference != 0 { return difference < 0 ? -1 : 1 }
        index &+= 1
      }
    }
    return first.count < second.count ? -1 : first.count > second.count ? 1 : 0
  }
}

/// The values that an argument accepts. The raw values are constants of pricetag.h.
package enum PhraseArgumentKind: UInt8, Sendable {
  /// A formatted price, or a phrase with prices.
  case price = 1
  case count = 2
  case percent = 3
  case phrase = 4
  /// The text that selects a branch, which is not displayed.
  case keyword = 5
}

extension PackBytes {
  /// The offset and the number of bytes of the phrases; 0 bytes for a pack that has none.
  var phrases: (offset: Int64, count: Int64) {
    guard start.uint16(at: Field.minorVersion) >= PhraseBytes.minorVersion else { return (0, 0) }
    let place = PhraseBytes.headerPlace
    return (Int64(start.uint32(at: place)), Int64(start.uint32(at: place &+ 4)))
  }
}

extension UnsafeRawPointer {
  /// Returns the record to which the distance in a field of this record refers.
  @inline(__always)
  func target(at field: Int) -> UnsafeRawPointer {
    self + Int(truncatingIfNeeded: Int32(bitPattern: uint32(at: field)))
  }

  /// The name of this record.
  @inline(__always)
  var recordName: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: target(at: 0), count: uint16(at: 4))
  }
}
