import Foundation
import PriceTag
import SeededNumbers
import Testing

/// Embedded data that is read entry by entry is the same as data that is read and checked completely.
@Suite struct EmbeddedLocaleDataTests {
  private let complete: LocaleData
  private let onDemand: LocaleData

  /// Reading the complete data checks every entry, and throws if an entry is invalid.
  init() throws {
    complete = try LocaleData.readEmbeddedCompletely()
    onDemand = try #require(
      LocaleData.readEmbeddedOnDemand(),
      "the scanner cannot read the files"
    )
  }

  @Test func readsSameStorefronts() throws {
    #expect(complete.storefronts.count == 175)
    #expect(onDemand.storefronts == complete.storefronts)
    for expected in complete.storefronts {
      for id in [expected.id, expected.alpha2, expected.id.lowercased(), expected.alpha2.lowercased()] {
        let found = try Storefront(id, in: onDemand)
        #expect(found == expected, "\(id)")
        for (period, other) in zip(found.currencyPeriods, expected.currencyPeriods) {
          #expect(Facts(period.currency) == Facts(other.currency), "\(id)")
        }
      }
    }
  }

  @Test func readsSameCurrencies() throws {
    #expect(complete.currencies.count == 305)
    #expect(onDemand.currencies.map(\.code) == complete.currencies.map(\.code))
    for expected in complete.currencies {
      for code in [expected.code, expected.code.lowercased()] {
        #expect(Facts(try Currency(code, in: onDemand)) == Facts(expected), "\(code)")
      }
    }
  }

  /// All fields of a currency. `==` for currencies compares only their codes.
  private struct Facts: Equatable {
    let code: String
    let numericCode: Int?
    let kind: Currency.Kind
    let minorUnitDigits: Int?
    let firstDay, lastDay: CalendarDate?
    let successor: String?
    /// The minor unit digits of each provider; `nil` if there is no minor unit.
    let providerDigits: [Int?]

    init(_ currency: Currency) {
      code = currency.code
      numericCode = currency.numericCode
      kind = currency.kind
      minorUnitDigits = currency.minorUnitDigits
      firstDay = currency.firstDay
      lastDay = currency.lastDay
      successor = currency.successor
      providerDigits = ["iso", "adyen", "checkout", "stripe"].map {
        try? currency.minorUnitDigits(for: $0)
      }
    }
  }

  @Test func reportsUnknownProviderEqually() throws {
    let (first, second) = (try Currency("USD", in: onDemand), try Currency("USD", in: complete))
    let expected = #expect(throws: PriceTagError.self) { try second.minorUnitDigits(for: "strip") }
    #expect(throws: try #require(expected)) { try first.minorUnitDigits(for: "strip") }
    #expect(expected?.description.contains("iso, ") == true)
  }

  @Test func hasSameRevision() throws {
    #expect(try onDemand.revision() == complete.revision())
  }

  @Test(arguments: [
    "JAP", "UK", "germany", "US A", "", "\u{202E}USA", "\u{131}SL", "ZZZ", "JPX", "usaa", "J", "U1", "korea",
    "Ivory Coast", "JPN\u{0}", "ＪＰＮ", "@[`", "a{b",
  ])
  func reportsUnknownStorefrontEqually(id: String) throws {
    let expected = #expect(throws: PriceTagError.self) { try Storefront(id, in: complete) }
    #expect(throws: try #require(expected)) { try Storefront(id, in: onDemand) }
  }

  @Test(arguments: [
    "usdx", "EURO", "JPN", "XXX", "xts", "", "$", "yen", "baht", "ＵＳＤ", "US\u{0}", "\u{131}SK", "US", "BTC",
    "ZZZZ",
  ])
  func reportsUnknownCurrencyEqually(code: String) throws {
    let expected = #expect(throws: PriceTagError.self) { try Currency(code, in: complete) }
    #expect(throws: try #require(expected)) { try Currency(code, in: onDemand) }
  }

  /// Entries are read on first use. All threads receive the same ones.
  @Test func readsEntriesInFourThreads() async throws {
    for _ in 0..<20 {
      let data = try #require(LocaleData.readEmbeddedOnDemand())
      let expected = complete.storefronts
      let found = await withTaskGroup(of: [Storefront].self) { group in
        for thread in 0..<4 {
          group.addTask {
            let ids = thread.isMultiple(of: 2) ? expected.map(\.id) : expected.reversed().map(\.alpha2)
            return ids.compactMap { try? Storefront($0, in: data) }
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(found.count == 4)
      for storefronts in found { #expect(storefronts.sorted { $0.id < $1.id } == expected) }
    }
  }
}

@Suite struct JSONEntryScannerTests {
  /// Returns the texts of the objects that the scanner finds; `nil` if the scanner fails.
  private func entries(_ text: String) -> [String]? {
    let bytes = Array(text.utf8)
    return bytes.withUnsafeBufferPointer { buffer in
      JSONEntryScanner.entries(of: "a", in: buffer, first: "id", second: "x")?.map { entry in
        let texts = [entry.first, entry.second].map { range in
          range.map { String(decoding: buffer[$0], as: UTF8.self) } ?? "-"
        }
        return "\(texts.joined(separator: " ")) \(String(decoding: buffer[entry.range], as: UTF8.self))"
      }
    }
  }

  @Test(
    arguments: [
      (#"{"a":[]}"#, []), (#" { "a" : [ ] } "#, []), (#"{"b":1,"a":[]}"#, []),
      (#"{"a":[{"id":"J"}]}"#, [#"J - {"id":"J"}"#]),
      (
        #"{"b":[{"id":"no"}],"a":[{"id":"J","x":"K"},{"x":"L"}]}"#,
        [#"J K {"id":"J","x":"K"}"#, #"- L {"x":"L"}"#]
      ),
      (
        #"{"a":[{"y":{"id":"no","z":[1,"]}"]},"id":"J"}]}"#, [#"J - {"y":{"id":"no","z":[1,"]}"]},"id":"J"}"#]
      ),
      (#"{"a":[{"y":"\"}","id":"J"}]}"#, [#"J - {"y":"\"}","id":"J"}"#]),
      (#"{"a":[{"y":-1.5e3,"n":null,"id":"J"}]}"#, [#"J - {"y":-1.5e3,"n":null,"id":"J"}"#]),
      (
        "{\r\n\t\"a\": [\n{ \"id\" : \"J\" }\n, {\"x\":\"K\"} ]}",
        ["J - { \"id\" : \"J\" }", "- K {\"x\":\"K\"}"]
      ),
      (#"{"a":[{"id":1}]}"#, nil), (#"{"a":{}}"#, nil), (#"{"b":[]}"#, nil), ("[]", nil), ("", nil),
      (#"{"a":[1]}"#, nil), (#"{"a":[{"id":"J"}"#, nil), (#"{"a":[{"id":"J"#, nil),
      (#"{"a":[{"id":"J\"#, nil),
      (#"{"a":[{}]}"#, nil), (#"{"a":[{"id":"J"},]}"#, nil), (#"{"b":"#, nil), (#"{"b":[[["#, nil),
    ] as [(String, [String]?)]
  )
  func findsEntries(text: String, expected: [String]?) {
    #expect(entries(text) == expected, "\(text)")
  }

  /// The scanner never reads past the end of truncated or damaged text.
  @Test func staysWithinDamagedText() {
    let text = Array(#"{"b":["\\",{"c":"]"}],"a":[{"id":"J","y":[{"z":"\""}]},{"x":"K","id":"L"}]}"#.utf8)
    for count in 0..<text.count {
      let found = Array(text[..<count]).withUnsafeBufferPointer { JSONEntryScanner.entries(of: "a", in: $0) }
      // Only the array must be complete.
      #expect((found == nil) == (count < text.count - 1), "\(count) bytes")
    }
    var numbers = SeededNumbers(seed: 18)
    for _ in 0..<20_000 {
      var damaged = text
      for _ in 0..<numbers.number(1...4) {
        damaged[numbers.number(0...damaged.count - 1)] = numbers.pick(Array(#"{}[]":,\ aid"#.utf8))
      }
      damaged.withUnsafeBufferPointer { buffer in
        for entry in JSONEntryScanner.entries(of: "a", in: buffer, first: "id", second: "x") ?? [] {
          #expect(buffer.indices.contains(entry.range), "\(String(decoding: damaged, as: UTF8.self))")
          for range in [entry.first, entry.second] {
            #expect(range.map { entry.range.contains($0) } ?? true)
          }
        }
      }
    }
  }
}
