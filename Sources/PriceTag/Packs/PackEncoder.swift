/// Encodes the sections of a pack.
struct PackEncoder {
  private var sections = Array(repeating: [UInt8](), count: PackBytes.Section.count)
  private var texts: [String: Int] = [:]

  // MARK: Elements

  /// Appends the place of a text: its offset and length.
  mutating func append(text: String, to section: PackBytes.Section) {
    append32(offset(of: text), to: section)
    append32(text.utf8.count, to: section)
  }

  /// Appends an index; `nil` refers to nothing.
  mutating func append(index: Int?, to section: PackBytes.Section) {
    append32(index ?? Int(PackBytes.none), to: section)
  }

  mutating func append(locale tag: String) {
    append32(offset(of: tag), to: .locales)
    append16(tag.utf8.count, to: .locales)
    append16(0, to: .locales)
  }

  mutating func append(_ currency: Currency) {
    append(ascii: currency.code, length: PackBytes.Currency.codeLength, to: .currencies)
    append8(currency.minorUnitDigits ?? PackBytes.Currency.noMinorUnit, to: .currencies)
    append8(currency.standardDisplay.digits, to: .currencies)
    append8(currency.cashDisplay.digits, to: .currencies)
    append8(currency.kind == .custom ? 1 : 0, to: .currencies)
    append32(currency.cashDisplay.step, to: .currencies)
    append32(0, to: .currencies)
  }

  mutating func append(_ style: Pack.StyleContents, spoken: Int?) {
    sections[PackBytes.Section.styles.rawValue] += style.key
    append16(spoken ?? 0xFFFF, to: .styles)
    append16(0, to: .styles)
  }

  /// Appends a storefront, whose periods must follow.
  mutating func append(_ storefront: Storefront, periodCount: Int, locale: Int) {
    let firstPeriod = count(.periods)
    append(ascii: storefront.id, length: 4, to: .storefronts)
    append(ascii: storefront.alpha2, length: 4, to: .storefronts)
    append32(firstPeriod, to: .storefronts)
    append16(periodCount, to: .storefronts)
    append16(locale, to: .storefronts)
  }

  /// Appends a period; `nil` for one without a start or an end.
  mutating func append(
    period firstDay: CalendarDate?,
    _ lastDay: CalendarDate?,
    currency: Int,
    isCustom: Bool
  ) {
    append16(currency, to: .periods)
    append16(isCustom ? PackBytes.Period.custom : PackBytes.Period.dated, to: .periods)
    append32(firstDay.map(\.packNumber) ?? 0, to: .periods)
    append32(lastDay.map(\.packNumber) ?? Int(PackBytes.none), to: .periods)
  }

  /// Appends a formatter with one pattern.
  ///
  /// - Parameters:
  ///   - place: The index of the formatter.
  ///   - pattern: The offset of its pattern in the section of patterns.
  ///   - distanceToSpoken: The index of the spoken form's formatter, relative to this one, or `nil`.
  ///   - names: The names of the currency, as `FoldedNames` has them; empty without names.
  mutating func append(formatter place: Int, pattern: Int, distanceToSpoken: Int?, names: [UInt8]) {
    append(formatter: place, PackBytes.patternFormatter, pattern, distanceToSpoken, names)
  }

  /// Appends a formatter with a family.
  ///
  /// - Parameters:
  ///   - place: The index of the formatter.
  ///   - digits: The numbers of digits after the decimal point.
  ///   - hasZero: Whether the last member formats zero.
  ///   - members: The indices of the members' formatters, relative to this one.
  ///   - distanceToSpoken: The index of the spoken form's formatter, relative to this one, or `nil`.
  ///   - names: The names of the currency, as `FoldedNames` has them.
  mutating func append(
    formatter place: Int,
    digits: ClosedRange<Int>,
    hasZero: Bool,
    members: [Int],
    distanceToSpoken: Int?,
    names: [UInt8]
  ) {
    append(formatter: place, PackBytes.familyFormatter, 4 * count(.families), distanceToSpoken, names)
    append8(digits.lowerBound, to: .families)
    append8(digits.upperBound, to: .families)
    append8(hasZero ? 1 : 0, to: .families)
    append8(0, to: .families)
    for member in members { append32(member * PackBytes.Formatter.size, to: .families) }
  }

