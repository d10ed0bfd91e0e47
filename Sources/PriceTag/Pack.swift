import PriceTagText

/// A pack in memory: compiled patterns that format prices without ICU.
///
///     let pack = try Pack(bytes)
///     try pack.formatter(storefront: "JPN", on: .today).string(for: "1200")   // "￥1,200"
///
/// Sendable notes: the memory is written only in the initializer.
package final class Pack: @unchecked Sendable {
  private let memory: UnsafeMutableRawBufferPointer
  let bytes: PackBytes

  /// Creates a pack from the bytes of a file, after checking all of its fields.
  ///
  /// - Throws: `.invalidLocaleData` if the bytes are not a valid pack of this version.
  package init(_ contents: [UInt8]) throws(PriceTagError) {
    memory = .allocate(byteCount: contents.count, alignment: 8)
    memory.copyBytes(from: contents)
    do throws(PackDamage) {
      bytes = try PackCheck.pack(in: UnsafeRawBufferPointer(memory))
    } catch {
      memory.deallocate()
      throw Self.error(error)
    }
  }

  deinit { memory.deallocate() }

  private static func error(_ damage: PackDamage) -> PriceTagError {
    let (problem, fix) =
      switch damage {
      case .notAPack: ("the file is not a pack", "write one with pricetag pack -o FILE")
      case .otherVersion:
        ("the pack has a layout of another version", "write it again with this version of PriceTag")
      case .truncated: ("the size of the pack is not the one in its header", "copy the file again")
      case .checksum: ("the pack has changed since it was written", "copy the file again")
      case .invalidField: ("a field of the pack has an invalid value", "write it again with pricetag pack")
      }
    return PriceTagError(.invalidLocaleData, problem, fix: fix)
  }

  // MARK: Contents

  /// The versions of the data in the pack, by name.
  package var versions: [(name: String, value: String)] {
    (0..<bytes.count(.metadata)).map { index in
      let entry = bytes.element(index, of: .metadata)
      return (text(at: entry), text(at: entry + 8))
    }
  }

  /// The identifiers of the storefronts.
  package var storefronts: [String] {
    (0..<bytes.count(.storefronts)).map {
      String(decoding: bytes.id(ofStorefront: $0), as: UTF8.self)
    }
  }

  /// The tags of the price locales.
  package var locales: [String] {
    (0..<bytes.count(.locales)).map { String(decoding: bytes.text(ofLocale: $0), as: UTF8.self) }
  }

  /// The codes of the currencies.
  package var currencies: [String] {
    (0..<bytes.count(.currencies)).map { String(decoding: bytes.code(ofCurrency: $0), as: UTF8.self) }
  }

  /// The number of styles, including those of spoken forms.
  package var styleCount: Int { bytes.count(.styles) }

  /// The number of formatters.
  package var formatterCount: Int { bytes.count(.formatters) }

  private func text(at place: UnsafeRawPointer) -> String {
    let start = bytes.bytes(.texts) + Int(place.uint32(at: 0))
    return String(
      decoding: UnsafeRawBufferPointer(start: start, count: Int(place.uint32(at: 4))),
      as: UTF8.self
    )
  }

  // MARK: Formatters

  /// Returns the formatter of a storefront.
  ///
  /// - Parameters:
  ///   - id: The App Store's identifier, or the alpha-2 code.
  ///   - date: The date that decides the currency.
  ///   - style: The style. Its rounding mode has no effect.
  /// - Throws: `.unknownStorefront`; `.invalidOption` if the pack does not have the style.
  package func formatter(
    storefront id: String,
    on date: CalendarDate,
    style: PriceStyle = PriceStyle()
  ) throws(PriceTagError) -> Formatter {
    do throws(PackProblem) {
      let style = try index(of: style)
      return Formatter(
        pack: self,
        formatter: try Self.withBytes(id) { id throws(PackProblem) in
          try bytes.formatter(storefront: id, date: UInt32(date.packNumber), style: style)
        }
      )
    } catch {
      throw Self.error(error, storefront: id, locale: "", currency: "")
    }
  }

  /// Returns the formatter of a price locale and a currency.
  ///
  /// - Throws: `.unknownLocale`; `.unknownCurrency`; `.invalidOption` if the pack does not have the style or the
  ///   combination.
  package func formatter(
    locale: String,
    currency: String,
    style: PriceStyle = PriceStyle()
  ) throws(PriceTagError) -> Formatter {
    do throws(PackProblem) {
      let style = try index(of: style)
      return Formatter(
        pack: self,
        formatter: try Self.withBytes(locale) { locale throws(PackProblem) in
          try Self.withBytes(currency) { currency throws(PackProblem) in
            try bytes.formatter(locale: locale, currency: currency, style: style)
          }
        }
      )
    } catch {
      throw Self.error(error, storefront: "", locale: locale, currency: currency)
    }
  }

  private func index(of style: PriceStyle) throws(PackProblem) -> Int {
    let index = style.packKey.withUnsafeBytes { key in key.baseAddress.flatMap { bytes.style($0) } }
    guard let index else { throw .missingStyle }
    return index
  }

  private static func withBytes<Answer>(
    _ text: String,
    _ body: (UnsafeRawBufferPointer) throws(PackProblem) -> Answer
  ) throws(PackProblem) -> Answer {
    let copy = Array(text.utf8)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, copy.count), alignment: 1)
    defer { buffer.deallocate() }
    buffer.copyBytes(from: copy)
    return try body(UnsafeRawBufferPointer(rebasing: buffer[..<copy.count]))
  }

  private static func error(
    _ problem: PackProblem,
    storefront: String,
    locale: String,
    currency: String
  ) -> PriceTagError {
    switch problem {
    case .unknownStorefront:
      PriceTagError(
        .unknownStorefront,
        "the pack does not have the storefront \(quoted(storefront))",
        fix: "write it again with pricetag pack --storefronts and this storefront"
      )
    case .unknownLocale:
      PriceTagError(
        .unknownLocale,
        "the pack does not have the price locale \(quoted(locale))",
        fix: "write it again with pricetag pack --locales and this locale"
      )
    case .unknownCurrency:
      PriceTagError(
        .unknownCurrency,
        "the pack does not have the currency \(quoted(currency))",
        fix: "write it again with pricetag pack --currencies and this currency"
      )
    case .missingStyle:
      PriceTagError(
        .invalidOption,
        "the pack does not have the style",
        fix: "write it again with pricetag pack and the options of the style"
      )
    case .missingFormatter:
      PriceTagError(
        .invalidOption,
        "the pack has no pattern for \(quoted(storefront.isEmpty ? "\(currency) in \(locale)" : storefront))",
        fix: "write it again with this combination, or format the price with ICU"
      )
    case .missingDate:
      PriceTagError(
        .malformedDate,
        "the storefront \(quoted(storefront)) has charged several currencies",
        fix: "name the date of the price"
      )
    }
  }

  /// A formatter of a pack.
  package struct Formatter: Sendable {
    private let pack: Pack
    private let formatter: PackFormatter

    init(pack: Pack, formatter: PackFormatter) {
      (self.pack, self.formatter) = (pack, formatter)
    }

    /// The formatter of the spoken form; `nil` if the pack does not have it.
    package var spoken: Formatter? {
      formatter.spoken.map { Formatter(pack: pack, formatter: $0) }
    }

    /// Returns an amount as text.
    ///
    /// - Throws: `.needsRounding`; `.amountOutOfRange`; `.formattingFailed` if the pattern has no form for the amount's
    ///   plural category.
    package func string(for amount: Amount, rounding: RoundingMode = .exact) throws(PriceTagError) -> String {
      let (displayed, pattern) = try displayed(amount, rounding)
      let text = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: PatternBytes.maximumCapacity) {
        buffer -> String? in
        let count = pattern.write(displayed, within: buffer)
        guard count >= 0 else { return nil }
        return String(decoding: buffer.prefix(count), as: UTF8.self)
      }
      guard let text else {
        throw PriceTagError(
          .formattingFailed,
          "the pack has no form of \(amount) for its plural category",
          fix: "format the price with ICU"
        )
      }
      return text
    }

    /// Returns the types and lengths of the parts of an amount's text.
    package func parts(
      of amount: Amount,
      rounding: RoundingMode = .exact
    ) throws(PriceTagError) -> [(type: FormattedPrice.PartType, count: Int)] {
      let (displayed, pattern) = try displayed(amount, rounding)
      var parts: [(type: FormattedPrice.PartType, count: Int)] = []
      _ = pattern.forEachPart(of: displayed, category: pattern.category(of: displayed)) { kind, count in
        parts.append((FormattedPrice.PartType(kind), count))
      }
      return parts
    }

    /// Returns the direction of an amount's text.
    package func direction(
      of amount: Amount,
      rounding: RoundingMode = .exact
    ) throws(PriceTagError) -> FormattedPrice.Direction {
      let (displayed, pattern) = try displayed(amount, rounding)
      let direction = pattern.direction(of: displayed, category: pattern.category(of: displayed))
      return direction == .rightToLeft ? .rightToLeft : .leftToRight
    }

    private func displayed(
      _ amount: Amount,
      _ rounding: RoundingMode
    ) throws(PriceTagError) -> (Amount, PatternBytes) {
      do throws(AmountProblem) {
        return try formatter.displayed(amount, rounding)
      } catch {
        guard error == .needsRounding else { throw .outOfRange("\(amount)") }
        throw PriceTagError(
          .needsRounding,
          "\(amount) has more decimals than the pattern displays (\(formatter.fractionDigits))",
          fix: "name a rounding mode such as half-even to allow rounding"
        )
      }
    }
  }
}
