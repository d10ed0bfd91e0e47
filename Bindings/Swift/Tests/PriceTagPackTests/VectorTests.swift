import Foundation
import Testing

@testable import PriceTagPack

/// The folder of the vectors of PriceTag, which `make test-vectors` writes; `nil` without them.
private let folder = ProcessInfo.processInfo.environment["PRICETAG_VECTORS"]

/// Compares prices with the vectors: rows that every host of PriceTag must format in the same way.
@Suite(.enabled(if: folder != nil)) struct VectorTests {
  @Test func pricesAreThoseOfTheVectors() throws {
    var check = VectorCheck(folder: URL(fileURLWithPath: folder ?? ""))
    try check.run()
    print(check.summary)
    #expect(check.mismatches == [])
    #expect(check.prices > 0 && check.errors > 0 && check.details > 0)
  }
}

/// The fields of the lines are in Tests/Proof/Sources/Vectors/VectorLines.swift of PriceTag.
private struct VectorCheck {
  let folder: URL
  private var packs: [String: Pack] = [:]
  private var styles: [String: PriceStyle] = [:]
  /// Creates the formatter of the last formatter line with a rounding mode.
  private var makeFormatter: ((RoundingMode) throws(PriceTagError) -> PriceFormatter)?
  private var formatters: [RoundingMode: PriceFormatter] = [:]
  private(set) var (prices, errors, details, departures) = (0, 0, 0, 0)
  private(set) var mismatches: [String] = []

  init(folder: URL) { self.folder = folder }

  var summary: String {
    """
    PriceTagPack: \(prices) prices, \(errors) errors; \(details) with parts, direction and spoken form; \
    \(departures) departures, \(mismatches.count) mismatches
    """
  }

