/// The reason why bytes are not a pack that can be used. The raw values are status codes of the C library;
/// they never change.
enum PackDamage: UInt8, Error {
  /// The bytes do not start like a pack.
  case notAPack = 6
  /// The pack has a layout of another version.
  case otherVersion = 7
  /// The number of bytes is not the one in the header.
  case truncated = 8
  /// The checksum does not match the bytes.
  case checksum = 9
  /// A field has an invalid value, such as an offset outside the pack.
  case invalidField = 10
}

/// Checks every field of a pack once, so that its readers need no checks.
///
/// The time is proportional to the number of bytes, for hostile bytes too: texts and patterns may share bytes, but each is
/// checked once or has a small maximum length.
struct PackCheck {
  private let pack: PackBytes
  private let bytes: UnsafeRawBufferPointer

  /// The maximum length of the tag of a locale, and of the texts of the metadata.
  private static let maximumTextLength = 255

  /// Returns the pack in memory after checking it.
  static func pack(in bytes: UnsafeRawBufferPointer) throws(PackDamage) -> PackBytes {
    guard let start = bytes.baseAddress, bytes.count >= 12, start.uint64(at: 0) == PackBytes.signature else {
      throw .notAPack
    }
    guard start.uint16(at: PackBytes.Field.majorVersion) == PackBytes.majorVersion else {
      throw .otherVersion
    }
    guard bytes.count >= PackBytes.headerSize, bytes.count <= Int(Int32.max),
      UInt64(start.uint32(at: PackBytes.Field.size)) == UInt64(truncatingIfNeeded: bytes.count)
    else { throw .truncated }
    guard PackBytes.checksum(start, size: bytes.count) == start.uint64(at: PackBytes.Field.checksum) else {
      throw .checksum
    }
    let check = PackCheck(pack: PackBytes(start: start), bytes: bytes)
    guard check.sectionsAreValid, check.storefrontsAreValid, check.localesAreValid, check.currenciesAreValid,
      check.stylesAreValid, check.formattersAreValid
    else { throw .invalidField }
    return check.pack
  }

  // MARK: Sections

  private var sectionsAreValid: Bool {
    var section = 0
    while section < PackBytes.Section.count {
      guard let kind = PackBytes.Section(rawValue: section) else { return false }
      let place = PackBytes.Field.sections &+ section &* 8
      let offset = UInt64(pack.start.uint32(at: place))
      let length = UInt64(pack.start.uint32(at: place &+ 4)) &* UInt64(truncatingIfNeeded: kind.elementSize)
      guard offset >= UInt64(truncatingIfNeeded: PackBytes.headerSize),
        offset &+ length <= UInt64(truncatingIfNeeded: bytes.count)
      else { return false }
      section &+= 1
    }
    // `PhraseCheck` checks what is inside.
    let phrases = pack.phrases
    guard phrases.count == 0 || phrases.offset >= Int64(PackBytes.headerSize),
      phrases.offset &+ phrases.count <= Int64(truncatingIfNeeded: bytes.count)
    else { return false }
    let styles = UInt64(truncatingIfNeeded: pack.count(.styles))
    let locales = UInt64(truncatingIfNeeded: pack.count(.locales))
    let periods = UInt64(truncatingIfNeeded: pack.count(.periods))
    return pack.count(.patterns) >= PatternBytes.slack
      && UInt64(truncatingIfNeeded: pack.count(.localeRows)) == styles &* locales
      && UInt64(truncatingIfNeeded: pack.count(.periodFormatters)) == styles &* periods
      && indicesAreValid(.periodFormatters, below: pack.count(.formatters))
      && indicesAreValid(.rows, below: pack.count(.formatters))
      && rowsAreValid && isUTF8(pack.bytes(.texts), count: pack.count(.texts)) && metadataIsValid
  }

  private var rowsAreValid: Bool {
    let columns = pack.count(.currencies)
    guard columns > 0 else { return pack.count(.rows) == 0 && indicesAreValid(.localeRows, below: 0) }
    return pack.count(.rows) % columns == 0
      && indicesAreValid(.localeRows, below: pack.count(.rows) / columns)
  }

  private var metadataIsValid: Bool {
    var index = 0
    while index < pack.count(.metadata) {
      let entry = pack.element(index, of: .metadata)
      guard isText(entry.uint32(at: 0), entry.uint32(at: 4)),
        isText(entry.uint32(at: 8), entry.uint32(at: 12))
      else { return false }
      index &+= 1
    }
    return true
  }

  /// Returns whether all indices of a section are below a count, or refer to nothing.
  private func indicesAreValid(_ section: PackBytes.Section, below count: Int) -> Bool {
    let start = pack.bytes(section)
    let limit = UInt32(truncatingIfNeeded: count)
    var left = pack.count(section)
    while left > 0 {
      left &-= 1
      let index = start.uint32(at: left &* 4)
      guard index < limit || index == PackBytes.none else { return false }
    }
    return true
  }