  private mutating func append(
    formatter place: Int,
    _ kind: Int,
    _ offset: Int,
    _ distanceToSpoken: Int?,
    _ names: [UInt8]
  ) {
    // The distances to other sections are completed when these have a place. One more than an offset is above 0.
    append32(offset - place * PackBytes.Formatter.size, to: .formatters)
    append32(distanceToSpoken.map { $0 * PackBytes.Formatter.size } ?? Int(PackBytes.none), to: .formatters)
    append32(kind, to: .formatters)
    append32(names.isEmpty ? 0 : 1 + self.offset(of: String(decoding: names, as: UTF8.self)), to: .formatters)
  }

  mutating func append(pattern: [UInt8]) {
    sections[PackBytes.Section.patterns.rawValue] += pattern
  }

  // MARK: The pack

  /// Returns the bytes of the pack. Each section starts at a multiple of eight bytes.
  ///
  /// - Parameter phrases: The section of phrases; empty for a pack that has none, which earlier versions wrote too.
  func bytes(phrases: [UInt8]) -> [UInt8] {
    typealias Field = PackBytes.Field
    var encoder = self
    encoder.sections[PackBytes.Section.patterns.rawValue] += Array(repeating: 0, count: PatternBytes.slack)
    var pack = [UInt8](repeating: 0, count: PackBytes.headerSize)
    var offsets: [Int] = []
    for section in encoder.sections {
      offsets.append(pack.count)
      pack += section
      pack += Array(repeating: 0, count: (8 - pack.count % 8) % 8)
    }
    for (index, offset) in offsets.enumerated() {
      let count = PackBytes.Section(rawValue: index).map { encoder.count($0) } ?? 0
      store(offset, at: Field.sections + 8 * index, length: 4, in: &pack)
      store(count, at: Field.sections + 8 * index + 4, length: 4, in: &pack)
    }
    if !phrases.isEmpty {
      store(pack.count, at: PhraseBytes.headerPlace, length: 4, in: &pack)
      store(phrases.count, at: PhraseBytes.headerPlace + 4, length: 4, in: &pack)
      pack += phrases
    }
    let formatters = offsets[PackBytes.Section.formatters.rawValue]
    for index in 0..<encoder.count(.formatters) {
      let place = formatters + index * PackBytes.Formatter.size + PackBytes.Formatter.pattern
      let (offset, kind) = pack.withUnsafeBytes { bytes in
        bytes.baseAddress.map {
          (
            Int(Int32(bitPattern: $0.uint32(at: place))),
            $0.uint8(at: place - PackBytes.Formatter.pattern + PackBytes.Formatter.kind)
          )
        } ?? (0, 0)
      }
      let section: PackBytes.Section = kind == PackBytes.familyFormatter ? .families : .patterns
      store(offset + offsets[section.rawValue] - formatters, at: place, length: 4, in: &pack)
      let namesPlace = place - PackBytes.Formatter.pattern + PackBytes.Formatter.names
      let names = pack.withUnsafeBytes { $0.baseAddress.map { Int($0.uint32(at: namesPlace)) } ?? 0 }
      guard names > 0 else { continue }
      let distance =
        names - 1 + offsets[PackBytes.Section.texts.rawValue] - (namesPlace - PackBytes.Formatter.names)
      store(distance, at: namesPlace, length: 4, in: &pack)
    }
    let signature = Int(bitPattern: UInt(PackBytes.signature))
    store(signature, at: Field.signature, length: 8, in: &pack)
    store(PackBytes.majorVersion, at: Field.majorVersion, length: 2, in: &pack)
    let minorVersion = phrases.isEmpty ? PackBytes.minorVersion : PhraseBytes.minorVersion
    store(minorVersion, at: Field.minorVersion, length: 2, in: &pack)
    store(pack.count, at: Field.size, length: 4, in: &pack)
    let checksum = pack.withUnsafeBytes { bytes in
      bytes.baseAddress.map { PackBytes.checksum($0, size: bytes.count) } ?? 0
    }
    store(Int(bitPattern: UInt(checksum)), at: Field.checksum, length: 8, in: &pack)
    return pack
  }

