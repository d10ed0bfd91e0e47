import PriceTag
import SeededNumbers
import Testing

/// Returns the bytes of a pack with their checksum, as docs/packs.md describes it.
func signedPack(_ bytes: [UInt8]) -> [UInt8] {
  var sum: UInt64 = 0xCBF2_9CE4_8422_2325
  for start in stride(from: 0, through: bytes.count, by: 8) where start != 16 {
    let word = bytes[start..<min(start + 8, bytes.count)].reversed().reduce(UInt64(0)) {
      $0 << 8 | UInt64($1)
    }
    let mixed = sum ^ word
    sum = (mixed << 29 | mixed >> 35) &* 0x100_0000_01B3
  }
  return bytes.indices.map { index in
    (16..<24).contains(index) ? UInt8(truncatingIfNeeded: sum >> UInt64(8 * (index - 16))) : bytes[index]
  }
}

/// A pack with changed fields and a correct checksum. The offsets are those of docs/packs.md.
private struct DoctoredPack {
  enum Section: Int {
    case texts, metadata, storefronts, periods, periodFormatters, locales, localeRows, currencies, styles,
      rows
    case formatters, patterns, families
  }

  var bytes: [UInt8]

  var signed: [UInt8] { signedPack(bytes) }

  mutating func set(_ value: some FixedWidthInteger, at place: Int) {
    for index in 0..<(value.bitWidth / 8) {
      bytes[place + index] = UInt8(truncatingIfNeeded: value >> (8 * index))
    }
  }

  func u8(_ place: Int) -> Int { Int(bytes[place]) }
  func u16(_ place: Int) -> Int { u8(place) | u8(place + 1) << 8 }
  func u32(_ place: Int) -> Int { u16(place) | u16(place + 2) << 16 }
  func i32(_ place: Int) -> Int { Int(Int32(truncatingIfNeeded: u32(place))) }

  /// Returns the place of an element.
  func place(_ section: Section, _ index: Int = 0) -> Int {
    let sizes = [1, 16, 16, 12, 4, 8, 4, 24, 32, 4, 16, 1, 4]
    return u32(32 + 8 * section.rawValue) + index * sizes[section.rawValue]
  }

  func count(_ section: Section) -> Int { u32(36 + 8 * section.rawValue) }

  mutating func setCount(_ section: Section, _ count: Int) {
    set(UInt32(truncatingIfNeeded: count), at: 36 + 8 * section.rawValue)
  }

  /// Returns the first formatter of a kind, after some others.
  func formatter(kind: Int, after skipped: Int = 0) -> Int {
    let all = (0..<count(.formatters)).map { place(.formatters, $0) }
    return all.filter { u8($0 + 8) == kind }.dropFirst(skipped).first ?? 0
  }

  /// Returns the place of the family of the first formatter that has one.
  var family: Int { formatter(kind: 2) + i32(formatter(kind: 2)) }

  /// The place of the names of the first formatter.
  var names: Int { formatter(kind: 1) + i32(formatter(kind: 1) + 12) }

  /// Returns the place of the first pattern with a property.
  func pattern(where condition: (Int) -> Bool = { _ in true }) -> Int {
    let formatters = (0..<count(.formatters)).map { place(.formatters, $0) }.filter { u8($0 + 8) == 1 }
    return formatters.map { $0 + i32($0) }.first(where: condition) ?? 0
  }

  /// The first pattern with digits of two bytes, such as those of Arabic.
  var arabic: Int { pattern { u8($0 + 1) == 2 } }

  /// The first pattern with plural rules.
  var plural: Int { pattern { u16($0 + 32) > 0 } }

  /// The plural rules of that pattern.
  var rules: Int { plural + u16(plural + 32) }

  /// The first pattern with affixes for amounts without a fraction.
  var trimmed: Int { pattern { u16($0 + 30) > 0 } }

  /// The affix of the first pattern that has parts.
  var affix: Int {
    let pattern = pattern()
    return stride(from: pattern + 40, to: pattern + 72, by: 8).first { u16($0 + 6) & 0x3FFF > 0 } ?? 0
  }
}

