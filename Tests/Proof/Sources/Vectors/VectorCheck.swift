import Foundation
import PriceTag

/// Formats the rows of a vector file with the library, from the packs that the file names, and compares the results.
struct VectorCheck {
  private let folder: URL
  private var packs: [Int: Pack] = [:]
  private var styles: [Int: VectorStyle] = [:]
  private var request: Request?
  /// The formatters of the request, by rounding mode.
  private var formatters: [Int: PriceFormatter] = [:]
  private var line = 0
  private var rows = 0
  private var prices = 0
  private var errors = 0
  private var details = 0
  private var inexpressible = 0
  private var departures = 0
  private var mismatches = 0

  /// The number of mismatches that are printed.
  private static let maximumPrintedCount = 20

  private enum Request {
    case locale(pack: Int, style: Int, locale: String, currency: String)
    case storefront(pack: Int, style: Int, id: String, date: CalendarDate?)
  }

  init(folder: String) { self.folder = URL(fileURLWithPath: folder) }

  /// Compares all rows, and returns whether all results are as expected.
  mutating func run() throws -> Bool {
    let text = try String(contentsOf: folder.appendingPathComponent("vectors.tsv"), encoding: .utf8)
    for row in text.utf8.split(separator: UInt8(ascii: "\n")) {
      line += 1
      let fields = VectorLines.fields(of: row)
      switch (fields[0], fields.count) {
      case ("p", 3):
        packs[try index(fields[1])] = try Pack(contentsOf: folder.appendingPathComponent(fields[2]).path)
      case ("s", 3): styles[try index(fields[1])] = VectorPack.style(of: fields[2])
      case ("l", 8):
        request = .locale(
          pack: try index(fields[1]),
          style: try index(fields[2]),
          locale: fields[3],
          currency: fields[4]
        )
        try compareFormatter(fields[5], currency: fields[6], locale: fields[7])
      case ("f", 8):
        request = .storefront(
          pack: try index(fields[1]),
          style: try index(fields[2]),
          id: fields[3],
          date: fields[4] == "0" ? nil : try Self.date(fields[4])
        )
        try compareFormatter(fields[5], currency: fields[6], locale: fields[7])
      case ("t", 4), ("t", 7):
        try comparePrice(mode: try index(fields[1]), fields[3...]) { () throws(PriceTagError) in
          try Amount(decimal: fields[2])
        }
      case ("u", 5), ("u", 8):
        guard let units = Int64(fields[2]), let exponent = Int(fields[3]) else { throw malformed() }
        try comparePrice(mode: try index(fields[1]), fields[4...]) { () throws(PriceTagError) in
          try Amount(minorUnits: units, exponent: exponent)
        }
      default: throw malformed()
      }
    }
    print(
      """
      Swift: \(rows) rows: \(prices) prices, \(errors) errors; \(details) with parts, direction and spoken form; \
      \(inexpressible) not expressible; \(departures) departures, \(mismatches) mismatches
      """
    )
    return mismatches == 0 && rows > 0
  }

  // MARK: Formatters

  private mutating func compareFormatter(_ expected: String, currency: String, locale: String) throws {
    rows += 1
    formatters = [:]
    // The library has a default date.
    if expected == "!\(VectorError.missingDate.rawValue)" {
      inexpressible += 1
      return
    }
    let found: PriceFormatter
    do { found = try formatter(mode: .exact) } catch let error as PriceTagError {
      errors += 1
      let accepted: [PriceTagErrorCode] =
        switch expected.dropFirst() {
        case "unknown-storefront": [.unknownStorefront, .missingFromPack]
        case "unknown-locale": [.malformedLocale, .unknownLocale, .unexpectedExtension, .missingFromPack]
        case "unknown-currency": [.unknownCurrency, .missingFromPack]
        case "missing-style", "missing-formatter": [.missingFromPack]
        default: []
        }
      if expected.first != "!" || !accepted.contains(error.code) {
        mismatch("\(error) instead of \(expected)")
      }
      return
    }
    formatters[0] = found
    let digits = "=\(found.display.digits) \(found.currency.minorUnitDigits ?? -1)"
    if digits != expected { mismatch("\(digits) instead of \(expected)") }
    if found.currency.code != currency { mismatch("\(found.currency) instead of \(currency)") }
    if found.locale.identifier != locale { mismatch("\(found.locale) instead of \(locale)") }
  }

