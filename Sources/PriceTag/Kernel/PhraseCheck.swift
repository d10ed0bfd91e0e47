/// Checks every record and every node of a pack's phrases once, so that their readers need no checks.
///
/// The records with data of their own are in order and do not overlap, so that the time is proportional to the number of
/// bytes, for hostile bytes too.
struct PhraseCheck {
  private typealias Head = PhraseBytes.Head
  private typealias Language = PhraseBytes.Language
  private typealias Key = PhraseBytes.Key
  private let start: UnsafeRawPointer
  /// The number of bytes, without those that a copy may read after a pattern.
  private let count: Int64
  /// The end of the records that have been checked.
  private var end: Int64 = 0

  /// Returns the phrases of a pack after checking them; `nil` if it has none.
  static func phrases(of pack: PackBytes) throws(PackDamage) -> PhraseBytes? {
    let (offset, count) = pack.phrases
    guard count > 0 else { return nil }
    let start = pack.start + Int(truncatingIfNeeded: offset)
    var check = PhraseCheck(start: start, count: count &- Int64(PatternBytes.slack))
    guard check.isValid() else { throw .invalidField }
    return PhraseBytes(start: start)
  }

  // MARK: Records

  private mutating func isValid() -> Bool {
    guard count >= Int64(Head.size) else { return false }
    let keyCount = Int64(start.uint32(at: Head.keyCount))
    let languageCount = Int64(start.uint32(at: Head.languageCount))
    let tagCount = Int64(start.uint32(at: Head.tagCount))
    guard languageCount <= 0xFFFF, keyCount <= 0xFFFF, tagCount <= 0xFFFF,
      let keys = place(start, Head.keys, keyCount &* Int64(Key.size)),
      let languages = place(start, Head.languages, languageCount &* Int64(Language.size)),
      let tags = place(start, Head.tags, tagCount &* Int64(PhraseBytes.Tag.size))
    else { return false }
    var key = keys
    while key < keys + Int(truncatingIfNeeded: keyCount) &* Key.size {
      guard hasName(key), hasValidArguments(key) else { return false }
      key += Key.size
    }
    var language = languages
    let languagesEnd = languages + Int(truncatingIfNeeded: languageCount) &* Language.size
    while language < languagesEnd {
      guard isValid(language, keys, keyCount, languages..<languagesEnd) else { return false }
      language += Language.size
    }
    var tag = tags
    while tag < tags + Int(truncatingIfNeeded: tagCount) &* PhraseBytes.Tag.size {
      let index = tag.uint16(at: PhraseBytes.Tag.language)
      guard hasName(tag),
        Int64(truncatingIfNeeded: index) < languageCount || index == PhraseBytes.Tag.none
      else { return false }
      tag += PhraseBytes.Tag.size
    }
    return true
  }

  /// Returns the place to which a field refers, if as many bytes are there.
  @inline(never)
  private func place(_ record: UnsafeRawPointer, _ field: Int, _ size: Int64) -> UnsafeRawPointer? {
    let offset = Int64(record - start) &+ Int64(Int32(bitPattern: record.uint32(at: field)))
    guard offset >= 0, size <= count, offset <= count &- size else { return nil }
    return start + Int(truncatingIfNeeded: offset)
  }

  /// Returns the place to which a field refers, after all records that were checked before.
  @inline(never)
  private mutating func next(_ record: UnsafeRawPointer, _ field: Int, _ size: Int64) -> UnsafeRawPointer? {
    guard let place = place(record, field, size), Int64(place - start) >= end else { return nil }
    end = Int64(place - start) &+ size
    return place
  }

  /// Returns whether a record has a name of UTF-8, with a zero byte after it.
  @inline(never)
  private func hasName(_ record: UnsafeRawPointer) -> Bool {
    let length = record.uint16(at: 4)
    guard length > 0, length <= 255, let text = place(record, 0, Int64(truncatingIfNeeded: length &+ 1))
    else { return false }
    return text.uint8(at: length) == 0 && isUTF8(text, count: length)
  }

  private mutating func hasValidArguments(_ key: UnsafeRawPointer) -> Bool {
    let argumentCount = key.uint16(at: Key.argumentCount)
    let size = argumentCount &* PhraseBytes.Argument.size
    guard argumentCount <= Key.maximumArgumentCount,
      let arguments = next(key, Key.arguments, Int64(truncatingIfNeeded: size))
    else { return false }
    var argument = arguments
    while argument < arguments + size {
      guard hasName(argument), PhraseBytes.kind(of: argument) != nil else { return false }
      argument += PhraseBytes.Argument.size
    }
    return true
  }

  // MARK: Languages

  private mutating func isValid(
    _ language: UnsafeRawPointer,
    _ keys: UnsafeRawPointer,
    _ keyCount: Int64,
    _ languages: Range<UnsafeRawPointer>
  ) -> Bool {
    let messageCount = Int64(language.uint32(at: Language.messageCount))
    guard hasName(language), hasRules(language, Language.cardinals),
      hasRules(language, Language.ordinals), hasPattern(language, Language.decimal),
      hasPattern(language, Language.percent), messageCount == 0 || messageCount == keyCount,
      let messages = next(language, Language.messages, messageCount &* Int64(PhraseBytes.Message.size)),
      place(language, Language.keys, 0) == keys
    else { return false }
    var (message, key) = (messages, keys)
    var left = messageCount
    while left > 0 {
      if message.uint32(at: PhraseBytes.Message.code) != 0 {
        guard let owner = place(message, PhraseBytes.Message.language, 0), languages.contains(owner),
          (owner - languages.lowerBound) % Language.size == 0,
          place(message, PhraseBytes.Message.key, 0) == key,
          let code = next(message, PhraseBytes.Message.code, 2)
        else { return false }
        var node = Int64(code - start)
        guard isBlock(&node, end: count, key, depth: 0) else { return false }
        end = node
      }
      message += PhraseBytes.Message.size
      key += Key.size
      left &-= 1
    }
    return true
  }