/// A pack with a changed field is rejected, or all of its formatters are safe to use.
@Suite struct HostilePackTests {
  private static func pack() throws -> DoctoredPack {
    let data = try CustomCurrencyTests.data()
    let styles = [
      PriceStyle(), PriceStyle(zeros: .trim), PriceStyle(sign: .exceptZero, digits: .range(0...2)),
    ]
    var writer = PackWriter(styles: styles, on: try PackTests.date())
    for id in ["BGR", "EGY", "USA"] { writer.add(try Storefront(id, in: data), in: data) }
    for locale in ["de-CH", "hi-IN", "pl-PL"] {
      writer.add(try PriceLocale(locale), [try Currency("EUR"), try Currency("JPY")])
    }
    return DoctoredPack(bytes: writer.bytes(revision: "tést"))
  }

  @Test func unchangedPackIsValid() throws {
    let pack = try Self.pack()
    #expect(pack.signed == pack.bytes)
    #expect(throws: Never.self) { try Pack(pack.signed) }
    for place in [pack.formatter(kind: 2), pack.arabic, pack.plural, pack.trimmed, pack.affix] {
      #expect(place > 0)
    }
    // The changes below need several periods, and custom currencies in each storefront.
    #expect(pack.count(.periods) == 8 && pack.u16(pack.place(.periods, 2) + 2) == 1)
  }

  /// Changes of fields, each with a name.
  private struct Changes {
    private(set) var all: [(name: String, apply: @Sendable (inout DoctoredPack) -> Void)] = []

    mutating func add(_ name: String, _ apply: @escaping @Sendable (inout DoctoredPack) -> Void) {
      all.append((name, apply))
    }
  }

  private static let headerChanges: Changes = {
    var changes = Changes()
    changes.add("another layout") { $0.set(UInt16(2), at: 8) }
    changes.add("the signature") { $0.bytes[3] ^= 0x20 }
    changes.add("a size above the file's") { $0.set(UInt32($0.bytes.count + 1), at: 12) }
    changes.add("a size below the file's") { $0.set(UInt32($0.bytes.count - 8), at: 12) }
    changes.add("an index without a formatter in a period") {
      $0.set(UInt32($0.count(.formatters)), at: $0.place(.periodFormatters))
    }
    changes.add("an index without a formatter in a row") {
      $0.set(UInt32($0.count(.formatters)), at: $0.place(.rows))
    }
    changes.add("an index above all") { $0.set(UInt32.max - 1, at: $0.place(.rows)) }
    changes.add("an index without a row") {
      $0.set(UInt32($0.count(.rows) / $0.count(.currencies)), at: $0.place(.localeRows))
    }
    changes.add("a missing formatter of a period") {
      $0.setCount(.periodFormatters, $0.count(.periodFormatters) - 1)
    }
    changes.add("a missing row of a locale") { $0.setCount(.localeRows, $0.count(.localeRows) - 1) }
    changes.add("a row that is too short") { $0.setCount(.rows, $0.count(.rows) - 1) }
    changes.add("no currencies") { $0.setCount(.currencies, 0) }
    changes.add("no styles") { $0.setCount(.styles, 0) }
    changes.add("no room after the patterns") { $0.setCount(.patterns, 15) }
    changes.add("one byte less after the patterns") { $0.setCount(.patterns, $0.count(.patterns) - 1) }
    for section in 0..<13 {
      changes.add("section \(section) in the header") { $0.set(UInt32(152), at: 32 + 8 * section) }
      changes.add("section \(section) after the end") {
        $0.set(UInt32($0.bytes.count + 1), at: 32 + 8 * section)
      }
      changes.add("section \(section) at the last offset") { $0.set(UInt32.max, at: 32 + 8 * section) }
      changes.add("section \(section) with too many elements") { $0.set(UInt32.max, at: 36 + 8 * section) }
      changes.add("section \(section) whose size has 33 bits") {
        $0.set(UInt32(0x1000_0001), at: 36 + 8 * section)
      }
    }
    return changes
  }()

