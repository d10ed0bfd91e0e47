import Testing

@testable import PriceTag

/// The kernel's lookups, without a registry.
extension Pack {
  /// Writes a pack with storefronts, and with currencies in locales, and reads it.
  convenience init(
    _ storefronts: [String] = [],
    _ locales: [(locale: String, currencies: [String])] = [],
    styles: [PriceStyle] = [PriceStyle()],
    per references: [UnitPriceReference] = [],
    includesSpoken: Bool = true,
    on date: CalendarDate? = nil,
    in data: LocaleData = .embedded
  ) throws {
    let date = try date ?? PackTests.date()
    var writer = PackWriter(styles: styles, per: references, includesSpoken: includesSpoken, on: date)
    for id in storefronts { writer.add(try Storefront(id, in: data), in: data) }
    for (locale, currencies) in locales {
      writer.add(try PriceLocale(locale), try currencies.map { try Currency($0, in: data) })
    }
    #expect(writer.omissions.isEmpty, "\(writer.omissions.prefix(5))")
    try self.init(writer.bytes(revision: "test"))
  }

  /// Returns the formatter of a storefront.
  func formatter(
    storefront id: String,
    currency: String? = nil,
    on date: CalendarDate,
    style: PriceStyle = PriceStyle(),
    per reference: UnitPriceReference? = nil
  ) throws(PackProblem) -> Formatter {
    let style = try styleIndex(style, reference)
    let date = UInt32(date.packNumber)
    let formatter = try Self.withBytes(id) { id throws(PackProblem) in
      guard let currency else {
        return try bytes.formatter(of: bytes.period(ofStorefront: id, on: date), style)
      }
      return try Self.withBytes(currency) { code throws(PackProblem) in
        try bytes.formatter(of: bytes.period(ofStorefront: id, currency: code, on: date), style)
      }
    }
    return Formatter(pack: self, formatter: formatter)
  }

  /// Returns the formatter of a price locale and a currency.
  func formatter(
    locale: String,
    currency: String,
    style: PriceStyle = PriceStyle(),
    per reference: UnitPriceReference? = nil
  ) throws(PackProblem) -> Formatter {
    let style = try styleIndex(style, reference)
    let formatter = try Self.withBytes(locale) { locale throws(PackProblem) in
      try Self.withBytes(currency) { currency throws(PackProblem) in
        try bytes.formatter(locale: locale, currency: currency, style: style)
      }
    }
    return Formatter(pack: self, formatter: formatter)
  }

  private func styleIndex(
    _ style: PriceStyle,
    _ reference: UnitPriceReference?
  ) throws(PackProblem) -> Int {
    guard let index = index(of: style.packKey(per: reference)) else { throw .missingStyle }
    return index
  }
}

extension Pack.Formatter {
  /// The formatter of the spoken form; `nil` if the pack does not have it.
  var spoken: Pack.Formatter? { formatter.spoken.map { Pack.Formatter(pack: pack, formatter: $0) } }

  /// Returns the direction of an amount's text.
  func direction(of amount: Amount, rounding: RoundingMode) throws -> FormattedPrice.Direction {
    let (displayed, pattern) = try formatter.displayed(amount, rounding)
    let direction = pattern.direction(of: displayed, category: pattern.category(of: displayed))
    return direction == .rightToLeft ? .rightToLeft : .leftToRight
  }
}