  @inline(never)
  private mutating func hasRules(_ language: UnsafeRawPointer, _ field: Int) -> Bool {
    guard let rules = next(language, field, Int64(PluralBytes.headLength)),
      let size = PluralBytes(start: rules).checkedSize(
        available: Int(truncatingIfNeeded: count &- Int64(rules - start))
      )
    else { return false }
    end = Int64(rules - start) &+ Int64(truncatingIfNeeded: size)
    return true
  }

  @inline(never)
  private mutating func hasPattern(_ language: UnsafeRawPointer, _ field: Int) -> Bool {
    guard let pattern = next(language, field, Int64(PatternBytes.Field.affixes)) else { return false }
    let check = PatternCheck(
      start: pattern,
      available: Int(truncatingIfNeeded: count &- Int64(pattern - start))
    )
    guard check.isValid else { return false }
    end = Int64(pattern - start) &+ Int64(truncatingIfNeeded: check.size)
    return true
  }

  // MARK: Nodes

  /// Returns whether there is a valid block at an offset, which moves to its end.
  private func isBlock(_ at: inout Int64, end: Int64, _ key: UnsafeRawPointer, depth: Int) -> Bool {
    guard depth <= PhraseBytes.maximumDepth, end &- at >= 2 else { return false }
    let length = Int64(truncatingIfNeeded: byte(at).uint16(at: 0))
    at &+= 2
    guard length <= end &- at else { return false }
    let blockEnd = at &+ length
    while at < blockEnd {
      let node = byte(at)
      switch node.uint8(at: 0) {
      case PhraseCode.text:
        guard isText(&at, 1, end: blockEnd) else { return false }
      case PhraseCode.value:
        guard blockEnd &- at >= Int64(PhraseCode.valueHead), let kind = kind(of: node, key), kind != .keyword
        else {
          return false
        }
        at &+= Int64(PhraseCode.valueHead)
      case PhraseCode.number:
        guard blockEnd &- at >= Int64(PhraseCode.numberHead), node.uint8(at: 3) <= PhraseCode.percent,
          kind(of: node, key) == (node.uint8(at: 3) == PhraseCode.percent ? .percent : .count)
        else { return false }
        at &+= Int64(PhraseCode.numberHead)
      case PhraseCode.hash: at &+= 1
      case PhraseCode.plural, PhraseCode.select:
        guard isSelection(&at, end: blockEnd, key, depth) else { return false }
      default: return false
      }
    }
    return at == blockEnd
  }

  /// Returns whether there is a valid plural or select at an offset, which moves to its end.
  private func isSelection(_ at: inout Int64, end: Int64, _ key: UnsafeRawPointer, _ depth: Int) -> Bool {
    let node = byte(at)
    let isPlural = node.uint8(at: 0) == PhraseCode.plural
    let head = Int64(isPlural ? PhraseCode.pluralHead : PhraseCode.selectHead)
    guard end &- at >= head, kind(of: node, key) == (isPlural ? .count : .keyword) else { return false }
    let nodeEnd = at &+ Int64(truncatingIfNeeded: node.uint16(at: 3))
    at &+= head
    var left = node.uint16(at: isPlural ? 7 : 5)
    // The branches of a plural without a number are those of its categories.
    var categoryCount = 0
    if isPlural {
      let categories = node.uint8(at: 6)
      guard node.uint8(at: 5) >> PhraseCode.styleShift <= PhraseCode.percent,
        categories < 1 &<< PluralBytes.categoryCount, categories & 1 &<< PluralBytes.other != 0,
        node.uint8(at: 9) <= Amount.maximumScale
      else { return false }
      categoryCount = categories.nonzeroBitCount
      left &+= categoryCount
    }
    guard nodeEnd <= end, left > 0 else { return false }
    while left > 0 {
      if !isPlural {
        guard isText(&at, 0, end: nodeEnd) else { return false }
      } else if left > categoryCount {
        guard nodeEnd &- at >= Int64(PhraseCode.exactHead), byte(at).uint8(at: 0) <= Amount.maximumScale
        else { return false }
        at &+= Int64(PhraseCode.exactHead)
      }
      guard isBlock(&at, end: nodeEnd, key, depth: depth &+ 1) else { return false }
      left &-= 1
    }
    return at == nodeEnd
  }

  /// Returns whether there is UTF-8 after a number of other bytes and its length, and moves to its end.
  private func isText(_ at: inout Int64, _ head: Int64, end: Int64) -> Bool {
    let textStart = at &+ head &+ 2
    guard textStart <= end else { return false }
    let length = byte(at &+ head).uint16(at: 0)
    at = textStart &+ Int64(truncatingIfNeeded: length)
    return at <= end && isUTF8(byte(textStart), count: length)
  }

  /// Returns the kind of the argument of a node.
  private func kind(of node: UnsafeRawPointer, _ key: UnsafeRawPointer) -> PhraseArgumentKind? {
    let index = node.uint16(at: 1)
    guard index < key.uint16(at: Key.argumentCount) else { return nil }
    return PhraseBytes.kind(of: key.target(at: Key.arguments) + index &* PhraseBytes.Argument.size)
  }

  private func byte(_ offset: Int64) -> UnsafeRawPointer { start + Int(truncatingIfNeeded: offset) }
}
