/// The reason why a pack has no formatter for a request. The raw values are status codes of the C library;
/// they never change.
enum PackProblem: UInt8, Error {
  case unknownStorefront = 11
  case unknownLocale = 12
  case unknownCurrency = 13
  /// The pack has no formatters of this style.
  case missingStyle = 14
  /// The pack has the locale, the currency and the style, but not this combination.
  case missingFormatter = 15
  /// The storefront has charged several currencies, and the request has no date.
  case missingDate = 16
  /// The storefront does not charge the currency on the date.
  case currencyMismatch = 20
}

extension PackBytes {
  /// A storefront on a date, as indices.
  struct StorefrontPeriod {
    let period: Int
    let currency: Int
    let locale: Int
  }

  /// Returns the currency and the price locale of a storefront on a date.
  ///
  /// - Parameters:
  ///   - id: The App Store's identifier, or the alpha-2 code, in any case.
  ///   - date: The date that decides the currency, as a number such as 20260101; 0 if the storefront has always charged
  ///     the same currency.
  func period(
    ofStorefront id: UnsafeRawBufferPointer,
    on date: UInt32
  ) throws(PackProblem) -> StorefrontPeriod {
    guard let storefront = storefront(id) else { throw .unknownStorefront }
    return try datedPeriod(of: storefront, on: date)
  }

  /// Returns the period of a currency that a storefront charges on a date: its own, or a custom currency, which it charges
  /// on every date.
  func period(
    ofStorefront id: UnsafeRawBufferPointer,
    currency code: UnsafeRawBufferPointer,
    on date: UInt32
  ) throws(PackProblem) -> StorefrontPeriod {
    guard let storefront = storefront(id) else { throw .unknownStorefront }
    guard let currency = currency(code) else { throw .unknownCurrency }
    // The custom currencies are at the end.
    let first = Int(truncatingIfNeeded: storefront.uint32(at: Storefront.firstPeriod))
    var index = first &+ storefront.uint16(at: Storefront.periodCount)
    while index > first {
      index &-= 1
      let period = element(index, of: .periods)
      if period.uint16(at: Period.kind) != Period.custom { break }
      if period.uint16(at: Period.currency) == currency { return self.period(index, of: storefront) }
    }
    let own = try datedPeriod(of: storefront, on: date)
    guard own.currency == currency else { throw .currencyMismatch }
    return own
  }

  private func datedPeriod(
    of storefront: UnsafeRawPointer,
    on date: UInt32
  ) throws(PackProblem) -> StorefrontPeriod {
    let first = Int(truncatingIfNeeded: storefront.uint32(at: Storefront.firstPeriod))
    let end = first &+ storefront.uint16(at: Storefront.periodCount)
    var found: Int?
    var index = first
    while index < end {
      let period = element(index, of: .periods)
      if period.uint16(at: Period.kind) != Period.dated { break }
      if found == nil, date <= period.uint32(at: Period.lastDay) { found = index }
      index &+= 1
    }
    guard date > 0 || index &- first == 1 else { throw .missingDate }
    guard let found else { throw .missingFormatter }
    return period(found, of: storefront)
  }

  private func period(_ index: Int, of storefront: UnsafeRawPointer) -> StorefrontPeriod {
    StorefrontPeriod(
      period: index,
      currency: element(index, of: .periods).uint16(at: Period.currency),
      locale: storefront.uint16(at: Storefront.locale)
    )
  }

  /// Returns the formatter of a storefront on a date, with the index of a style.
  func formatter(of period: StorefrontPeriod, _ style: Int) throws(PackProblem) -> PackFormatter {
    guard style >= 0, style < count(.styles) else { throw .missingStyle }
    let place = period.period &* count(.styles) &+ style
    let formatter = bytes(.periodFormatters).uint32(at: place &* 4)
    guard formatter != Self.none else { throw .missingFormatter }
    return self.formatter(at: formatter)
  }

  /// Returns the formatter of a price locale and a currency.
  ///
  /// - Parameters:
  ///   - tag: The canonical BCP 47 tag of the locale. Case does not matter, and `_` is the same as `-`.
  ///   - code: The code of the currency, in any case.
  ///   - style: The index of the style.
  func formatter(
    locale tag: UnsafeRawBufferPointer,
    currency code: UnsafeRawBufferPointer,
    style: Int
  ) throws(PackProblem) -> PackFormatter {
    guard let locale = locale(tag) else { throw .unknownLocale }
    guard let currency = currency(code) else { throw .unknownCurrency }
    guard style >= 0, style < count(.styles) else { throw .missingStyle }
    let row = bytes(.localeRows).uint32(at: (locale &* count(.styles) &+ style) &* 4)
    guard row != Self.none else { throw .missingFormatter }
    let place = Int(truncatingIfNeeded: row) &* count(.currencies) &+ currency
    let formatter = bytes(.rows).uint32(at: place &* 4)
    guard formatter != Self.none else { throw .missingFormatter }
    return self.formatter(at: formatter)
  }

