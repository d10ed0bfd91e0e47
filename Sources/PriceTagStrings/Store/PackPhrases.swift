import PriceTag
import PriceTagText

/// The phrases of a pack: the messages about prices, in some languages.
package struct PackPhrases {
  /// The bytes of the pack's section.
  package let bytes: [UInt8]
  /// The number of keys.
  package let keyCount: Int
  /// Why the pack does not have messages of the shop's own.
  package private(set) var omissions: [StringsError] = []

  /// Compiles the messages of languages.
  ///
  /// - Parameters:
  ///   - languages: The available languages.
  ///   - strings: The store's strings, and the shop's own, which must have other keys.
  ///   - chosen: The keys of the messages, for a host that knows the languages; `nil` for all, with the tags of all languages.
  /// - Throws: `.unknownKey` for a key of both; `.formattingFailed` if no pattern reproduces a language's numbers.
  package init(_ languages: [UILanguage], of strings: StoreStrings, keys chosen: Set<String>? = nil)
    throws(StringsError)
  {
    let languages = Set(languages).sorted { $0.identifier < $1.identifier }
    var all = languages
    var keys: [PhraseEncoder.Key] = []
    func index(of language: UILanguage) -> Int {
      if let index = all.firstIndex(of: language) { return index }
      all.append(language)
      return all.count - 1
    }
    func add(_ name: String, _ find: (UILanguage) throws(StringsError) -> Message) throws(StringsError) {
      var kinds: [String: PhraseArgumentKind] = [:]
      var messages: [Message] = []
      for language in languages {
        let message = try find(language)
        for (name, kind) in try message.compiled.argumentKinds()
        where kinds.updateValue(kind, forKey: name) ?? kind != kind {
          throw message.compiled.notInPacks(
            "the argument \(quoted(name)) has different types in different languages"
          )
        }
        messages.append(message)
      }
      guard let first = messages.first, !kinds.isEmpty || name.hasPrefix("tax_") else { return }
      let names = first.argumentNames.filter { kinds[$0] != nil }
      var coded: [(code: [UInt8], language: Int)] = []
      for message in messages {
        let compiled = message.compiled
        let code = compiled.code(of: compiled.body, hasPlaces: false) {
          names.firstIndex(of: compiled.arguments[$0].name) ?? 0
        }
        guard code.count <= 0xFFFF, names.count <= 255, names.allSatisfy({ $0.utf8.count <= 255 }) else {
          throw compiled.notInPacks("the message is too large")
        }
        coded.append((code, index(of: message.language)))
      }
      keys.append((name, names.map { ($0, kinds[$0] ?? .price) }, coded))
    }
    for key in strings.keys where chosen?.contains(key) ?? true {
      // The store's other messages have dates and names, which hosts cannot write.
      guard (try? strings.message(key, in: .development).compiled.argumentKinds()) != nil else { continue }
      try add(key) { language throws(StringsError) in try strings.message(key, in: language) }
    }
    for key in chosen == nil ? strings.own?.keys ?? [] : [] {
      guard !strings.keys.contains(key), let own = strings.own else {
        throw StringsError(
          .unknownKey,
          "\(quoted(key)) is the key of a message of PriceTag too",
          fix: "rename the shop's own message"
        )
      }
      do throws(StringsError) {
        try add(key) { language throws(StringsError) in try own.message(key, in: language) }
      } catch {
        omissions.append(error)
      }
    }
    var encoded: [PhraseEncoder.Language] = []
    for language in all { encoded.append(try Self.encoded(language)) }
    let own = languages.enumerated().map { ($1.identifier, Optional($0)) }
    let tags = chosen == nil ? Self.tags(languages) : Dictionary(uniqueKeysWithValues: own)
    bytes = PhraseEncoder(languages: encoded, keys: keys, tags: tags).bytes
    keyCount = keys.count
  }

  private static func encoded(_ language: UILanguage) throws(StringsError) -> PhraseEncoder.Language {
    let (data, digits) = (language.data, LanguageData.maximumFractionDigits)
    guard let cardinals = data.plurals(ordinal: false)?.rules,
      let ordinals = data.plurals(ordinal: true)?.rules,
      let decimal = data.counts(.number, fractionDigits: digits),
      let percent = data.counts(.percent, fractionDigits: digits),
      let encoded = PhraseEncoder.Language(
        tag: language.identifier,
        isRightToLeft: language.direction == .rightToLeft,
        cardinals: cardinals,
        ordinals: ordinals,
        decimal: decimal,
        percent: percent
      )
    else {
      throw StringsError(
        .formattingFailed,
        "no pattern reproduces the numbers of \(language)",
        fix: "write the pack without this language"
      )
    }
    return encoded
  }

  /// Returns the tags of which hosts cannot find the language by removing subtags, with their languages: those that CLDR
  /// has, also without their scripts, and former codes of languages.
  private static func tags(_ languages: [UILanguage]) -> [String: Int?] {
    let listed = LocaleTag.listed + languages.map(\.identifier) + ["iw", "in", "ji", "no", "sh", "tl", "mo"]
    let withoutScripts = listed.map { tag in
      tag.split(separator: "-").enumerated().filter { $0.offset == 0 || $0.element.utf8.count != 4 }
        .map(\.element).joined(separator: "-")
    }
    let matcher = LanguageMatcher(languages)
    var tags: [String: Int?] = [:]
    for tag in Set(listed + withoutScripts).sorted(by: { ($0.utf8.count, $0) < ($1.utf8.count, $1) }) {
      let match = matcher.match(tag)
      let expected = match.reason == .fallback ? nil : languages.firstIndex(of: match.language)
      var prefix = tag[...]
      while let end = prefix.lastIndex(of: "-"), tags[String(prefix)] == nil { prefix = prefix[..<end] }
      if tags[String(prefix)] ?? nil != expected { tags[tag] = .some(expected) }
    }
    return tags
  }
}
