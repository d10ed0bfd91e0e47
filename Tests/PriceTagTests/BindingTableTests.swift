import Foundation
import Testing

@testable import PriceTag

/// The table of names in Bindings, from which parts of the bindings for other languages are generated.
@Suite struct BindingTableTests {
  private struct Table: Decodable {
    struct Option: Decodable {
      let byte: Int?
      let values: [String]
    }
    struct Status: Decodable {
      let code: String
    }
    let options: [String: Option]
    let parts: Option
    let statuses: [Status]

    init() throws {
      let folder = URL(filePath: #filePath).deletingLastPathComponent()
      let file = try Data(contentsOf: folder.appending(path: "../../Bindings/tables.json"))
      self = try JSONDecoder().decode(Table.self, from: file)
    }
  }

  /// The problems of the kernel have the places of their codes as raw values.
  @Test func hasTheStatusesOfTheKernel() throws {
    let codes = try Table().statuses.map(\.code)
    let names = [
      "malformed": "malformed-amount", "outOfRange": "amount-out-of-range", "needsRounding": "needs-rounding",
      "invalidRounding": "invalid-argument", "notAPack": "not-a-pack", "otherVersion": "other-version",
      "truncated": "truncated-pack", "checksum": "damaged-pack", "invalidField": "invalid-pack",
      "unknownStorefront": "unknown-storefront", "unknownLocale": "unknown-locale",
      "unknownCurrency": "unknown-currency", "missingStyle": "missing-style",
      "missingFormatter": "missing-formatter", "missingDate": "missing-date",
      "currencyMismatch": "currency-mismatch", "missingPlural": "missing-plural", "noPhrases": "no-phrases",
      "unknownLanguage": "unknown-language", "unknownPhrase": "unknown-phrase",
      "missingArgument": "missing-argument", "extraArgument": "extra-argument",
      "wrongArgument": "wrong-argument", "phraseTooLong": "phrase-too-long",
    ]
    var count = 0
    for value in UInt8.min...UInt8.max {
      let problems: [Any?] = [
        AmountProblem(rawValue: value), PackDamage(rawValue: value), PackProblem(rawValue: value),
        PhraseBytes.Problem(rawValue: value),
      ]
      for problem in problems.compactMap({ $0 }) {
        #expect(codes[Int(value)] == names["\(problem)"], "\(problem)")
        count += 1
      }
    }
    #expect(count == names.count)
  }

  /// The values of a style are in the order of its key in a pack.
  @Test func hasTheValuesOfStyles() throws {
    let table = try Table()
    let counts = [
      "width": PriceStyle.Width.allCases.count, "zeros": PriceStyle.Zeros.allCases.count,
      "sign": PriceStyle.Sign.allCases.count, "grouping": PriceStyle.Grouping.allCases.count,
      "notation": PriceStyle.Notation.allCases.count, "qualifier": PriceStyle.Qualifier.allCases.count,
    ]
    for (name, count) in counts {
      let option = try #require(table.options[name])
      let byte = try #require(option.byte)
      #expect(option.values.count == count, "\(name)")
      for (index, value) in option.values.enumerated() {
        let style = try JSONDecoder().decode(PriceStyle.self, from: Data(#"{"\#(name)":"\#(value)"}"#.utf8))
        #expect(Int(style.packKey(per: nil)[byte]) == index, "\(name) \(value)")
      }
    }
    #expect(table.options["rounding"]?.values == RoundingMode.allCases.map(\.rawValue))
    let parts = (0...PatternPart.Kind.maximum).compactMap { PatternPart.Kind(rawValue: UInt8($0)) }
    #expect(table.parts.values == parts.map { "\($0)" })
  }
}
