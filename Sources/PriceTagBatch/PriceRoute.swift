import PriceTag

/// The way of one kind of price: what writes the prices of one storefront, price locale, currency and day.
final class PriceRoute {
  let formatter: PriceFormatter
  /// The most bytes that a display takes, and is written in.
  let displayCapacity: Int
  /// What writes the price for the ear; `nil` where the display is that already.
  private(set) lazy var spoken: PriceFormatter? = formatter.spoken
  /// How many digits `amountMinor` has, by whose minor units it counts.
  private var minorUnitDigits: [String: Int] = [:]

  init(_ formatter: PriceFormatter) {
    self.formatter = formatter
    displayCapacity = formatter.maximumUTF8Count
  }

  func minorUnitDigits(for provider: String) throws(PriceTagError) -> Int {
    if let known = minorUnitDigits[provider] { return known }
    let digits = try formatter.currency.minorUnitDigits(for: provider)
    minorUnitDigits[provider] = digits
    return digits
  }
}

/// The routes that rows have asked for so far: found without allocating, and never more than some thousands, whatever
/// rows ask for.
final class PriceRoutes {
  private typealias Found = Result<PriceRoute, RowProblem>

  private let options: BatchOptions

  /// Of rows with a short storefront and currency and nothing else, by both in one word; a power of two of them. A key
  /// that is zero marks a free place.
  private var shortKeys: [UInt64] = Array(repeating: 0, count: shortPlaces)
  private var shortRoutes: [PriceRoute?] = Array(repeating: nil, count: shortPlaces)
  private var shortCount = 0
  private static let shortPlaces = 2048

  /// Of all others, by the fields' bytes. What is asked for moves into the younger; when that is full it becomes the
  /// older one, which is dropped.
  private var younger: [[UInt8]: Found] = [:]
  private var older: [[UInt8]: Found] = [:]
  private static let mostInAGeneration = 1024
  private var key: [UInt8] = []

  init(_ options: BatchOptions) {
    self.options = options
  }

  /// The route of a row's price.
  @inline(__always)
  func route(_ fields: KnownFields) throws(RowProblem) -> PriceRoute {
    let storefront = fields[.storefront]
    let currency = fields[.currency]
    guard storefront.kind == .text, (1...4).contains(storefront.count), storefront.escapes == .none,
      fields[.priceLocale].kind == .absent, fields[.at].kind == .absent,
      currency.kind == .absent || (currency.kind == .text && (1...4).contains(currency.count) && currency.escapes == .none)
    else { return try otherRoute(fields) }
    let short = Self.word(storefront) << 32 | Self.word(currency)
    var place = Int(truncatingIfNeeded: (short &* 0x9E37_79B9_7F4A_7C15) >> 53)
    while true {
      if shortKeys[place] == short, let route = shortRoutes[place] { return route }
      if shortKeys[place] == 0 { break }
      place = (place + 1) & (Self.shortPlaces - 1)
    }
    let route = try otherRoute(fields)
    if shortCount < Self.shortPlaces / 2 {
      shortKeys[place] = short
      shortRoutes[place] = route
      shortCount += 1
    }
    return route
  }

  /// At most four bytes in a word.
  @inline(__always)
  private static func word(_ value: FieldValue) -> UInt64 {
    var word: UInt64 = 0
    for index in 0..<value.count { word = word << 8 | UInt64(value.start[index]) }
    return word
  }

  @inline(never)
  private func otherRoute(_ fields: KnownFields) throws(RowProblem) -> PriceRoute {
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