  private static let tableChanges: Changes = {
    var changes = Changes()
    changes.add("a text that is not UTF-8") { $0.bytes[$0.place(.texts)] = 0xFF }
    changes.add("a text after the end") { $0.set(UInt32($0.count(.texts) + 1), at: $0.place(.metadata)) }
    changes.add("a text that ends after the end") {
      let text = $0.place(.metadata, 5) + 8
      $0.set(UInt32($0.count(.texts) - $0.u32(text) + 1), at: text + 4)
    }
    changes.add("a text of 2³² bytes") { $0.set(UInt32.max, at: $0.place(.metadata) + 12) }
    changes.add("a text that ends inside a character") { $0.set(UInt32(2), at: $0.place(.metadata, 4) + 12) }
    changes.add("a text that starts inside a character") {
      let text = $0.place(.metadata, 4) + 8
      $0.set(UInt32($0.u32(text) + 2), at: text)
      $0.set(UInt32(1), at: text + 4)
    }
    changes.add("a storefront's code in small letters") { $0.bytes[$0.place(.storefronts)] |= 0x20 }
    changes.add("a storefront's code of four letters") { $0.bytes[$0.place(.storefronts) + 3] = 0x41 }
    changes.add("an alpha-2 code of digits") { $0.bytes[$0.place(.storefronts) + 4] = 0x30 }
    changes.add("an alpha-2 code of three letters") { $0.bytes[$0.place(.storefronts) + 6] = 0x41 }
    changes.add("storefronts in another order") { $0.bytes[$0.place(.storefronts)] = 0x5A }
    changes.add("equal storefronts") {
      for index in 0..<3 {
        $0.bytes[$0.place(.storefronts, 1) + index] = $0.bytes[$0.place(.storefronts) + index]
      }
    }
    changes.add("a storefront without periods") { $0.set(UInt16(0), at: $0.place(.storefronts) + 12) }
    changes.add("a storefront with too many periods") {
      $0.set(UInt16.max, at: $0.place(.storefronts, 2) + 12)
    }
    changes.add("a period of two storefronts") { $0.set(UInt32(1), at: $0.place(.storefronts, 1) + 8) }
    changes.add("a period of no storefront") { $0.set(UInt16(2), at: $0.place(.storefronts, 2) + 12) }
    changes.add("a storefront without a locale") {
      $0.set(UInt16($0.count(.locales)), at: $0.place(.storefronts) + 14)
    }
    changes.add("a period without a currency") {
      $0.set(UInt16($0.count(.currencies)), at: $0.place(.periods))
    }
    changes.add("a period of an unknown kind") { $0.set(UInt16(2), at: $0.place(.periods, 2) + 2) }
    changes.add("a custom currency first") { $0.set(UInt16(1), at: $0.place(.periods) + 2) }
    changes.add("a custom currency before a dated period") {
      $0.set(UInt16(1), at: $0.place(.periods, 1) + 2)
      $0.set(UInt16(0), at: $0.place(.periods, 2) + 2)
    }
    changes.add("a locale's tag after the end") { $0.set(UInt32($0.count(.texts)), at: $0.place(.locales)) }
    changes.add("a locale's tag that is too long") { $0.set(UInt16(256), at: $0.place(.locales) + 4) }
    changes.add("equal locales") {
      for index in 0..<6 { $0.bytes[$0.place(.locales, 1) + index] = $0.bytes[$0.place(.locales) + index] }
    }
    changes.add("a currency without a code") { $0.bytes[$0.place(.currencies)] = 0 }
    changes.add("a currency's code that is not UTF-8") { $0.bytes[$0.place(.currencies)] = 0xC3 }
    changes.add("currencies in another order") { $0.bytes[$0.place(.currencies)] = 0x5A }
    changes.add("a currency of an unknown kind") { $0.bytes[$0.place(.currencies) + 15] = 2 }
    changes.add("a spoken style that does not exist") {
      $0.set(UInt16($0.count(.styles)), at: $0.place(.styles) + 28)
    }
    return changes
  }()

