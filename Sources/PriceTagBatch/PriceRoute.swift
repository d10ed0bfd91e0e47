import PriceTag
import PriceTagText

/// The way of one kind of price: what writes the prices of one storefront, price locale, currency and day.
final class PriceRoute {
  let formatter: PriceFormatter
  /// What writes most displays, as long as this is kept.
  let stamper: PriceStamper
  /// What writes the price for the ear; `nil` where the display is that already.
  private(set) lazy var spoken: PriceFormatter? = formatter.spoken
  /// How many digits `amountMinor` has, by whose minor units it counts.
  private var minorUnitDigits: [String: Int] = [:]

  init(_ formatter: PriceFormatter) {
    self.formatter = formatter
    stamper = formatter.stamper
  }

  func minorUnitDigits(for provider: String) throws(PriceTagError) -> Int {
    if let known = minorUnitDigits[provider] { return known }
    let digits = try formatter.currency.minorUnitDigits(for: provider)
    minorUnitDigits[provider] = digits
    return digits
  }
}

/// The identifiers of storefronts, a bit for each two or three letters that there can be.
private struct StorefrontSet {
  private var words = [UInt64](repeating: 0, count: 512)
  /// Whether an identifier has other than three letters at most: then any name may be one.
  private var hasOthers = false

  init(_ identifiers: [String]) {
    for identifier in identifiers {
      guard let place = Self.place(identifier.utf8) else {
        hasOthers = true
        continue
      }
      words[place / 64] |= 1 << UInt64(place % 64)
    }
  }

  /// Whether there is a storefront of this name, in any case.
  @inline(__always)
  func mayContain(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    Self.place(name).map { words[$0 / 64] >> UInt64($0 % 64) & 1 == 1 } ?? hasOthers
  }

  /// Five bits for each letter; `nil` where there are others, or more than three.
  @inline(__always)
  private static func place(_ letters: some Collection<UInt8>) -> Int? {
    guard letters.count <= 3 else { return nil }
    var place = 0
    for letter in letters {
      let number = Int(letter | 0x20) - 0x60
      guard (1...26).contains(number) else { return nil }
      place = place << 5 | number
    }
    return place
  }
}

/// The routes that rows have asked for so far: found without allocating, and never more than some thousands, whatever
/// rows ask for.
final class PriceRoutes {
  private typealias Found = Result<PriceRoute, RowProblem>

  private let options: BatchOptions

  /// A route of rows with a short storefront and currency and nothing else, by both in one word, whose prices are plain
  /// text. It keeps what it points to alive.
  struct Short {
    var key: UInt64
    var stamper: PriceStamper
    var route: Unmanaged<PriceRoute>
  }

  /// A power of two of them; where `isTaken` says no, there is none.
  private let shorts: UnsafeMutablePointer<Short> = .allocate(capacity: shortPlaces)
  private let isTaken: UnsafeMutablePointer<Bool> = .allocate(capacity: shortPlaces)
  private var shortCount = 0
  private static let shortPlaces = 2048

  /// Of all others, by the fields' bytes. What is asked for moves into the younger; when that is full it becomes the
  /// older one, which is dropped.
  private var younger: [[UInt8]: Found] = [:]
  private var older: [[UInt8]: Found] = [:]
  private static let mostInAGeneration = 1024
  private var key: [UInt8] = []

  /// Which storefronts there are; `nil` where the data cannot be read, which a lookup reports.
  private let storefronts: StorefrontSet?

  init(_ options: BatchOptions) {
    self.options = options
    storefronts = options.localeData.storefrontIdentifiers.map(StorefrontSet.init)
    isTaken.initialize(repeating: false, count: Self.shortPlaces)
  }

  deinit {
    for place in 0..<Self.shortPlaces where isTaken[place] { shorts[place].route.release() }
    shorts.deallocate()
    isTaken.deallocate()
  }

  /// The route of a short storefront and currency (none where that is empty), good until the next call; `nil` where
  /// `route(_:)` must be asked.
  @inline(__always)
  func short(
    _ storefront: UnsafeBufferPointer<UInt8>,
    _ currency: UnsafeBufferPointer<UInt8>
  ) -> UnsafePointer<Short>? {
    guard storefront.count <= 4, currency.count <= 4 else { return nil }
    let key = Self.key(storefront, currency)
    let place = shortPlace(key)
    return isTaken[place] ? UnsafePointer(shorts + place) : nil
  }

  @inline(__always)
  private static func key(
    _ storefront: UnsafeBufferPointer<UInt8>,
    _ currency: UnsafeBufferPointer<UInt8>
  ) -> UInt64 {
    var key: UInt64 = 0
    for byte in storefront { key = key << 8 | UInt64(byte) }
    key <<= 32
    var low: UInt64 = 0
    for byte in currency { low = low << 8 | UInt64(byte) }
    return key | low
  }