  /// Returns whether a text is in the section of texts and has no part of a character. The section is UTF-8.
  private func isText(_ offset: UInt32, _ length: UInt32) -> Bool {
    let end = UInt64(offset) &+ UInt64(length)
    guard length <= Self.maximumTextLength, end <= UInt64(truncatingIfNeeded: pack.count(.texts)) else {
      return false
    }
    return startsCharacter(Int(truncatingIfNeeded: offset)) && startsCharacter(Int(truncatingIfNeeded: end))
  }

  /// Returns whether a character of the section of texts starts at an offset, or the section ends there.
  private func startsCharacter(_ offset: Int) -> Bool {
    offset == pack.count(.texts) || pack.bytes(.texts).uint8(at: offset) & 0xC0 != 0x80
  }

  // MARK: Storefronts, locales, currencies and styles

  private var storefrontsAreValid: Bool {
    // Each period belongs to one storefront, in order.
    var nextPeriod = 0
    var index = 0
    while index < pack.count(.storefronts) {
      let storefront = pack.element(index, of: .storefronts)
      let first = Int(truncatingIfNeeded: storefront.uint32(at: PackBytes.Storefront.firstPeriod))
      let count = storefront.uint16(at: PackBytes.Storefront.periodCount)
      guard first == nextPeriod, count <= pack.count(.periods) &- nextPeriod,
        periodsAreValid(first, first &+ count),
        isCode(storefront + PackBytes.Storefront.id, length: 3),
        isCode(storefront + PackBytes.Storefront.alpha2, length: 2),
        storefront.uint16(at: PackBytes.Storefront.locale) < pack.count(.locales)
      else { return false }
      if index > 0,
        PackBytes.compare(pack.id(ofStorefront: index &- 1), pack.id(ofStorefront: index)) >= 0
      {
        return false
      }
      nextPeriod = first &+ count
      index &+= 1
    }
    return nextPeriod == pack.count(.periods)
  }

  /// Returns whether the periods of a storefront are valid: at least one dated period, and the custom currencies after them.
  private func periodsAreValid(_ first: Int, _ end: Int) -> Bool {
    typealias Period = PackBytes.Period
    var last = Period.dated
    var index = first
    while index < end {
      let period = pack.element(index, of: .periods)
      let kind = period.uint16(at: Period.kind)
      guard period.uint16(at: Period.currency) < pack.count(.currencies), kind >= last, kind <= Period.custom,
        index > first || kind == Period.dated
      else { return false }
      last = kind
      index &+= 1
    }
    return end > first
  }

  /// Returns whether there are capital letters at a place, and zeros after them, four bytes in all.
  private func isCode(_ place: UnsafeRawPointer, length: Int) -> Bool {
    var index = 0
    while index < 4 {
      let byte = place.uint8(at: index)
      guard index < length ? byte >= 0x41 && byte <= 0x5A : byte == 0 else { return false }
      index &+= 1
    }
    return true
  }

  private var localesAreValid: Bool {
    var index = 0
    while index < pack.count(.locales) {
      let locale = pack.element(index, of: .locales)
      let length = UInt32(truncatingIfNeeded: locale.uint16(at: PackBytes.Locale.textLength))
      guard isText(locale.uint32(at: PackBytes.Locale.text), length) else { return false }
      if index > 0, PackBytes.compare(pack.text(ofLocale: index &- 1), pack.text(ofLocale: index)) >= 0 {
        return false
      }
      index &+= 1
    }
    return true
  }

  private var currenciesAreValid: Bool {
    guard pack.count(.currencies) < 0xFFFF else { return false }
    var index = 0
    while index < pack.count(.currencies) {
      let code = pack.code(ofCurrency: index)
      guard let start = code.baseAddress, code.count > 0, isUTF8(start, count: code.count),
        pack.element(index, of: .currencies).uint8(at: PackBytes.Currency.kind) <= 1
      else { return false }
      if index > 0, PackBytes.compare(pack.code(ofCurrency: index &- 1), code) >= 0 { return false }
      index &+= 1
    }
    return true
  }

  private var stylesAreValid: Bool {
    guard pack.count(.styles) < 0xFFFF else { return false }
    var index = 0
    while index < pack.count(.styles) {
      let spoken = pack.element(index, of: .styles).uint16(at: PackBytes.Style.spoken)
      guard spoken < pack.count(.styles) || spoken == 0xFFFF else { return false }
      index &+= 1
    }
    return true
  }

  // MARK: Formatters