  private static let formatterChanges: Changes = {
    var changes = Changes()
    changes.add("a formatter of no kind") { $0.bytes[$0.formatter(kind: 1) + 8] = 0 }
    changes.add("a formatter of a reserved kind") { $0.bytes[$0.formatter(kind: 1) + 8] = 3 }
    changes.add("a family as a pattern") { $0.bytes[$0.formatter(kind: 2) + 8] = 1 }
    changes.add("a pattern as a family") { $0.bytes[$0.formatter(kind: 1) + 8] = 2 }
    changes.add("a pattern before the patterns") { $0.set(Int32(-16), at: $0.formatter(kind: 1)) }
    changes.add("a pattern inside another one") {
      $0.set(Int32($0.i32($0.formatter(kind: 1)) + 8), at: $0.formatter(kind: 1))
    }
    changes.add("a pattern in the room after the patterns") {
      let formatter = $0.formatter(kind: 1)
      $0.set(Int32($0.place(.patterns) + $0.count(.patterns) - 16 - formatter), at: formatter)
    }
    changes.add("patterns in another order") {
      // The second formatter gets the first pattern, the first one the second.
      let (first, second) = ($0.formatter(kind: 1), $0.formatter(kind: 1) + 16)
      let (pattern, other) = (
        first + $0.i32(first),
        $0.pattern { [doctored = $0] in
          $0 > first + doctored.i32(first)
        }
      )
      $0.set(Int32(other - first), at: first)
      $0.set(Int32(pattern - second), at: second)
    }
    changes.add("a spoken form between formatters") { $0.set(Int32(8), at: $0.formatter(kind: 1) + 4) }
    changes.add("a spoken form before the formatters") { $0.set(Int32(-16), at: $0.place(.formatters) + 4) }
    changes.add("a spoken form after the formatters") {
      $0.set(Int32(16), at: $0.place(.formatters, $0.count(.formatters) - 1) + 4)
    }
    changes.add("two spoken forms of each other") {
      $0.set(Int32(16), at: $0.place(.formatters) + 4)
      $0.set(Int32(-16), at: $0.place(.formatters, 1) + 4)
    }
    changes.add("a chain of spoken forms") {
      $0.set(Int32(16), at: $0.place(.formatters) + 4)
      $0.set(Int32(16), at: $0.place(.formatters, 1) + 4)
      $0.set(Int32(0), at: $0.place(.formatters, 2) + 4)
    }
    changes.add("names before the texts") {
      let formatter = $0.formatter(kind: 1)
      $0.set(Int32($0.place(.texts) - 1 - formatter), at: formatter + 12)
    }
    changes.add("names after the texts") {
      let formatter = $0.formatter(kind: 2)
      $0.set(Int32($0.place(.texts) + $0.count(.texts) - formatter), at: formatter + 12)
    }
    changes.add("more names than texts") { $0.bytes[$0.names] = 255 }
    changes.add("an empty name") { $0.bytes[$0.names + 1] = 0 }
    changes.add("a name beyond the last text") {
      // The last byte of the texts is the number of names.
      let (formatter, last) = ($0.formatter(kind: 1), $0.place(.texts) + $0.count(.texts) - 1)
      $0.bytes[last] = 1
      $0.set(Int32(last - formatter), at: formatter + 12)
    }
    changes.add("a family before the families") { $0.set(Int32(-16), at: $0.formatter(kind: 2)) }
    changes.add("a family at the end") {
      let formatter = $0.formatter(kind: 2)
      $0.set(Int32($0.place(.families) + 4 * $0.count(.families) - formatter), at: formatter)
    }
    changes.add("a family whose members are after the end") {
      let formatter = $0.formatter(kind: 2)
      $0.set(Int32($0.place(.families) + 4 * $0.count(.families) - 4 - formatter), at: formatter)
    }
    changes.add("a family with fewer than the minimum of digits") { $0.bytes[$0.family] = 3 }
    changes.add("a family with too many digits") { $0.bytes[$0.family + 1] = 19 }
    changes.add("a family with one more digit") { $0.bytes[$0.family + 1] += 1 }
    changes.add("a family with one less digit") { $0.bytes[$0.family + 1] -= 1 }
    changes.add("a family with two zeros") { $0.bytes[$0.family + 2] = 2 }
    changes.add("a family that is its own member") { $0.set(Int32(0), at: $0.family + 4) }
    changes.add("a family that is a member of another one") { $0.set(Int32(16), at: $0.family + 4) }
    changes.add("a member between formatters") { $0.set(Int32($0.i32($0.family + 4) + 4), at: $0.family + 4) }
    changes.add("a member before the formatters") { $0.set(Int32.min, at: $0.family + 4) }
    changes.add("a member with other digits") { $0.set(Int32($0.i32($0.family + 8)), at: $0.family + 4) }
    for distance in [Int32.min, .max, 1 << 24, -(1 << 24)] {
      changes.add("a pattern at the distance \(distance)") { $0.set(distance, at: $0.formatter(kind: 1)) }
      changes.add("a family at the distance \(distance)") { $0.set(distance, at: $0.formatter(kind: 2)) }
      changes.add("a spoken form at the distance \(distance)") {
        $0.set(distance, at: $0.formatter(kind: 1) + 4)
      }
      changes.add("a member at the distance \(distance)") { $0.set(distance, at: $0.family + 4) }
    }
    return changes
  }()

