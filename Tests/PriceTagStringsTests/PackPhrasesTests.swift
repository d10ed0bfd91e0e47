import PriceTagText
import Testing

@testable import PriceTag
@testable import PriceTagStrings

/// Tests the phrases of packs as `pricetag pack` writes them. `Scripts/test/phrases` compares their texts in every host.
@Suite struct PackPhrasesTests {
  private static func pack(_ phrases: PackPhrases) throws -> Pack {
    let writer = PackWriter(styles: [PriceStyle()], on: try CalendarDate("2026-06-01"))
    return try Pack(writer.bytes(revision: "", phrases: phrases.bytes))
  }

  @Test func hasTheMessagesAboutPrices() throws {
    let strings = StoreStrings.embedded
    let contents = try Self.pack(PackPhrases(strings.languages, of: strings)).phraseContents
    #expect(contents.languages == strings.languages.map(\.identifier))
    for key in [
      "price_per_month", "price_per_months", "offer_free", "save_percent", "tax_included_vat", "days",
    ] {
      #expect(contents.keys.contains(key))
    }
    for key in ["price_until", "prices_note", "read_in_language", "receipt_from", "buy", "receipt_tax"] {
      #expect(strings.keys.contains(key) && !contents.keys.contains(key))
    }
  }

  /// A pack without phrases has the bytes and the version that it always had.
  @Test func packsWithoutPhrasesAreAsBefore() throws {
    let writer = PackWriter(styles: [PriceStyle()], on: try CalendarDate("2026-06-01"))
    let bytes = writer.bytes(revision: "")
    #expect(bytes[10] == 1 && bytes[136..<160].allSatisfy { $0 == 0 })
    #expect(try Pack(bytes).phraseContents.languages.isEmpty)
    let phrases = try PackPhrases([.development], of: .embedded)
    #expect(writer.bytes(revision: "", phrases: phrases.bytes)[10] == 2)
  }

  static let languageLists = [
    ["en-US"], ["ar", "de", "en-US", "ja"], ["fr-CA", "zh-Hant"], ["zh-Hans", "zh-Hant", "pt-PT", "es-MX"],
  ]

  /// Hosts look up a tag, and then the tag without its last subtags, and find the language of the matcher.
  @Test(arguments: languageLists + [StoreStrings.embedded.languages.map(\.identifier)])
  func findsTheLanguageOfTheMatcher(tags: [String]) throws {
    let languages = try tags.map { try UILanguage($0) }
    let pack = try Self.pack(PackPhrases(languages, of: .embedded))
    let matcher = LanguageMatcher(languages)
    let stores = LocaleData.embedded.storefronts.map(\.priceLocale.identifier)
    for tag in LocaleTag.listed + stores + ["iw", "zh-HK", "zh-TW", "sr-RS", "no", "cmn", "arb"] {
      let match = matcher.match(tag)
      let expected = match.reason == .fallback ? nil : match.language.identifier
      #expect(pack.phraseContents.language(of: tag) == expected, "\(tag)")
    }
    #expect(pack.phraseContents.language(of: "") == nil)
    // CLDR has the distance of Klingon from English, but no data for it: a user of Swift cannot have this language either.
    #expect(throws: StringsError.self) { try UILanguage("tlh") }
    #expect(pack.phraseContents.language(of: "tlh") == nil)
    #expect(pack.phraseContents.language(of: "\(tags[0].lowercased())_u-nu-latn") == tags[0])
  }

  static let own: [(text: String, problem: String?)] = [
    ("Ships from {price}", nil), ("{n, plural, one {# car for {total}} other {# cars for {total}}}", nil),
    ("{plan, select, family {Family} other {Single}}: {price}", nil),
    ("Ends on {date}", "\"date\" is a date"),
    ("Sold by {seller}", "\"seller\" is a date, a name"),
    ("{n, number}", nil), ("Hello {name}, {price}", "\"name\" is a date, a name"),
    ("Free shipping", "has no arguments"), ("Only {price, number} EUR", "\"price\" is a price"),
    ("{low, plural, other {#}}", "\"low\" is a price"),
    ("{x, select, a {A} other {{x}}}", "\"x\" is used as two types"),
    ("{x, number, percent} {x, number}", "\"x\" is used as two types"),
    ("{x, select, a {A} other {{x, number}}}", "\"x\" is used as two types"),
  ]