  private func formatter(mode: RoundingMode) throws -> PriceFormatter {
    let (formatter, reference) = try priceFormatter(mode: mode)
    return try reference.map(formatter.unitPrices(per:)) ?? formatter
  }

  private func priceFormatter(mode: RoundingMode) throws -> (PriceFormatter, UnitPriceReference?) {
    switch request {
    case .locale(let pack, let style, let locale, let currency):
      let (pack, style, reference) = try contents(pack, style, mode)
      return (
        try PriceFormatter(
          locale: PriceLocale(locale),
          currency: Currency(currency, in: .embedded.pinned(to: pack)),
          style: style
        ), reference
      )
    case .storefront(let pack, let style, let id, let date):
      let (pack, style, reference) = try contents(pack, style, mode)
      let storefront = try Storefront(id, in: .embedded.pinned(to: pack))
      return (try PriceFormatter(storefront: storefront, on: date, style: style), reference)
    case nil: throw malformed()
    }
  }

  private func contents(
    _ pack: Int,
    _ style: Int,
    _ mode: RoundingMode
  ) throws -> (Pack, PriceStyle, UnitPriceReference?) {
    guard let pack = packs[pack], let found = styles[style] else { throw malformed() }
    var style = found.style
    style.rounding = mode
    return (pack, style, found.reference)
  }

  // MARK: Prices

  private mutating func comparePrice(
    mode: Int,
    _ fields: ArraySlice<String>,
    _ amount: () throws(PriceTagError) -> Amount
  ) throws {
    rows += 1
    let expected = Array(fields)
    guard RoundingMode.allCases.indices.contains(mode) else { throw malformed() }
    let formatter = try formatters[mode] ?? formatter(mode: RoundingMode.allCases[mode])
    formatters[mode] = formatter
    let price: FormattedPrice
    do throws(PriceTagError) { price = try formatter.format(amount()) } catch {
      if expected[0].first == "~", error.code == .missingFromPack {
        departures += 1
        return
      }
      errors += 1
      // An exponent outside 0...18 is an invalid option in Swift, and out of range in C.
      let code = error.code == .invalidOption ? .amountOutOfRange : error.code
      if expected[0] != "!\(code.rawValue)" { mismatch("\(error) instead of \(expected[0])") }
      return
    }
    if expected[0].first == "!" {
      mismatch("\(price) instead of \(expected[0])")
      return
    }
    prices += 1
    guard compare(price.text, expected[0]), expected.count > 3 else { return }
    details += 1
    let parts = price.parts.map { "\($0.type.vectorKind):\($0.value.utf8.count)" }.joined(separator: " ")
    if parts != expected[1] { mismatch("parts \(parts) instead of \(expected[1])") }
    if price.direction.rawValue != expected[2] {
      mismatch("\(price.direction) instead of \(expected[2])")
    }
    if !expected[3].isEmpty { _ = compare(price.spoken, expected[3]) }
  }

  /// Compares a text with its mark and the expected one. After `~`, another plural form of a name is a departure.
  private mutating func compare(_ text: String, _ expected: String) -> Bool {
    if text.utf8.elementsEqual(expected.utf8.dropFirst()) { return true }
    if expected.first == "~" {
      departures += 1
    } else {
      mismatch("\(text) instead of \(expected.dropFirst())")
    }
    return false
  }

  private mutating func mismatch(_ problem: String) {
    mismatches += 1
    if mismatches <= Self.maximumPrintedCount { print("line \(line): \(problem)") }
  }

  // MARK: Fields

  private func index(_ field: String) throws -> Int {
    guard let index = Int(field), index >= 0 else { throw malformed() }
    return index
  }

  private static func date(_ field: String) throws -> CalendarDate {
    try CalendarDate("\(field.prefix(4))-\(field.dropFirst(4).prefix(2))-\(field.dropFirst(6))")
  }

  private func malformed() -> MalformedLine { MalformedLine(line: line) }
}

private struct MalformedLine: Error, CustomStringConvertible {
  let line: Int
  var description: String { "line \(line) is malformed" }
}

extension VectorPack {
  /// Returns the style with a key; `nil` if no pack has it.
  static func style(of key: String) -> VectorStyle? {
    all.lazy.flatMap(\.styles).first { $0.key == key }
  }
}