  private static let patternChanges: Changes = {
    var changes = Changes()
    changes.add("a pattern of another kind") { $0.bytes[$0.pattern()] = 2 }
    changes.add("digits without bytes") { $0.bytes[$0.pattern() + 1] = 0 }
    changes.add("digits of five bytes") { $0.bytes[$0.pattern() + 1] = 5 }
    changes.add("19 decimals") { $0.bytes[$0.pattern() + 2] = 19 }
    changes.add("groups without digits") { $0.bytes[$0.pattern() + 3] = 0 }
    changes.add("later groups without digits") { $0.bytes[$0.pattern() + 4] = 0 }
    changes.add("groups of all digits") { $0.bytes[$0.pattern() + 5] = 3 }
    changes.add("no plural category") { $0.bytes[$0.pattern() + 6] = 0 }
    changes.add("seven plural categories") { $0.bytes[$0.pattern() + 6] = 7 }
    changes.add("an unknown kind of decimal separator") { $0.bytes[$0.pattern() + 7] = 10 }
    changes.add("the zeros of other digits") { $0.bytes[$0.pattern() + 8] = 1 }
    changes.add("a capacity that is too small") {
      $0.set(UInt16($0.u16($0.pattern() + 16) - 1), at: $0.pattern() + 16)
    }
    changes.add("a capacity that is too large") {
      $0.set(UInt16($0.u16($0.pattern() + 16) + 1), at: $0.pattern() + 16)
    }
    changes.add("a size without the fields") { $0.set(UInt16(39), at: $0.pattern() + 18) }
    changes.add("a size that is too small") {
      $0.set(UInt16($0.u16($0.pattern() + 18) - 1), at: $0.pattern() + 18)
    }
    changes.add("a size that includes other patterns") {
      $0.set(UInt16($0.u16($0.pattern() + 18) + 8), at: $0.pattern() + 18)
    }
    changes.add("the last size") { $0.set(UInt16.max, at: $0.pattern() + 18) }
    changes.add("a group separator outside") { $0.set(UInt16.max, at: $0.pattern() + 20) }
    changes.add("a long group separator") { $0.set(UInt16.max, at: $0.pattern() + 22) }
    changes.add("a decimal separator outside") { $0.set(UInt16.max, at: $0.pattern() + 24) }
    changes.add("a group separator that is not UTF-8") {
      $0.bytes[$0.pattern() + $0.u16($0.pattern() + 20)] = 0x80
    }
    changes.add("digits at the end") { $0.set(UInt16($0.u16($0.arabic + 18) - 39), at: $0.arabic + 28) }
    changes.add("digits outside") { $0.set(UInt16.max, at: $0.arabic + 28) }
    changes.add("digits that are not UTF-8") { $0.bytes[$0.arabic + $0.u16($0.arabic + 28)] = 0xFF }
    changes.add("the zeros of other digits of two bytes") { $0.bytes[$0.arabic + 9] ^= 1 }
    changes.add("digits that are not consecutive") { $0.bytes[$0.arabic + $0.u16($0.arabic + 28) + 37] ^= 1 }
    changes.add("affixes in the fields") { $0.set(UInt16(8), at: $0.trimmed + 30) }
    changes.add("affixes outside") { $0.set(UInt16.max, at: $0.trimmed + 30) }
    changes.add("affixes at the end") { $0.set(UInt16($0.u16($0.trimmed + 18) - 31), at: $0.trimmed + 30) }
    changes.add("plural rules at the end") { $0.set(UInt16($0.u16($0.plural + 18) - 3), at: $0.plural + 32) }
    changes.add("plural rules outside") { $0.set(UInt16.max, at: $0.plural + 32) }
    changes.add("one more relation") { $0.bytes[$0.rules] += 1 }
    changes.add("255 relations") { $0.bytes[$0.rules] = 255 }
    changes.add("no category other") { $0.bytes[$0.rules + 1] &= ~0x20 }
    changes.add("an unknown category") { $0.bytes[$0.rules + 1] |= 0x40 }
    changes.add("more categories than affixes") { $0.bytes[$0.rules + 1] = 0x3F }
    changes.add("rules that are too long") { $0.set(UInt16.max, at: $0.rules + 2) }
    changes.add("rules that are too short") { $0.set(UInt16(4), at: $0.rules + 2) }
    changes.add("an unknown operand") { $0.bytes[$0.rules + 4] = 7 }
    changes.add("255 ranges") { $0.bytes[$0.rules + 6] = 255 }
    changes.add("a relation of an unknown category") { $0.bytes[$0.rules + 7] = 6 }
    changes.add("no rounding step") { $0.set(UInt32(0), at: $0.pattern() + 36) }
    changes.add("a large rounding step") { $0.set(UInt32(1_000_001), at: $0.pattern() + 36) }
    changes.add("an affix outside") { $0.set(UInt16.max, at: $0.affix) }
    changes.add("an affix that is too long") { $0.set(UInt16.max - 1, at: $0.affix + 2) }
    changes.add("parts outside") { $0.set(UInt16.max, at: $0.affix + 4) }
    changes.add("33 parts") { $0.set(UInt16(33), at: $0.affix + 6) }
    changes.add("a part of an unknown kind") { $0.bytes[$0.pattern() + $0.u16($0.affix + 4)] = 10 }
    changes.add("a part that is too long") { $0.bytes[$0.pattern() + $0.u16($0.affix + 4) + 1] += 1 }
    return changes
  }()