  /// Where a key is, or would be.
  @inline(__always)
  private func shortPlace(_ key: UInt64) -> Int {
    var place = Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> 53)
    while isTaken[place], shorts[place].key != key { place = (place + 1) & (Self.shortPlaces - 1) }
    return place
  }

  /// The route of a row's price.
  func route(_ fields: KnownFields) throws(RowProblem) -> PriceRoute {
    let (storefront, currency) = (fields[.storefront], fields[.currency])
    guard storefront.isPlainText, (1...4).contains(storefront.count),
      fields[.priceLocale].kind == .absent, fields[.at].kind == .absent,
      currency.kind == .absent || (currency.isPlainText && (1...4).contains(currency.count))
    else { return try otherRoute(fields) }
    let key = Self.key(storefront.bytes, currency.bytes)
    let place = shortPlace(key)
    if isTaken[place] { return shorts[place].route.takeUnretainedValue() }
    let route = try otherRoute(fields)
    if shortCount < Self.shortPlaces / 2, Self.writesPlainText(route.formatter) {
      (shorts + place).initialize(
        to: Short(key: key, stamper: route.stamper, route: .passRetained(route))
      )
      isTaken[place] = true
      shortCount += 1
    }
    return route
  }

  /// Whether prices can stand in strings of JSON as they are: a merchant may have put a quotation mark into a symbol. A
  /// price is made of pieces that these have all of: digits, separators, and what stands around them.
  private static func writesPlainText(_ formatter: PriceFormatter) -> Bool {
    for coefficient in [1_234_567_890_000, -1_234_567_890_000, 1_234_567_890_001, -1_234_567_890_001] {
      let scale = min(formatter.display.digits, 3)
      guard let amount = try? Amount(minorUnits: Int64(coefficient), exponent: scale),
        let text = try? formatter.string(for: amount),
        !text.utf8.contains(where: isEscapedInJSON)
      else { return false }
    }
    return true
  }

  /// What is wrong with a row that names an unknown storefront and nothing else of a route: found without a cache, which
  /// names made up at random would only empty.
  @inline(__always)
  func unknownStorefront(
    _ storefront: UnsafeBufferPointer<UInt8>,
    _ currency: UnsafeBufferPointer<UInt8>
  ) -> RowProblem? {
    guard currency.isEmpty, !storefront.isEmpty, let storefronts, !storefronts.mayContain(storefront) else {
      return nil
    }
    return RowProblem(unknownStorefront: String(decoding: storefront, as: UTF8.self), options.localeData)
  }

  private func unknownStorefront(_ fields: KnownFields) -> RowProblem? {
    guard fields[.storefront].isPlainText, fields[.priceLocale].kind == .absent, fields[.at].kind == .absent,
      fields[.currency].kind == .absent
    else { return nil }
    return unknownStorefront(fields[.storefront].bytes, UnsafeBufferPointer(start: nil, count: 0))
  }

  private func otherRoute(_ fields: KnownFields) throws(RowProblem) -> PriceRoute {
    if let problem = unknownStorefront(fields) { throw problem }
    key.removeAll(keepingCapacity: true)
    for field in [RowField.storefront, .priceLocale, .currency, .at] {
      let value = fields[field]
      key.append(value.kind.rawValue)
      key.append(value.escapes.rawValue)
      withUnsafeBytes(of: UInt32(truncatingIfNeeded: value.count)) { key.append(contentsOf: $0) }
      key.append(contentsOf: value.bytes)
    }
    if let found = younger[key] { return try found.get() }
    let found = older[key] ?? make(fields)
    if younger.count == Self.mostInAGeneration {
      older = younger
      younger = [:]
    }
    // A long name is not worth keeping.
    if key.count < 256 { younger[key] = found }
    return try found.get()
  }

  private func make(_ fields: KnownFields) -> Found {
    func text(_ field: RowField) throws(RowProblem) -> String? {
      let value = fields[field]
      switch value.kind {
      case .absent: return nil
      case .text: return value.text
      case .number, .other:
        throw RowProblem(
          .wrongType,
          "\(field.name) is \(value.kind == .number ? "a number" : "neither text nor null")",
          fix: "give it as text",
          field: field.name.description
        )
      }
    }
    do throws(RowProblem) {
      let origin = PriceOrigin(
        storefront: try text(.storefront),
        priceLocale: try text(.priceLocale),
        currency: try text(.currency),
        at: try text(.at)
      )
      do throws(PriceTagError) {
        return .success(
          PriceRoute(
            try origin.formatter(in: options.localeData, on: options.date, style: options.style)
          )
        )
      } catch { throw RowProblem(error, field: nil) }
    } catch { return .failure(error) }
  }
}
