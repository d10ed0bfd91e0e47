import CatalogSamples
import Foundation
import PriceTag
import PriceTagCatalog
import PriceTagCatalogFormats
import PriceTagStrings
import PriceTagTesting
import Synchronization
import Testing

/// Tests of `expectEveryStorefront`: a correct catalog obeys the rules, and each rule detects its violation.
@Suite struct EveryStorefrontTests {
  private static let car = #"""
    {"productIdentifier":"car","localizations":{"en-US":{"name":"Rocket car","description":"It flies."},"de":{"name":"Raketenauto","description":"Es fliegt."}},"prices":{"DEU":"1234.50","USA":"4.99"}}
    """#
  private static let tour = #"""
    {"productIdentifier":"tour","kind":"auto-renewable-subscription","subscriptionGroup":"tours","subscriptionPeriod":"P1Y","localizations":{"en-US":{"name":"Tour"},"de":{"name":"Rundfahrt"}},"prices":{"DEU":"1200","USA":"1200"},"offers":[{"kind":"introductory","paymentMode":"free-trial","period":"P2W"}]}
    """#

  /// Temporary locale data with a merchant's overrides.
  private final class Overrides {
    private let folder: ScratchFolder
    let data: LocaleData

    init(_ overrides: String) throws {
      folder = try ScratchFolder(["currency-overrides.json": #"{"schema":1,"overrides":[\#(overrides)]}"#])
      data = try LocaleData(folder: folder.path)
    }
  }

  @Test func acceptsCorrectCatalog() throws {
    let shop = try catalog(Self.car, Self.tour)
    expectEveryStorefront(of: shop, storefronts: ["DEU", "USA"], languages: ["en", "de"])
    expectEveryStorefront(of: shop, storefronts: ["DE", "us"], languages: ["en"], at: "2026-11-21")
    expectEveryStorefront(of: shop, obeys: [], storefronts: ["USA"])
  }

  /// The sample shop does not have texts in all languages, but it obeys every other rule.
  @Test func acceptsSampleShop() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Examples/rocket-garage.json").path
    let shop = try Catalog()
    try shop.importFiles([CatalogFile(path: file)])
    expectEveryStorefront(
      of: shop,
      obeys: [.hasNoCurrencySign, .readsBack, .derivedPricesKeepTheirForm, .isolatesAreBalanced],
      languages: ["en"],
      at: "2026-11-21"
    )
  }

  /// A rule, a catalog, a merchant's overrides, and the languages that violate it together, with the failure.
  static let violations:
    [(rule: DisplayRule, lines: [String], overrides: String, languages: [String], text: String)] = [
      (
        .hasNoCurrencySign, [car], #"{"storefront":"USA","symbol":"¤","reason":"r"}"#, ["en"],
        """
        the rule "has no currency sign ¤" is broken by 1 display in 1 storefront:
          car in USA (en): "¤4.99": "¤4.99" has a ¤
        """
      ),
      (
        .identifiesItsCurrency, [car], #"{"storefront":"DEU","symbol":"$","reason":"r"}"#, ["en"],
        """
        the rule "identifies its currency" is broken by 1 display in 1 storefront:
          car in DEU (en): "1.234,50\\u{A0}$": its symbol could be EUR or USD
        """
      ),
      (
        .isolatesAreBalanced, [car.replacing("Rocket car", with: "Rocket \\u202ecar")], "", ["en"],
        """
        the rule "isolates are balanced" is broken by 2 displays in 2 storefronts:
          car in DEU (en): "1.234,50\\u{A0}€": "Rocket \\u{202E}car" has an unbalanced bidi control
          car in USA (en): "$4.99": "Rocket \\u{202E}car" has an unbalanced bidi control
        """
      ),
      (
        .productTextIsTranslated, [car.replacing(#""de""#, with: #""fr-FR""#)], "", ["en", "de"],
        """
        the rule "product text is translated" is broken by 1 display in 1 storefront:
          car in DEU (de): "1.234,50\\u{A0}€": "Rocket car" is in en-US
        """
      ),
      (
        DisplayRule("costs little") { $0.price.amount > "100" ? "it costs \($0.price.amount)" : nil },
        [car, tour], "", ["en"],
        """
        the rule "costs little" is broken by 3 displays in 2 storefronts:
          car in DEU (en): "1.234,50\\u{A0}€": it costs 1234.50
          tour in USA (en): "$1,200.00": it costs 1200.00
        """
      ),
      (
        DisplayRule("always throws") { _ in throw CancellationError() }, [car], "", ["en", "de"],
        """
        the rule "always throws" is broken by 4 displays in 2 storefronts:
          car in DEU (en): "1.234,50\\u{A0}€": CancellationError()
          car in USA (en): "$4.99": CancellationError()
        """
      ),
    ]

  @Test(arguments: violations.indices)
  func reportsViolatedRuleOnce(index: Int) throws {
    let (rule, lines, overrides, languages, text) = Self.violations[index]
    let data = try Overrides(overrides)
    let shop = try Catalog(localeData: data.data)
    try shop.importFiles([CatalogFile(name: "s.jsonl", bytes: Array(lines.joined(separator: "\n").utf8))])
    let line = #line + 2
    let recorded = failures {
      expectEveryStorefront(
        of: shop,
        obeys: [rule],
        storefronts: ["DEU", "USA"],
        languages: languages,
        localeData: data.data
      )
    }
    #expect(recorded.count == 1 && recorded.first?.line == line)
    #expect(recorded.first?.text.hasPrefix(text) == true, "\(recorded)")
  }

  /// A merchant's strings, most of which are missing in German.
  @Test func reportsFallbackMessages() throws {
    let folder = try ScratchFolder()
    let strings = folder.url.appending(path: "strings")
    try FileManager.default.createDirectory(at: strings, withIntermediateDirectories: true)
    try Data(#"{"days":"{count, plural, one {# Tag} other {# Tage}}"}"#.utf8)
      .write(to: strings.appending(path: "de.json"))
    let words = try StoreStrings(folder: folder.path)
    let shop = try catalog(Self.car, Self.tour)
    let recorded = failures {
      expectEveryStorefront(
        of: shop,
        obeys: [.messagesAreTranslated],
        storefronts: ["DEU"],
        languages: ["en", "de"],
        strings: words
      )
    }
    #expect(recorded.count == 1)
    #expect(
      recorded.first?.text.hasPrefix(
        """
        the rule "messages are translated" is broken by 1 display in 1 storefront:
          tour in DEU (de): "1.200,00\\u{A0}€": 
        """
      ) == true && recorded.first?.text.hasSuffix(" is in en-US") == true,
      "\(recorded)"
    )
  }

  /// The strings of a language that has none are in the store's default language, which breaks a rule.
  @Test(arguments: [
    (
      false,
      """
      the rule "messages are translated" is broken by 1 display in 1 storefront:
        tour in DEU (de): "1.200,00\\u{A0}€": "1 Jahr" is in de
      """
    ),
    (true, #"no strings are available in "bg"; use one of ar, bn"#),
  ])
  func reportsLanguageWithoutStrings(isStrict: Bool, text: String) throws {
    let shop = try catalog(Self.car, Self.tour)
    let recorded = failures {
      expectEveryStorefront(
        of: shop,
        obeys: [.messagesAreTranslated, .productTextIsTranslated],
        storefronts: ["DEU"],
        languages: ["bg"],
        isLanguageStrict: isStrict
      )
    }
    #expect(recorded.count == 1 && recorded[0].text.hasPrefix(text), "\(recorded)")
  }

  @Test func reportsMissingDisplays() throws {
    let shop = try catalog(
      Self.car.replacing(#","USA":"4.99""#, with: ""),
      // Intentionally not for sale in Germany.
      #"{"productIdentifier":"bike","clearedForSale":{"except":["DEU"]},"localizations":{"en-US":{"name":"Bike"}},"prices":{"USA":"1"}}"#
    )
    let recorded = failures {
      expectEveryStorefront(of: shop, obeys: [], storefronts: ["DEU", "USA"], languages: ["en", "de"])
    }
    #expect(
      recorded.map(\.text).map { $0.replacing(/on \d{4}-\d\d-\d\d/, with: "today") } == [
        """
        the rule "products for sale are displayed" is broken by 2 displays in 1 storefront:
          "car": the product has no price in USA today: no price was imported; import one
        """
      ]
    )
  }

  /// A shop that sells in some storefronts only learns how to check those.
  @Test func namesStorefrontsOfShop() throws {
    let shop = try catalog(Self.car)
    let advice = #"  If the shop sells only in 2 storefronts, name them: storefronts: ["DEU", "USA"]"#
    let all = failures { expectEveryStorefront(of: shop, obeys: [], languages: ["en"]) }
    #expect(all.count == 1 && all[0].text.hasSuffix("\n" + advice), "\(all)")
    // Only what the caller did not name, and not if a storefront lacks one of several products.
    let named = failures {
      expectEveryStorefront(of: shop, obeys: [], storefronts: ["JPN", "USA"], languages: ["en"])
    }
    #expect(named.count == 1 && !named[0].text.contains("storefronts: ["), "\(named)")
    let prices = LocaleData.embedded.storefronts.map { #""\#($0)":"5000""# }.joined(separator: ",")
    let everywhere = try catalog(
      Self.car,
      #"{"productIdentifier":"a","localizations":{"en-US":{"name":"A"}},"prices":{\#(prices)}}"#
    )
    let partly = failures { expectEveryStorefront(of: everywhere, obeys: [], languages: ["en"]) }
    #expect(partly.count == 1 && !partly[0].text.contains("storefronts: ["), "\(partly)")
  }

  /// A rule that many displays violate fails once, with at most ten examples.
  @Test func limitsFailures() throws {
    let storefronts = LocaleData.embedded.storefronts.prefix(20).map(\.id)
    let prices = storefronts.map { #""\#($0)":"\#($0 == "BGR" ? 5 : 5000)""# }.joined(separator: ",")
    let shop = try catalog(
      #"{"productIdentifier":"a","localizations":{"en-US":{"name":"A"}},"prices":{\#(prices)}}"#,
      #"{"productIdentifier":"b","localizations":{"en-US":{"name":"B"}},"prices":{\#(prices)}}"#
    )
    let rules = ["one", "another"].map { name in DisplayRule(name) { _ in "wrong" } }
    let recorded = failures {
      expectEveryStorefront(
        of: shop,
        obeys: rules,
        storefronts: storefronts,
        languages: ["en"],
        at: "2026-11-21"
      )
    }
    #expect(recorded.count == 2)
    for (failure, rule) in zip(recorded, rules) {
      let lines = failure.text.split(separator: "\n")
      #expect(lines.first == "the rule \"\(rule)\" is broken by 40 displays in 20 storefronts:")
      #expect(lines.count == 12 && lines.last?.hasPrefix("  … and in ") == true)
      #expect(lines.last?.split(separator: " ").count == 3 + 10)
    }
  }

  @Test func callsBodyWithEachDisplay() throws {
    let shop = try catalog(Self.car, Self.tour)
    var seen: [String] = []
    expectEveryStorefront(
      of: shop,
      obeys: [],
      storefronts: ["USA", "DEU"],
      languages: ["en", "de"],
      at: "2026-11-21"
    ) { display in
      seen.append(
        "\(display.product.identifier) \(display.storefront.id) \(display.language) \(display.price.text) \(display.messages.count)"
      )
    }
    #expect(
      seen == [
        "car USA en $4.99 0", "car USA de $4.99 0", "car DEU en 1.234,50\u{A0}€ 0",
        "car DEU de 1.234,50\u{A0}€ 0",
        "tour USA en $1,200.00 3", "tour USA de $1,200.00 3", "tour DEU en 1.200,00\u{A0}€ 3",
        "tour DEU de 1.200,00\u{A0}€ 3",
      ]
    )
    let recorded = failures {
      expectEveryStorefront(of: shop, obeys: [], storefronts: ["USA"], languages: ["en"]) { _ in
        throw CancellationError()
      }
    }
    // Only once, because the next display would probably fail in the same way.
    #expect(recorded.map(\.text) == [#"car in USA (en): "$4.99": CancellationError()"#])
  }

  @Test func failsWithoutDisplays() throws {
    let emptyCatalog = try Catalog()
    let empty = failures { expectEveryStorefront(of: emptyCatalog) }
    #expect(
      empty.map(\.text) == ["the catalog has no displays in these storefronts, so no rule was checked"]
    )
    let shop = try catalog(Self.car)
    let storefronts = failures { expectEveryStorefront(of: shop, storefronts: []) }
    #expect(storefronts.count == 1)
    let languages = failures { expectEveryStorefront(of: shop, storefronts: ["USA"], languages: []) }
    #expect(languages.count == 1)
    let unknown = failures { expectEveryStorefront(of: shop, storefronts: ["XXX"]) }
    #expect(unknown.count == 1 && unknown[0].text.contains("unknown storefront \"XXX\""))
  }

  /// The catalog has a product, but it is not for sale.
  @Test func failsWithoutProductsForSale() throws {
    let shop = try catalog(
      Self.car.replacing(#"{"productIdentifier""#, with: #"{"clearedForSale":false,"productIdentifier""#)
    )
    let recorded = failures { expectEveryStorefront(of: shop, storefronts: ["USA"]) }
    #expect(recorded.count == 1, "\(recorded)")
  }
}