  private static let parts = [headerChanges, tableChanges, formatterChanges, patternChanges]

  @Test(arguments: parts.indices)
  func rejectsInvalidFields(part: Int) throws {
    let pack = try Self.pack()
    for (name, apply) in Self.parts[part].all {
      var doctored = pack
      apply(&doctored)
      #expect(doctored.bytes != pack.bytes, "\(name)")
      let error = #expect(throws: PriceTagError.self, "\(name)") { try Pack(doctored.signed) }
      #expect(error?.code == .invalidPack, "\(name)")
    }
  }

  /// Texts and locales that share their bytes cannot make a check longer than the pack allows.
  @Test func rejectsLongTexts() throws {
    for length in [255, 256, 60_000] {
      var pack = try Self.pack()
      // The texts become one section of letters at the end, which the tag of the last locale uses.
      let start = pack.bytes.count
      let texts = pack.place(.texts)..<pack.place(.texts) + pack.count(.texts)
      pack.bytes += pack.bytes[texts] + Array(repeating: 0x7A, count: 60_000)
      pack.set(UInt32(start), at: 32)
      pack.setCount(.texts, texts.count + 60_000)
      for place in (0..<pack.count(.formatters)).map({ pack.place(.formatters, $0) + 12 })
      where pack.u32(place) != 0 {
        pack.set(Int32(pack.i32(place) + start - texts.lowerBound), at: place)
      }
      pack.set(UInt32(pack.bytes.count), at: 12)
      let last = pack.place(.locales, pack.count(.locales) - 1)
      pack.set(UInt32(texts.count), at: last)
      pack.set(UInt16(length), at: last + 4)
      if length <= 255 {
        #expect(try Pack(pack.signed).locales.last?.utf8.count == length)
      } else {
        #expect(throws: PriceTagError.self) { try Pack(pack.signed) }
      }
    }
  }

  /// Packs with random changes are rejected, or their contents can be listed and their formatters used.
  @Test func acceptedPacksAreSafe() throws {
    let original = try Self.pack()
    var numbers = SeededNumbers(seed: 21)
    var accepted = 0
    for _ in 0..<300 {
      var pack = original
      for _ in 0..<Int.random(in: 1...2, using: &numbers) {
        let place = Int.random(in: 24..<pack.bytes.count, using: &numbers)
        pack.bytes[place] =
          Bool.random(using: &numbers) ? UInt8.random(in: 0...255, using: &numbers) : pack.bytes[place] ^ 1
      }
      guard let pack = try? Pack(pack.signed) else { continue }
      accepted += 1
      _ = (pack.versions, pack.storefronts, pack.locales, pack.currencyContents)
      _ = (try? pack.storefrontContents, try? pack.styles)
      for index in stride(from: accepted % 7, to: pack.formatterCount, by: 7) {
        let formatter = pack.formatter(at: index)
        for amount: Amount in ["0", "-1.5", "1234567.891", "-9223372036854775808", "0.000000000000000001"] {
          for formatter in [formatter, formatter.spoken].compactMap(\.self) {
            _ = try? formatter.string(for: amount, rounding: .halfUp)
            _ = try? formatter.parts(of: amount, rounding: .up)
            _ = try? formatter.direction(of: amount, rounding: .down)
          }
        }
      }
    }
    #expect(accepted > 20, "\(accepted)")
  }
}