  mutating func run() throws {
    let vectors = try [UInt8](Data(contentsOf: folder.appendingPathComponent("vectors.tsv")))
    for line in vectors.split(separator: UInt8(ascii: "\n")) {
      let fields = Self.fields(of: line)
      switch (fields[0], fields.count) {
      case ("p", 3):
        packs[fields[1]] = try Pack(Array(Data(contentsOf: folder.appendingPathComponent(fields[2]))))
      case ("s", 3):
        let style: PriceStyle = try #require(PriceStyle(hexadecimalKey: fields[2]))
        styles[fields[1]] = style
      case ("l", 8), ("f", 8): try useFormatter(fields)
      case ("t", 4), ("t", 7):
        compare(mode: fields[1], Array(fields[3...])) { () throws(PriceTagError) in
          try Amount(decimal: fields[2])
        }
      case ("u", 5), ("u", 8):
        let (units, exponent) = try (#require(Int64(fields[2])), #require(Int(fields[3])))
        compare(mode: fields[1], Array(fields[4...])) { () throws(PriceTagError) in
          try Amount(minorUnits: units, exponent: exponent)
        }
      default: Issue.record("unknown line: \(fields)")
      }
    }
  }

  private mutating func useFormatter(_ fields: [String]) throws {
    formatters = [:]
    let (pack, style) = try (#require(packs[fields[1]]), #require(styles[fields[2]]))
    let date = try Self.date(fields[4])
    let make = { (rounding: RoundingMode) throws(PriceTagError) in
      var style = style
      style.rounding = rounding
      return fields[0] == "l"
        ? try PriceFormatter(locale: fields[3], currency: fields[4], style: style, in: pack)
        : try PriceFormatter(storefront: fields[3], on: date, style: style, in: pack)
    }
    makeFormatter = make
    do throws(PriceTagError) {
      let formatter = try make(.exact)
      formatters[.exact] = formatter
      let digits = "=\(formatter.digits) \(try pack.minorUnitDigits(of: formatter.currency) ?? -1)"
      expect([digits, formatter.currency, formatter.locale], Array(fields[5...]))
    } catch { expect(error, fields[5]) }
  }

  private mutating func compare(
    mode: String,
    _ expected: [String],
    _ amount: () throws(PriceTagError) -> Amount
  ) {
    guard let makeFormatter else { return expect(["no formatter"], []) }
    let rounding = RoundingMode.allCases[Int(mode) ?? 0]
    do throws(PriceTagError) {
      let formatter: PriceFormatter
      if let found = formatters[rounding] {
        formatter = found
      } else {
        formatter = try makeFormatter(rounding)
      }
      formatters[rounding] = formatter
      let price = try formatter.format(amount())
      prices += 1
      guard expect(price.text, expected[0]), expected.count > 3 else { return }
      details += 1
      let parts = price.parts.map { part in
        "\(FormattedPrice.PartType.allCases.firstIndex(of: part.type) ?? -1):\(part.value.utf8.count)"
      }
      expect([parts.joined(separator: " "), price.direction.rawValue], Array(expected[1...2]))
      expect([price.parts.map(\.value).joined()], [price.text])
      if formatter.hasSpokenForms { expect(price.spoken, expected[3]) } else { expect([""], [expected[3]]) }
    } catch { expect(error, expected[0]) }
  }

  // MARK: Expectations

  private mutating func expect(_ found: [String], _ expected: [String]) {
    if found != expected { mismatches.append("\(found) instead of \(expected)") }
  }

  /// Compares a text with its mark and the expected one. After `~`, another plural form of a name is a departure.
  @discardableResult
  private mutating func expect(_ text: String, _ expected: String) -> Bool {
    if text.utf8.elementsEqual(expected.utf8.dropFirst()), expected.first != "!" { return true }
    if expected.first == "~" { departures += 1 } else { mismatches.append("\(text) instead of \(expected)") }
    return false
  }

  private mutating func expect(_ error: PriceTagError, _ expected: String) {
    if expected.first == "~", error.code == .missingFromPack { return departures += 1 }
    errors += 1
    let code =
      switch expected.dropFirst() {
      case "missing-style", "missing-formatter", "missing-plural": PriceTagError.Code.missingFromPack.rawValue
      // An exponent outside 0...18.
      case "amount-out-of-range" where error.code == .invalidOption: error.code.rawValue
      default: String(expected.dropFirst())
      }
    if expected.first != "!" || error.code.rawValue != code {
      mismatches.append("\(error) instead of \(expected)")
    }
  }

  // MARK: Fields

  private static func date(_ digits: String) throws(PriceTagError) -> CalendarDate? {
    guard digits.utf8.count == 8, Int(digits) != nil else { return nil }
    return try CalendarDate("\(digits.prefix(4))-\(digits.dropFirst(4).prefix(2))-\(digits.suffix(2))")
  }

  private static func fields(of line: ArraySlice<UInt8>) -> [String] {
    line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false).map { field in
      guard field.contains(UInt8(ascii: "\\")) else { return String(decoding: field, as: UTF8.self) }
      var bytes: [UInt8] = []
      var isEscaped = false
      for byte in field {
        switch (isEscaped, byte) {
        case (false, UInt8(ascii: "\\")): isEscaped = true
        case (false, _): bytes.append(byte)
        case (true, _):
          let escapes: [UInt8: UInt8] = [
            UInt8(ascii: "t"): 0x09, UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D, UInt8(ascii: "0"): 0,
          ]
          bytes.append(escapes[byte] ?? byte)
          isEscaped = false
        }
      }
      return String(decoding: bytes, as: UTF8.self)
    }
  }
}

extension PriceStyle {
  /// Creates the style with the key of a pack; `nil` for a key that is not that of a style.
  fileprivate init?(hexadecimalKey text: String) {
    let digits = Array(text)
    let key = stride(from: 0, to: digits.count - 1, by: 2).compactMap { place in
      UInt8(String(digits[place...place + 1]), radix: 16)
    }
    guard key.count == PackBytes.Style.keyLength else { return nil }
    func option<Option: CaseIterable>(_: Option.Type, _ place: Int) -> Option? {
      Array(Option.allCases).indices.contains(Int(key[place])) ? Array(Option.allCases)[Int(key[place])] : nil
    }
    guard let width = option(Width.self, 0), let zeros = option(Zeros.self, 1),
      let sign = option(Sign.self, 2), let grouping = option(Grouping.self, 6),
      let qualifier = option(Qualifier.self, 8), key[4] <= key[5]
    else { return nil }
    let range = Int(key[4])...Int(key[5])
    let digitRules: [Digits] = [.standard, .cash, .fixed(range.lowerBound), .range(range), .minorUnits]
    guard digitRules.indices.contains(Int(key[3])) else { return nil }
    func name(_ place: Int, _ length: Int) -> String? {
      let bytes = key[place..<place + length].prefix { $0 > 0 }
      return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }
    self.init(
      width: width,
      zeros: zeros,
      sign: sign,
      digits: digitRules[Int(key[3])],
      grouping: grouping,
      numberingSystem: name(PackBytes.Style.numbering, PackBytes.Style.numberingLength),
      qualifier: qualifier,
      per: name(PackBytes.Style.unit, PackBytes.Style.unitLength)
    )
    guard packKey == key else { return nil }
  }
}