  /// Messages that packs cannot have are left out, and the reason is reported.
  @Test(arguments: own) func acceptsMessagesOfTheShop(text: String, problem: String?) throws {
    let strings = StoreStrings.embedded.adding(
      try ShopStrings(["en-US.json": jsonObject([("own", json(text))])])
    )
    let phrases = try PackPhrases([.development], of: strings)
    #expect(try Self.pack(phrases).phraseContents.keys.contains("own") == (problem == nil))
    #expect(phrases.omissions.count == (problem == nil ? 0 : 1))
    if let problem { #expect("\(phrases.omissions)".contains(problem)) }
  }

  @Test func omitsMessagesWithLongNames() throws {
    let (key, longKey) = (String(repeating: "k", count: 255), String(repeating: "k", count: 256))
    let argument = String(repeating: "a", count: 256)
    let texts = [
      (key, "{a}"), (longKey, "{a}"), ("argument", "{\(argument)}"),
      ("keyword", "{plan, select, \(argument) {a} other {b}}"),
    ].map { ($0, json($1)) }
    let own = try ShopStrings(["en-US.json": jsonObject(texts)])
    let phrases = try PackPhrases([.development], of: StoreStrings.embedded.adding(own))
    let keys = try Self.pack(phrases).phraseContents.keys
    #expect(keys.contains(key) && !keys.contains(longKey) && !keys.contains("argument"))
    #expect(!keys.contains("keyword") && phrases.omissions.count == 3)
  }

  /// The phrases of a pack, compiled again, are the same bytes, also with messages of a shop.
  @Test func compilesThePhrasesOfAPackAgain() throws {
    let own = try ShopStrings([
      "en-US.json": #"{"own": "Ships from {price}"}"#, "ar.json": #"{"own": "{price}"}"#,
    ])
    let languages = try ["ar", "de", "en-US"].map { try UILanguage($0) }
    for phrases in [
      try PackPhrases(languages, of: StoreStrings.embedded.adding(own)),
      try PackPhrases([UILanguage("pt-PT")], of: .embedded),
      try PackPhrases([UILanguage("ja")], of: .embedded),
      try PackPhrases(languages, of: .embedded, keys: ["days", "total_for"]),
    ] {
      let pack = try Self.pack(phrases)
      let contents = pack.phraseContents
      #expect(try PackPhrases(again: contents, of: .embedded).bytes == phrases.bytes)
    }
  }

  /// A language of a pack can lack a message, which stays so.
  @Test func compilesAPackThatLacksAMessageAgain() throws {
    let own = StoreStrings.embedded.adding(try ShopStrings(["en-US.json": #"{"a": "From {price}"}"#]))
    let languages = try ["de", "en-US"].map { try UILanguage($0) }
    var bytes = try Self.pack(PackPhrases(languages, of: own)).fileBytes
    let start = Int(bytes[136]) | Int(bytes[137]) << 8
    let message = try bytes.withUnsafeBytes { bytes in
      let base = try #require(bytes.baseAddress)
      return PhraseBytes(start: base + start).language(0).target(at: PhraseBytes.Language.messages) - base
    }
    bytes.replaceSubrange(message..<message + 4, with: [0, 0, 0, 0])
    Self.storeChecksum(&bytes)
    let pack = try Pack(bytes)
    let again = try Self.pack(PackPhrases(again: pack.phraseContents, of: .embedded))
    for contents in [pack.phraseContents, again.phraseContents] {
      #expect(
        contents.messages[0].name == "a"
          && contents.messages[0].messages.map(\.code.isEmpty) == [true, false]
      )
    }
  }

  @Test func rejectsTheKeyOfAMessageOfPriceTag() throws {
    let strings = StoreStrings.embedded.adding(try ShopStrings(["en-US.json": #"{"days": "{price}"}"#]))
    #expect(throws: StringsError.self) { try PackPhrases([.development], of: strings) }
  }

  /// Every byte of the phrases is changed: a pack that can be opened has the same languages or others, and nothing is read
  /// outside of it.
  @Test func damagedPhrasesAreRejectedOrReadable() throws {
    let bytes = PackWriter(styles: [PriceStyle()], on: try CalendarDate("2026-06-01"))
      .bytes(revision: "", phrases: try PackPhrases([.development], of: .embedded).bytes)
    let start = Int(bytes[136]) | Int(bytes[137]) << 8
    var opened = 0
    for place in stride(from: start, to: bytes.count, by: 3) {
      var damaged = bytes
      damaged[place] ^= 0x81
      // Without its checksum, a pack is rejected before the fields are read, so the test stores it.
      Self.storeChecksum(&damaged)
      if let pack = try? Pack(damaged) {
        opened += 1
        _ = pack.phraseContents
        _ = pack.phraseContents.language(of: "en-GB")
      }
    }
    #expect(opened > 0)
  }

  private static func storeChecksum(_ pack: inout [UInt8]) {
    var sum: UInt64 = 0xCBF2_9CE4_8422_2325
    for start in stride(from: 0, through: pack.count, by: 8) where start != 16 {
      var word: UInt64 = 0
      for index in 0..<8 where start + index < pack.count {
        word |= UInt64(pack[start + index]) << UInt64(8 * index)
      }
      sum ^= word
      sum = (sum << 29 | sum >> 35) &* 0x100_0000_01B3
    }
    for index in 0..<8 { pack[16 + index] = UInt8(truncatingIfNeeded: sum >> UInt64(8 * index)) }
  }
}