  private var formattersAreValid: Bool {
    let formatters = pack.bytes(.formatters)
    let formattersEnd = pack.count(.formatters) &* PackBytes.Formatter.size
    let patterns = pack.bytes(.patterns)
    let patternsEnd = pack.count(.patterns) &- PatternBytes.slack
    // The patterns are in order and do not overlap, so that each is checked once.
    var last = -1
    var end = 0
    var place = 0
    while place < formattersEnd {
      let formatter = formatters + place
      let distance = distance(at: formatter + PackBytes.Formatter.pattern)
      switch formatter.uint8(at: PackBytes.Formatter.kind) {
      case PackBytes.patternFormatter:
        let offset = Int64(formatter - patterns) &+ distance
        guard offset >= 0, offset <= Int64(patternsEnd) else { return false }
        let pattern = Int(truncatingIfNeeded: offset)
        if pattern != last {
          guard pattern >= end, patternsEnd &- pattern >= PatternBytes.Field.affixes else { return false }
          let check = PatternCheck(start: patterns + pattern, available: patternsEnd &- pattern)
          guard check.isValid else { return false }
          (last, end) = (pattern, pattern &+ check.size)
        }
      case PackBytes.familyFormatter: guard isFamily(at: distance, of: place) else { return false }
      default: return false
      }
      guard hasValidSpokenForm(place), hasValidNames(place) else { return false }
      place &+= PackBytes.Formatter.size
    }
    return true
  }

  private func distance(at place: UnsafeRawPointer) -> Int64 {
    Int64(Int32(bitPattern: place.uint32(at: 0)))
  }

  /// Returns whether there is a formatter at a distance from another one.
  private func isFormatter(at distance: Int64, of place: Int) -> Bool {
    let other = Int64(truncatingIfNeeded: place) &+ distance
    let size = Int64(truncatingIfNeeded: PackBytes.Formatter.size)
    let end = Int64(truncatingIfNeeded: pack.count(.formatters)) &* size
    return other >= 0 && other < end && other % size == 0
  }

  /// Returns whether a formatter has a formatter of the spoken form, which must be its own spoken form, or none.
  private func hasValidSpokenForm(_ place: Int) -> Bool {
    let formatter = pack.bytes(.formatters) + place
    guard formatter.uint32(at: PackBytes.Formatter.spoken) != PackBytes.none else { return true }
    let distance = distance(at: formatter + PackBytes.Formatter.spoken)
    guard isFormatter(at: distance, of: place) else { return false }
    let spoken = formatter + Int(truncatingIfNeeded: distance)
    return spoken.uint32(at: PackBytes.Formatter.spoken) == 0
  }

  /// Returns whether a formatter has names of its currency in the section of texts, or none.
  private func hasValidNames(_ place: Int) -> Bool {
    let formatter = pack.bytes(.formatters) + place
    let distance = distance(at: formatter + PackBytes.Formatter.names)
    guard distance != 0 else { return true }
    let offset = Int64(formatter - pack.bytes(.texts)) &+ distance
    let end = Int64(truncatingIfNeeded: pack.count(.texts))
    guard offset >= 0, offset < end else { return false }
    let names = pack.bytes(.texts) + Int(truncatingIfNeeded: offset)
    let room = Int(truncatingIfNeeded: min(end &- offset, Int64(FoldedNames.maximumCount)))
    var (left, next) = (names.uint8(at: 0), 1)
    while left > 0 {
      guard next < room, names.uint8(at: next) > 0, names.uint8(at: next) < room &- next else { return false }
      next &+= names.uint8(at: next) &+ 1
      left &-= 1
    }
    return true
  }

  /// Returns whether there is a family at a distance from its formatter. Its members must be formatters with one pattern of
  /// as many digits as the member is for, and must come before the family, so that they have been checked.
  private func isFamily(at distance: Int64, of place: Int) -> Bool {
    let formatter = pack.bytes(.formatters) + place
    let offset = Int64(formatter - pack.bytes(.families)) &+ distance
    let end = Int64(truncatingIfNeeded: pack.count(.families)) &* 4
    guard offset >= 0, offset &+ 4 <= end else { return false }
    let family = pack.bytes(.families) + Int(truncatingIfNeeded: offset)
    let minimumDigits = family.uint8(at: PackBytes.Family.minimumDigits)
    let maximumDigits = family.uint8(at: PackBytes.Family.maximumDigits)
    let hasZero = family.uint8(at: PackBytes.Family.hasZero)
    guard minimumDigits <= maximumDigits, maximumDigits <= Amount.maximumScale, hasZero <= 1 else {
      return false
    }
    let count = maximumDigits &- minimumDigits &+ 1 &+ hasZero
    guard offset &+ 4 &+ 4 &* Int64(truncatingIfNeeded: count) <= end else { return false }
    var index = 0
    while index < count {
      let distance = self.distance(at: family + (PackBytes.Family.members &+ 4 &* index))
      guard distance < 0, isFormatter(at: distance, of: place) else { return false }
      let member = formatter + Int(truncatingIfNeeded: distance)
      guard member.uint8(at: PackBytes.Formatter.kind) == PackBytes.patternFormatter else { return false }
      let pattern = PatternBytes(start: member + Int(truncatingIfNeeded: self.distance(at: member)))
      let digits = minimumDigits &+ index
      guard pattern.fractionDigits == (digits <= maximumDigits ? digits : minimumDigits) else { return false }
      index &+= 1
    }
    return true
  }
}
