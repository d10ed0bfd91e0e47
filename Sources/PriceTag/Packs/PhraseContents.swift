/// The phrases of a pack, to compare them and to write them again.
package struct PhraseContents {
  /// The tags of all languages, in the order of the pack. Those at the end only provide messages for others.
  package private(set) var tags: [String] = []
  /// The tags of the languages that have the keys, sorted.
  package private(set) var languages: [String] = []
  /// The direction, the plural rules and the patterns for numbers of all languages.
  package private(set) var rules: [[UInt8]] = []
  /// The keys, each with a message for every language that has the keys.
  package private(set) var messages: [PhraseEncoder.Key] = []
  /// The tags from which hosts find a language.
  package private(set) var matchedTags: [String] = []
  private let phrases: PhraseBytes?
  /// The owner of the bytes.
  private let pack: Pack?

  /// The keys, sorted.
  package var keys: [String] { messages.map(\.name) }

  /// Whether the pack also has the tags of other languages, to find the closest one.
  package var hasOtherTags: Bool { matchedTags.count > languages.count }

  /// Returns the language for a tag, as hosts find it; `nil` if the pack has none that is close.
  package func language(of tag: String) -> String? {
    var tag = tag
    return withExtendedLifetime(pack) {
      tag.withUTF8 { try? phrases?.language(UnsafeRawBufferPointer($0)) }?.recordNameText
    }
  }

  /// Creates the contents of a pack without phrases.
  init() { (phrases, pack) = (nil, nil) }

  init(_ phrases: PhraseBytes, of pack: Pack) {
    typealias Language = PhraseBytes.Language
    (self.phrases, self.pack) = (phrases, pack)
    func count(_ field: Int) -> Int { Int(phrases.start.uint32(at: field)) }
    let records = (0..<count(PhraseBytes.Head.languageCount)).map(phrases.language)
    tags = records.map(\.recordNameText)
    let owners = records.filter { $0.uint32(at: Language.messageCount) > 0 }
    languages = owners.map(\.recordNameText)
    // The rules and patterns are together, before the messages.
    rules = records.map { language in
      let (start, end) = (language.target(at: Language.cardinals), language.target(at: Language.messages))
      let direction = UInt8(truncatingIfNeeded: language.uint16(at: Language.isRightToLeft))
      return [direction] + UnsafeRawBufferPointer(start: start, count: end - start)
    }
    let matched = phrases.start.target(at: PhraseBytes.Head.tags)
    matchedTags = (0..<count(PhraseBytes.Head.tagCount)).map {
      (matched + $0 * PhraseBytes.Tag.size).recordNameText
    }
    let keys = phrases.start.target(at: PhraseBytes.Head.keys)
    messages = (0..<count(PhraseBytes.Head.keyCount)).map { index in
      let key = keys + index * PhraseBytes.Key.size
      let arguments = (0..<key.uint16(at: PhraseBytes.Key.argumentCount)).compactMap { index in
        let argument = key.target(at: PhraseBytes.Key.arguments) + index * PhraseBytes.Argument.size
        return PhraseBytes.kind(of: argument).map { (argument.recordNameText, $0) }
      }
      return (key.recordNameText, arguments, owners.map { phrases.message(index, in: $0) })
    }
  }
}

extension PhraseBytes {
  /// Returns the code of a message, which is empty if the language lacks it, and the index of the message's language.
  fileprivate func message(_ key: Int, in language: UnsafeRawPointer) -> (code: [UInt8], language: Int) {
    let message = language.target(at: Language.messages) + key * Message.size
    guard message.uint32(at: Message.code) != 0 else { return ([], 0) }
    let code = message.target(at: Message.code)
    let owner = message.target(at: Message.language) - self.language(0)
    return (Array(UnsafeRawBufferPointer(start: code, count: 2 + code.uint16(at: 0))), owner / Language.size)
  }
}

extension UnsafeRawPointer {
  /// The name of this record as a string.
  var recordNameText: String { String(decoding: recordName, as: UTF8.self) }
}
