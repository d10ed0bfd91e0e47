/// Encodes the phrases of a pack, in the layout of `PhraseBytes`.
package struct PhraseEncoder {
  /// A language, with the rules and patterns of its messages.
  package typealias Language = (
    tag: String, isRightToLeft: Bool, cardinals: PluralRules, ordinals: PluralRules, decimal: [UInt8],
    percent: [UInt8]
  )

  /// A key, with the names and kinds of its arguments and its message in each language: the code, which is empty if the language
  /// lacks the message, and the index of the language that it is in.
  package typealias Key = (
    name: String, arguments: [(name: String, kind: PhraseArgumentKind)],
    messages: [(code: [UInt8], language: Int)]
  )

  /// The bytes of the section.
  package private(set) var bytes: [UInt8] = []
  private var texts: [String: Int] = [:]

  /// Encodes phrases.
  ///
  /// - Parameters:
  ///   - languages: The languages. Those that only provide messages for others are at the end.
  ///   - keys: The keys, each with as many messages as there are other languages.
  ///   - tags: The index of the language of each tag; `nil` if the pack has none that is close.
  package init(languages: [Language], keys: [Key], tags: [String: Int?]) {
    typealias Head = PhraseBytes.Head
    typealias Record = PhraseBytes.Language
    let keys = keys.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    let tags = tags.map { (tag: $0.key.lowercased(), language: $0.value) }
      .sorted { $0.tag.utf8.lexicographicallyPrecedes($1.tag.utf8) }
    let keyPlace = Head.size
    let languagePlace = keyPlace + keys.count * PhraseBytes.Key.size
    let tagPlace = languagePlace + languages.count * Record.size
    bytes = Array(repeating: 0, count: tagPlace + tags.count * PhraseBytes.Tag.size)
    for (value, field) in [
      (languages.count, Head.languageCount), (languagePlace, Head.languages), (tags.count, Head.tagCount),
      (tagPlace, Head.tags), (keys.count, Head.keyCount), (keyPlace, Head.keys),
    ] { store(value, at: field, length: 4) }
    for (index, entry) in tags.enumerated() {
      let place = tagPlace + index * PhraseBytes.Tag.size
      storeText(entry.tag, at: place)
      store(entry.language ?? PhraseBytes.Tag.none, at: place + PhraseBytes.Tag.language, length: 2)
    }
    for (index, key) in keys.enumerated() {
      let place = keyPlace + index * PhraseBytes.Key.size
      storeText(key.name, at: place)
      store(key.arguments.count, at: place + PhraseBytes.Key.argumentCount, length: 2)
      let first = append(Array(repeating: 0, count: key.arguments.count * PhraseBytes.Argument.size))
      store(first - place, at: place + PhraseBytes.Key.arguments, length: 4)
      for (index, argument) in key.arguments.enumerated() {
        let place = first + index * PhraseBytes.Argument.size
        storeText(argument.name, at: place)
        store(Int(argument.kind.rawValue), at: place + PhraseBytes.Argument.kind, length: 2)
      }
    }
    for (index, language) in languages.enumerated() {
      let place = languagePlace + index * Record.size
      storeText(language.tag, at: place)
      store(language.isRightToLeft ? 1 : 0, at: place + Record.isRightToLeft, length: 2)
      for (part, field) in [
        (language.cardinals.bytes, Record.cardinals), (language.ordinals.bytes, Record.ordinals),
        (language.decimal, Record.decimal), (language.percent, Record.percent),
      ] { store(append(part) - place, at: place + field, length: 4) }
      let messages = keys.filter { index < $0.messages.count }.map { $0.messages[index] }
      let first = append(Array(repeating: 0, count: messages.count * PhraseBytes.Message.size))
      for (value, field) in [
        (first - place, Record.messages), (messages.count, Record.messageCount),
        (keyPlace - place, Record.keys),
      ] { store(value, at: place + field, length: 4) }
      for (key, message) in messages.enumerated() {
        let place = first + key * PhraseBytes.Message.size
        let code = message.code.isEmpty ? 0 : append(message.code) - place
        for (value, field) in [
          (code, PhraseBytes.Message.code),
          (languagePlace + message.language * Record.size - place, PhraseBytes.Message.language),
          (keyPlace + key * PhraseBytes.Key.size - place, PhraseBytes.Message.key),
        ] { store(value, at: place + field, length: 4) }
      }
    }
    // A copy may read these bytes after a pattern.
    append(Array(repeating: 0, count: PatternBytes.slack))
  }

  @discardableResult
  private mutating func append(_ part: [UInt8]) -> Int {
    defer { bytes += part }
    return bytes.count
  }

  /// Stores the distance to a text, which has a zero byte at its end, and its length.
  private mutating func storeText(_ text: String, at place: Int) {
    let offset = texts[text] ?? append(Array(text.utf8) + [0])
    texts[text] = offset
    store(offset - place, at: place, length: 4)
    store(text.utf8.count, at: place + 4, length: 2)
  }

  private mutating func store(_ value: Int, at place: Int, length: Int) {
    for index in 0..<length { bytes[place + index] = UInt8(truncatingIfNeeded: value >> (8 * index)) }
  }
}

extension CountFormatter {
  /// The bytes of the pattern; `nil` if ICU writes some numbers.
  package var packBytes: [UInt8]? { pattern?.plurals == nil ? pattern?.bytes.bytes : nil }
}