  @inline(__always)
  private func formatter(at index: UInt32) -> PackFormatter {
    PackFormatter(start: element(Int(truncatingIfNeeded: index), of: .formatters))
  }

  /// Returns the index of the style with a key of `Style.keyLength` bytes; `nil` if the pack does not have it.
  func style(_ key: UnsafeRawPointer) -> Int? {
    var index = 0
    while index < count(.styles) {
      let style = element(index, of: .styles)
      var length = 0
      while length < Style.keyLength, style.uint8(at: length) == key.uint8(at: length) { length &+= 1 }
      if length == Style.keyLength { return index }
      index &+= 1
    }
    return nil
  }

  /// Returns the place of a storefront.
  private func storefront(_ id: UnsafeRawBufferPointer) -> UnsafeRawPointer? {
    if id.count == 3 {
      let index = index(in: .storefronts) { Self.compare(id, self.id(ofStorefront: $0)) }
      return index.map { element($0, of: .storefronts) }
    }
    guard id.count == 2 else { return nil }
    var index = 0
    while index < count(.storefronts) {
      let storefront = element(index, of: .storefronts)
      let alpha2 = UnsafeRawBufferPointer(start: storefront + Storefront.alpha2, count: id.count)
      if Self.compare(id, alpha2) == 0 { return storefront }
      index &+= 1
    }
    return nil
  }

  /// Returns the identifier of a storefront.
  func id(ofStorefront index: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: element(index, of: .storefronts) + Storefront.id, count: 3)
  }

  /// Returns the index of a locale.
  func locale(_ tag: UnsafeRawBufferPointer) -> Int? {
    index(in: .locales) { Self.compare(tag, text(ofLocale: $0)) }
  }

  /// Returns the index of a currency.
  func currency(_ code: UnsafeRawBufferPointer) -> Int? {
    index(in: .currencies) { Self.compare(code, self.code(ofCurrency: $0)) }
  }

  /// Returns a version in the pack; `nil` if the pack does not have it.
  func version(_ name: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    var index = 0
    while index < count(.metadata) {
      let entry = element(index, of: .metadata)
      if Self.compare(name, text(at: entry)) == 0 { return text(at: entry + 8) }
      index &+= 1
    }
    return nil
  }

  /// Returns the text whose offset and length are at a place.
  func text(at place: UnsafeRawPointer) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      start: bytes(.texts) + Int(truncatingIfNeeded: place.uint32(at: 0)),
      count: Int(truncatingIfNeeded: place.uint32(at: 4))
    )
  }

  /// Returns the tag of a locale.
  func text(ofLocale index: Int) -> UnsafeRawBufferPointer {
    let locale = element(index, of: .locales)
    return UnsafeRawBufferPointer(
      start: bytes(.texts) + Int(truncatingIfNeeded: locale.uint32(at: Locale.text)),
      count: locale.uint16(at: Locale.textLength)
    )
  }

  /// Returns the code of a currency.
  func code(ofCurrency index: Int) -> UnsafeRawBufferPointer {
    let code = element(index, of: .currencies)
    var length = 0
    while length < Currency.codeLength, code.uint8(at: length) > 0 { length &+= 1 }
    return UnsafeRawBufferPointer(start: code, count: length)
  }

  /// Returns the digits of a currency's minor unit, or `Currency.noMinorUnit`; `nil` if the pack does not have the currency.
  func minorUnitDigits(ofCurrency code: UnsafeRawBufferPointer) -> Int? {
    currency(code).map { element($0, of: .currencies).uint8(at: Currency.minorUnitDigits) }
  }

  @inline(__always)
  private func index(in section: Section, _ compare: (Int) -> Int) -> Int? {
    Self.index(below: count(section), compare)
  }

  /// Finds the element of a sorted list of a number of elements for which a comparison returns 0.
  @inline(__always)
  static func index(below count: Int, _ compare: (Int) -> Int) -> Int? {
    var (low, high) = (0, count)
    while low < high {
      let middle = low &+ (high &- low) / 2
      let order = compare(middle)
      if order == 0 { return middle }
      if order < 0 { high = middle } else { low = middle &+ 1 }
    }
    return nil
  }

  /// Compares two texts of ASCII characters without regard to case: -1, 0 or 1.
  static func compare(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> Int {
    guard let firstStart = first.baseAddress, let secondStart = second.baseAddress else {
      return first.count < second.count ? -1 : first.count > second.count ? 1 : 0
    }
    var index = 0
    while index < first.count, index < second.count {
      let left = lowercased(firstStart.uint8(at: index))
      let right = lowercased(secondStart.uint8(at: index))
      if left != right { return left < right ? -1 : 1 }
      index &+= 1
    }
    return first.count < second.count ? -1 : first.count > second.count ? 1 : 0
  }

  @inline(__always)
  private static func lowercased(_ byte: Int) -> Int {
    if byte >= 0x41, byte <= 0x5A { return byte | 0x20 }
    return byte == 0x5F ? 0x2D : byte
  }
}
