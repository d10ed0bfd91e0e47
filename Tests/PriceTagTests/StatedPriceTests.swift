import CLDRPacks
import Foundation
import Testing

@testable import PriceTag

/// Finds prices that tests state and that only CLDR 42 writes. Such a test would fail with a more recent ICU.
///
/// A test about one version of CLDR is in a file with its name, such as `CLDR42Tests.swift`, which this check omits. Other tests state
/// prices that are the same in CLDR 42 and 48, compare with ICU at run time, or format from a pack of `LocaleData/packs`.
/// The check finds a price that is a complete literal or a complete field of one, not one among other words. Documents have another
/// test, and hosts other than Swift format from packs of the reference.
@Suite struct StatedPriceTests {
  @Test func testsStatePricesOfAllVersions() throws {
    var changed = try ChangedPrices()
    var (files, found) = (0, [String]())
    for folder in ["Tests", "Examples/StorefrontTests"] {
      let root = CLDRPacks.repository.appending(path: folder)
      let paths = try #require(FileManager.default.enumerator(atPath: root.path))
      for case let path as String in paths
      where path.hasSuffix(".swift") && !path.contains(".build") && !path.contains("/CLDR4") {
        files += 1
        let source = try String(contentsOf: root.appending(path: path), encoding: .utf8)
        found += changed.stated(in: source).map { "\(folder)/\(path):\($0)" }
      }
    }
    #expect(found == [], "state a price that CLDR 48 writes too, or format from CLDRPacks.data(42)")
    #expect(files > 250)
  }

  /// A price of Switzerland, whose apostrophe changed, in each kind of literal.
  @Test func findsPrices() throws {
    let escaped = #"CHF\u{A0}1"# + "’234.50"
    let price = "CHF\u{A0}1" + "’234.50"
    let (raw, json) = (escaped.replacing("\\u", with: "\\#u"), escaped.replacing("\\u{A0}", with: "\\u00a0"))
    let lines = [
      #"let same = "CHF\u{A0}234.50"  // "\#(escaped)""#, "  /// \(price)", #"let price = "\#(escaped)""#,
      #"let isolated = "for \u{2068}\#(escaped)\u{2069}""#, ##"let raw = #"{"display":"\##(price)"}"#"##,
      #"let inside = "\(same ? "a" : "\#(escaped)")""#, "  \(price)", #"  CHE\t\#(escaped)"#,
      #""\#(raw)", "\#(json)""#,
    ]
    var changed = try ChangedPrices()
    let found = changed.stated(in: lines.joined(separator: "\n"))
    #expect(found.map { $0.prefix(2) } == ["3:", "4:", "5:", "6:", "7:", "8:", "9:", "9:"])
    #expect(found.allSatisfy { $0.hasSuffix("is written by CHE with CLDR 42 only") }, "\(found)")
  }
}

/// The prices of storefronts that CLDR 42 writes and CLDR 48 does not.
private struct ChangedPrices {
  private let old: [(storefront: String, reader: PatternReader)]
  private let new: [PatternReader]
  /// The texts of changed prices without their numbers.
  private let words: Set<[UInt8]>
  /// The answers for texts that occurred before.
  private var known: [String: String?] = [:]

  init() throws {
    let (old, new) = (try Self.formatters(42), try Self.formatters(48))
    // Formatters that write the same samples have the same pattern, and can be omitted.
    let samples: [Amount] = ["0", "1", "2", "5", "1.5", "1234", "-1234.5", "12345.25", "1234567"]
    func texts(_ formatter: PriceFormatter?) -> [String?] { samples.map { try? formatter?.string(for: $0) } }
    var patterns: Set<[String?]> = []
    self.old = old.sorted { $0.key < $1.key }.compactMap { key, formatter in
      let written = texts(formatter)
      guard written != texts(new[key]), patterns.insert(written).inserted else { return nil }
      return PatternReader(formatter).map { (String(key.prefix(3)), $0) }
    }
    self.new = new.values.compactMap(PatternReader.init)
    words = Set(patterns.joined().compactMap { $0.map(Self.words) })
  }

  /// The formatters of every storefront, currency and width of a pack.
  private static func formatters(_ version: Int) throws -> [String: PriceFormatter] {
    let data = try CLDRPacks.data(version)
    var formatters: [String: PriceFormatter] = [:]
    for storefront in data.storefronts {
      for period in storefront.currencyPeriods {
        for width in PriceStyle.Width.allCases {
          formatters["\(storefront.id) \(period.currency) \(width)"] = try PriceFormatter(
            storefront: storefront,
            on: period.firstDay ?? period.lastDay,
            style: PriceStyle(width: width, rounding: .halfEven)
          )
        }
      }
    }
    return formatters
  }

  /// The letters and symbols of a text. Those of a price are the same for all amounts of a plural category.
  private static func words(_ text: String) -> [UInt8] {
    var words: [UInt8] = []
    for scalar in text.unicodeScalars {
      let isSymbol = scalar.value > 0x20A0 || scalar == "$" || (scalar.value > 0xA0 && scalar.value < 0x2000)
      if scalar.properties.isAlphabetic || isSymbol { words += Array(String(scalar).utf8) }
    }
    return words
  }

  /// Returns the changed prices in the string literals of a source file, with their lines.
  ///
  /// A text is what is between two quotation marks, tabs or isolates of a line, or the line itself in a literal of several lines.
  mutating func stated(in source: String) -> [String] {
    var found: [String] = []
    for (index, line) in source.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      guard line.utf8.contains(where: { (0x30...0x39).contains($0) || $0 >= 0x80 }) else { continue }
      var code = line.drop { $0 == " " }
      if code.hasPrefix("//") { continue }
      if code.utf8.contains(0x2F), let comment = code.firstRange(of: "  // ") {
        code = code[..<comment.lowerBound]
      }
      let ends: Set<Unicode.Scalar> = ["\"", "\t", "\u{2068}", "\u{2069}"]
      for piece in Self.unescaped(code).unicodeScalars.split(whereSeparator: ends.contains) {
        guard let storefront = storefront(writing: String(piece)) else { continue }
        found.append(
          "\(index + 1): \(String(piece).debugDescription) is written by \(storefront) with CLDR 42 only"
        )
      }
    }
    return found
  }

  /// Returns a text with the characters of its escapes: `\u{A0}`, those of raw literals, and `\u00A0` in JSON.
  private static func unescaped(_ text: Substring) -> String {
    guard text.utf8.contains(0x5C) else { return String(text) }
    let parts = text.replacing("\\#", with: "\\").replacing("\\t", with: "\t").components(separatedBy: "\\u")
    return parts.dropFirst().reduce(parts[0]) { text, part in
      let digits = part.hasPrefix("{") ? part.dropFirst().prefix { $0 != "}" } : part.prefix(4)
      let scalar = UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init)
      return text + (scalar.map(String.init) ?? "")
        + part.dropFirst(digits.count + (part.hasPrefix("{") ? 2 : 0))
    }
  }

  private mutating func storefront(writing text: String) -> String? {
    if let known = known[text] { return known }
    var found: String?
    if text.utf8.count <= 64, words.contains(Self.words(text)) {
      found = old.first { writes(text, $0.reader) }?.storefront
      if found != nil, new.contains(where: { writes(text, $0) }) { found = nil }
    }
    known[text] = .some(found)
    return found
  }

  private func writes(_ text: String, _ reader: PatternReader) -> Bool {
    reader.read(text, isLenient: false).problem == nil
  }
}
