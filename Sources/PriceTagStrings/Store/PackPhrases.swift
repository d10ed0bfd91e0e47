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
  ///   - stored: The phrases of a pack, of which the messages of a shop's own are added as they are.
  /// - Throws: `.unknownKey` for a key of both; `.formattingFailed` if no pattern reproduces a language's numbers.
  package init(
    _ languages: [UILanguage],
    of strings: StoreStrings,
    keys chosen: Set<String>? = nil,
    stored: PhraseContents? = nil
  ) throws(StringsError) {
    let languages = Set(languages).sorted { $0.identifier < $1.identifier }
    var all = languages
    var keys: [PhraseEncoder.Key] = []
    func index(of language: UILanguage) -> Int {
      if let index = all.firstIndex(of: language) { return index }
      all.append(language)
      return all.count - 1
    }
    func add(_ name: String, _ find: (UILanguage) throws(StringsError) -> Message) throws(StringsError) {
      let messages = try languages.map(find)
      var kinds: [String: PhraseArgumentKind] = [:]
      for message in messages {
        for (name, kind) in try message.compiled.argumentKinds()
        where kinds.updateValue(kind, forKey: name) ?? kind != kind {
          throw message.compiled.notInPacks(
            "the argument \(quoted(name)) has different types in different languages"
          )
        }
      }
      guard let first = messages.first else { return }
      if kinds.isEmpty, !strings.keys.contains(name) {
        throw first.compiled.notInPacks("the message has no arguments")
      }
      guard keys.count < 0xFFFF else { throw first.compiled.notInPacks("a pack has at most 65,535 messages") }
      let names = first.argumentNames.filter { kinds[$0] != nil }
      var coded: [(code: [UInt8], language: Int)] = []
      for message in messages {
        let compiled = message.compiled
        let code = compiled.code(of: compiled.body, hasPlaces: false) {
          names.firstIndex(of: compiled.arguments[$0].name) ?? 0
        }
        let keywords = compiled.selects.flatMap { $0.branches.map(\.keyword) }
        guard code.count <= 0xFFFF, names.count <= 255,
          ([name] + names + keywords).allSatisfy({ $0.utf8.count <= 255 })
        else {
          throw compiled.notInPacks("the message or one of its names is too long")
        }
        coded.append((code, index(of: message.language)))
      }
      keys.append((name, names.map { ($0, kinds[$0] ?? .price) }, coded))
    }
    for key in strings.keys where chosen?.contains(key) ?? true {
      // The store's other messages have no arguments, or dates and names, which hosts cannot write.
      guard let kinds = try? strings.message(key, in: .development).compiled.argumentKinds(),
        !kinds.isEmpty || key.hasPrefix("tax_")
      else { continue }
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
    if let stored {
      let known = Set(keys.map(\.name) + StoreStrings.embedded.keys)
      let places = languages.map { stored.languages.firstIndex(of: $0.identifier) }
      for key in stored.messages where !known.contains(key.name) {
        let coded = try places.map { place throws(StringsError) -> (code: [UInt8], language: Int) in
          guard let (code, owner) = place.map({ key.messages[$0] }), !code.isEmpty else { return ([], 0) }
          return (code, index(of: try UILanguage(stored.tags[owner])))
        }
        keys.append((key.name, key.arguments, coded))
      }
    }
    let encoded = try all.map(Self.encoded)
    let own = languages.enumerated().map { ($1.identifier, Optional($0)) }
    let tags = chosen == nil ? Self.tags(languages) : Dictionary(uniqueKeysWithValues: own)
    bytes = PhraseEncoder(languages: encoded, keys: keys, tags: tags).bytes
    keyCount = keys.count
  }

  /// Compiles the messages of a pack again, in its languages. Those of a shop's own stay as they are, because their texts are
  /// not in the pack.
  ///
  /// - Throws: `.unknownLanguage` for a language that the strings no longer have; the errors of the other initializer.
  package init(again contents: PhraseContents, of strings: StoreStrings) throws(StringsError) {
    var languages: [UILanguage] = []
    for tag in contents.languages {
      let language = try UILanguage(tag)
      guard strings.languages.contains(language), language.identifier == tag else {
        throw StringsError(
          .unknownLanguage,
          "the pack has phrases in \(quoted(tag)), and the locale data has no strings in it",
          fix: "write the pack again with pricetag pack --phrases and other languages"
        )
      }
      languages.append(language)
    }
    let chosen = contents.hasOtherTags ? nil : Set(contents.keys)
    try self.init(languages, of: strings, keys: chosen, stored: contents)
  }

  private static func encoded(_ language: UILanguage) throws(StringsError) -> PhraseEncoder.Language {
    let (data, digits) = (language.data, PhraseCode.maximumFractionDigits)
    guard let cardinals = data.plurals(ordinal: false)?.rules,
      let ordinals = data.plurals(ordinal: true)?.rules,
      let decimal = data.counts(.number, fractionDigits: digits)?.packBytes,
      let percent = data.counts(.percent, fractionDigits: digits)?.packBytes
    else {
      throw StringsError(
        .formattingFailed,
        "no pattern reproduces the numbers of \(language)",
        fix: "write the pack without this language"
      )
    }
    let isRightToLeft = language.direction == .rightToLeft
    return (language.identifier, isRightToLeft, cardinals, ordinals, decimal, percent)
  }

  /// Returns the tags of which hosts cannot find the language by removing subtags, with their languages: those that CLDR
  /// has and the price locales of storefronts, also without their scripts, and other codes of languages.
  private static func tags(_ languages: [UILanguage]) -> [String: Int?] {
    let former = ["iw", "in", "ji", "no", "sh", "tl", "mo", "cmn", "arb"]
    let stores = LocaleData.embedded.storefronts.map(\.priceLocale.identifier)
    let listed = LocaleTag.listed + stores + languages.map(\.identifier) + former
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
    // A pack with the tags of other languages always has more tags than languages, which tells it from that of a page.
    tags["und"] = .some(nil)
    return tags
  }
}