  /// Returns the number of elements of a section.
  private func count(_ section: PackBytes.Section) -> Int {
    sections[section.rawValue].count / section.elementSize
  }

  private mutating func offset(of text: String) -> Int {
    if let offset = texts[text] { return offset }
    let offset = sections[PackBytes.Section.texts.rawValue].count
    texts[text] = offset
    sections[PackBytes.Section.texts.rawValue] += Array(text.utf8)
    return offset
  }

  private mutating func append(ascii text: String, length: Int, to section: PackBytes.Section) {
    let bytes = Array(text.utf8.prefix(length))
    sections[section.rawValue] += bytes + Array(repeating: 0, count: length - bytes.count)
  }

  private mutating func append8(_ value: Int, to section: PackBytes.Section) {
    sections[section.rawValue].append(UInt8(truncatingIfNeeded: value))
  }

  private mutating func append16(_ value: Int, to section: PackBytes.Section) {
    sections[section.rawValue] += (0..<2).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private mutating func append32(_ value: Int, to section: PackBytes.Section) {
    sections[section.rawValue] += (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private func store(_ value: Int, at place: Int, length: Int, in pack: inout [UInt8]) {
    for index in 0..<length { pack[place + index] = UInt8(truncatingIfNeeded: value >> (8 * index)) }
  }
}

extension CalendarDate {
  /// The date as a number, such as 20260131.
  var packNumber: Int { year * 10_000 + month * 100 + day }
}

extension UnitPriceReference {
  /// The text that identifies the reference in a pack: the canonical one in ASCII, without its spaces if it has more than 8
  /// characters.
  ///
  ///     UnitPriceReference.hundredMilliliters.packText      // "100 mL"
  ///     UnitPriceReference.squareMeter.packText             // "m2"
  ///     try UnitPriceReference(100, .fluidOunce).packText   // "100floz"
  package var packText: String {
    let text = description.replacing("²", with: "2").replacing("³", with: "3")
    return text.utf8.count <= PackBytes.Style.unitLength ? text : text.filter { $0 != " " }
  }

  /// Creates the reference that a text identifies in a pack; `nil` for any other text.
  package init?(packText: String) {
    let all = ContentUnit.allCases.filter { $0 != .piece }.flatMap { unit in
      Self.quantities.compactMap { try? UnitPriceReference($0, unit) }
    }
    guard let reference = all.first(where: { $0.packText == packText }) else { return nil }
    self = reference
  }
}

extension Pack.StyleContents {
  /// The bytes that identify the style in a pack.
  var key: [UInt8] { style.packKey(per: reference) }

  /// The style of the spoken form.
  var spoken: Pack.StyleContents { Pack.StyleContents(style: style.spoken, reference: reference) }
}

extension PriceStyle {
  /// Returns the bytes that identify the style in a pack. Each option has the place of its value in the list of all values.
  ///
  /// - Parameter reference: The reference of unit prices; `nil` for other prices.
  func packKey(per reference: UnitPriceReference?) -> [UInt8] {
    var key = [UInt8](repeating: 0, count: PackBytes.Style.keyLength)
    (key[0], key[1], key[2]) = (UInt8(width.place), UInt8(zeros.place), UInt8(sign.place))
    (key[6], key[7], key[8]) = (UInt8(grouping.place), UInt8(notation.place), UInt8(qualifier.place))
    switch digits {
    case .standard: break
    case .cash: key[3] = 1
    case .minorUnits: key[3] = 4
    case .fixed(let count): (key[3], key[4], key[5]) = (2, UInt8(count), UInt8(count))
    case .range(let range):
      (key[3], key[4], key[5]) = (3, UInt8(range.lowerBound), UInt8(range.upperBound))
    }
    typealias Style = PackBytes.Style
    func store(_ text: String?, at place: Int, length: Int) {
      for (index, byte) in (text ?? "").utf8.prefix(length).enumerated() { key[place + index] = byte }
    }
    store(numberingSystem, at: Style.numbering, length: Style.numberingLength)
    store(reference?.packText, at: Style.unit, length: Style.unitLength)
    return key
  }
}
