import CatalogSamples
import Foundation
import PriceTagReading
import PriceTagStrings
import Testing

@testable import PriceTag
@testable import PriceTagDrift

/// Tests of the comparison of packs, and of packs that are written again.
@Suite struct PackComparisonTests {
  // MARK: Packs

  private static let date = "2026-11-21"

  /// Returns a pack of storefronts, or of locales and currencies, with the data of a folder.
  private static func pack(
    _ files: [String: String] = [:],
    storefronts: [String] = [],
    locales: [String] = [],
    currencies: [String] = [],
    styles: [PriceStyle] = [PriceStyle()],
    per references: [UnitPriceReference] = [],
    spoken: Bool = false
  ) throws -> Pack {
    let folder = try ScratchFolder(files)
    let localeData = try files.isEmpty ? .embedded : LocaleData(folder: folder.path)
    var writer = PackWriter(
      styles: styles,
      per: references,
      includesSpoken: spoken,
      on: try CalendarDate(date)
    )
    for id in storefronts { writer.add(try Storefront(id, in: localeData), in: localeData) }
    let added = try currencies.map { try Currency($0, in: localeData) }
    for locale in locales { writer.add(try PriceLocale(locale, allowsNumberingSystem: true), added) }
    return try Pack(writer.bytes(revision: try localeData.revision()))
  }

  private static func overrides(_ entries: String...) -> [String: String] {
    ["currency-overrides.json": #"{"schema":1,"overrides":[\#(entries.joined(separator: ","))]}"#]
  }

  /// Returns each change as a line: class, subject, texts, and places.
  private static func lines(_ comparison: PackComparison) -> [String] {
    comparison.changes.map { change in
      let texts = change.pairs.map {
        "\(escapedForGoldenFile($0.expected))>\(escapedForGoldenFile($0.actual))"
      }
      let locales = change.locales.map { "\($0.locale)(\($0.currencies.joined(separator: " ")))" }
      let places = change.storefronts + locales + change.currencies + change.styles
      return
        "\(change.driftClass.rawValue) \(change.subject) \(texts.joined(separator: ",")): \(places.joined(separator: " "))"
    }
  }

  // MARK: Limits

  /// Packs that differ too much are compared in part. The rest is a change of its own, which may be of any class.
  @Test func workIsLimited() throws {
    let storefronts = ["CHE", "JPN", "TWN", "USA"]
    let overrides = Self.overrides(
      #"{"currency":"CHF","symbol":"SFr","reason":"r"}"#,
      #"{"currency":"JPY","symbol":"¥","reason":"r"}"#,
      #"{"currency":"TWD","symbol":"€","reason":"r"}"#,
      #"{"currency":"USD","symbol":"£","reason":"r"}"#
    )
    let old = try Self.pack(storefronts: storefronts, locales: ["fr-FR"], currencies: ["CHF", "JPY"])
    let new = try Self.pack(
      overrides,
      storefronts: storefronts,
      locales: ["fr-FR"],
      currencies: ["CHF", "JPY"]
    )
    let complete = try PackComparison(old, new)
    #expect(complete.notComparedCount == 0 && complete.changes.allSatisfy(\.isCompared))
    #expect(!complete.hasDrift(of: [.amount]))
    for limits in [
      PackComparison.Limits(comparedPatterns: 2), PackComparison.Limits(changes: 2),
    ] {
      let comparison = try PackComparison(old, new, limits: limits)
      #expect(comparison.notComparedCount == 4)
      #expect(comparison.changes.count == 3 && comparison.changes.count { !$0.isCompared } == 1)
      let rest = try #require(comparison.changes.first { !$0.isCompared })
      #expect(rest.storefronts == ["TWN", "USA"] && rest.styles == ["standard"])
      #expect(rest.locales.map(\.currencies) == [["CHF", "JPY"]])
      #expect(comparison.changedStorefronts == storefronts)
      // The class is unknown, so it counts as each of them.
      for driftClass in DriftClass.allCases { #expect(comparison.hasDrift(of: [driftClass])) }
      #expect(!comparison.hasDrift(of: []))
      let text = PackReportText(comparison, file: "old.pack")
      #expect(
        text.plain.contains(
          "\nThe packs differ too much: 4 combinations of a place, a currency and a style differ in changes that were not compared, so their class is unknown.\n"
        )
      )
      #expect(comparison.json.contains(#""notCompared":4,"#))
    }
    // With nothing compared, no change is missed.
    let none = try PackComparison(old, new, limits: PackComparison.Limits(comparedPatterns: 0))
    #expect(none.notComparedCount == 6 && none.changes.count == 1)
    #expect(try PackComparison(old, old, limits: PackComparison.Limits(comparedPatterns: 0)).changes.isEmpty)
  }

  /// A pack with unambiguous symbols is written again for its own date.
  @Test func rebuildUsesDateOfThePack() throws {
    let old = try Self.pack(storefronts: ["BGR", "USA"], styles: [PriceStyle(width: .unambiguous)])
    #expect(try PackRebuild(of: old).bytes == old.fileBytes)
    #expect(try PackRebuild(of: old).pack.symbolDate?.description == Self.date)
    let later = try PackRebuild(of: old, on: CalendarDate("2027-01-01"))
    #expect(later.pack.symbolDate?.description == "2027-01-01")
    #expect(try PackRebuild(of: Self.pack(storefronts: ["USA"])).pack.symbolDate == nil)
  }

  /// What a new pack does not have is reported by reason.
  @Test func omissionsAreReportedByKind() throws {
    func omission(_ locale: String, _ currency: String, _ reason: String) throws -> PackWriter.Omission {
      PackWriter.Omission(
        locale: try PriceLocale(locale),
        currency: try Currency(currency),
        style: Pack.StyleContents(style: PriceStyle(), reference: nil),
        reason: reason
      )
    }
    let kinds = PackOmissionKind.kinds(of: [
      try omission("de-CH", "CHF", "no pattern reproduces ICU's output"),
      try omission("de-CH", "EUR", "ICU failed"), try omission("fr-CH", "EUR", "ICU failed"),
    ])
    #expect(
      kinds.map(\.description) == [
        "2 combinations, such as EUR in de-CH, standard: ICU failed",
        "CHF in de-CH, standard: no pattern reproduces ICU's output",
      ]
    )
    #expect(PackOmissionKind.kinds(of: []).isEmpty)
    let pack = try Self.pack(storefronts: ["JPN"])
    #expect(try PackRebuild(of: pack, on: CalendarDate(Self.date)).omissions.isEmpty)
  }

  // MARK: Classes

  /// The pack of the storefronts of `SmallShop` without overrides.
  private static let withoutOverrides: Result<Pack, any Error> = Result {
    try pack(storefronts: SmallShop.storefronts, spoken: true)
  }

  /// A golden file and a pack report the same classes for the same data.
  @Test(arguments: DriftCheckTests.newerCLDR)
  func hasTheClassesOfGoldenFiles(
    name: String,
    overrides: [String],
    classes expected: [String: [String]]
  ) throws {
    let files = [
      "currency-overrides.json": #"{"schema":1,"overrides":[\#(overrides.joined(separator: ","))]}"#
    ]
    var expected = expected
    // The samples of packs have negative amounts too, with direction marks that depend on the script of the digits.
    if let egypt = expected["EGY"] { expected["EGY"] = egypt + ["direction-marks"] }
    let old = try Self.withoutOverrides.get()
    let new = try Self.pack(files, storefronts: SmallShop.storefronts, spoken: true)
    for (one, other) in [(old, new), (new, old)] {
      let comparison = try PackComparison(one, other)
      var classes: [String: Set<DriftClass>] = [:]
      for change in comparison.changes {
        for storefront in change.storefronts { classes[storefront, default: []].insert(change.driftClass) }
      }
      #expect(
        classes.mapValues { $0.sorted().map(\.rawValue) } == expected,
        "\(name): \(PackReportText(comparison, file: "p").plain)"
      )
      #expect(comparison.storefronts == SmallShop.storefronts)
    }
  }

  /// What changes, and what is reported: class, subject, texts and places.
  @Test func describesChanges() throws {
    let apostrophe = try Self.groupSeparator("CHE")
    let cases: [(entry: String, lines: [String])] = [
      (
        #"{"storefront":"CHE","group":"·","reason":"r"}"#,
        ["separators group separator \(apostrophe)>·: CHE standard name"]
      ),
      (
        #"{"storefront":"CHE","space":"\u202f","reason":"r"}"#,
        [#"spacing spaces \u{A0}>\u{202F}: CHE standard"#]
      ),
      (#"{"storefront":"TWN","symbol":"NT$","reason":"r"}"#, ["symbol symbol $>NT$: TWN standard"]),
      (#"{"storefront":"JPN","digits":2,"reason":"r"}"#, ["digits decimals 0>2: JPN standard name"]),
      (
        #"{"storefront":"EGY","numbering":"latn","reason":"r"}"#,
        [
          "digits digits ١٢٣٤>1234: EGY standard name", "separators decimal separator ٫>.: EGY standard name",
          "separators group separator ٬>,: EGY standard name",
          // Those beside the sign.
          #"direction-marks direction marks \u{61C}>\u{200E}: EGY name"#,
          #"direction-marks direction marks \u{61C}\u{200F}\u{200F}>\u{200F}\u{200E}\u{200F}: EGY standard"#,
        ]
      ),
    ]
    let storefronts = ["CHE", "EGY", "JPN", "TWN"]
    let styles = [PriceStyle(), PriceStyle(width: .name)]
    let old = try Self.pack(storefronts: storefronts, styles: styles)
    for (entry, lines) in cases {
      let new = try Self.pack(Self.overrides(entry), storefronts: storefronts, styles: styles)
      #expect(try Self.lines(PackComparison(old, new)) == lines, "\(entry)")
    }
  }

  /// The group separator of the installed ICU.
  private static func groupSeparator(_ storefront: String) throws -> String {
    let parts = try PriceFormatter(storefront: Storefront(storefront)).format("1234").parts
    return try #require(parts.first { $0.type == .group }).value
  }

  /// A change that many combinations have is reported once, with all of them.
  @Test func groupsCombinations() throws {
    let locales = ["de-CH", "de-DE", "en-US"]
    let currencies = ["CHF", "JPY", "USD"]
    let old = try Self.pack(locales: locales, currencies: currencies)
    let new = try Self.pack(
      Self.overrides(
        #"{"currency":"CHF","symbol":"SFr.","reason":"r"}"#,
        #"{"currency":"JPY","digits":2,"reason":"r"}"#
      ),
      locales: locales,
      currencies: currencies
    )
    let comparison = try PackComparison(old, new)
    #expect(
      Self.lines(comparison) == [
        "symbol symbol CHF>SFr.: de-CH(CHF) de-DE(CHF) en-US(CHF) standard",
        "digits decimals 0>2: de-CH(JPY) de-DE(JPY) en-US(JPY) standard",
      ]
    )
    #expect(comparison.combinationCount == 9 && comparison.changedCombinationCount == 6)
    #expect(comparison.locales == locales && comparison.storefronts.isEmpty)
    let example = try #require(comparison.changes.first?.example)
    #expect(
      "\(example.amount) \(example.currency) \(example.place) \(example.style)"
        == "1234.50 CHF de-CH standard"
    )
    let written = try PriceFormatter(locale: PriceLocale("de-CH"), currency: Currency("CHF")).string(
      for: "1234.50"
    )
    #expect(example.expected == written && example.actual == written.replacing("CHF", with: "SFr."))
    #expect(comparison.hasDrift(of: [.symbol]) && !comparison.hasDrift(of: [.order, .gone]))
  }

  private static func gems(_ one: String, _ other: String, digits: Int = 0) -> [String: String] {
    [
      "custom-currencies.json": #"""
      {"schema":1,"currencies":[{"code":"GEMS","digits":\#(digits),"symbol":"💎","like":"USD","storefronts":"all",
      "reason":"r","names":{"en":{"one":"\#(one)","other":"\#(other)"}}}]}
      """#
    ]
  }

  /// Each plural form of a name is compared. Custom currencies are compared where the storefront charges them.
  @Test func comparesPluralForms() throws {
    let style = PriceStyle(width: .name)
    let old = try Self.pack(Self.gems("gem", "gems"), storefronts: ["USA"], styles: [style])
    let new = try Self.pack(Self.gems("jewel", "jewels"), storefronts: ["USA"], styles: [style])
    #expect(try Self.lines(PackComparison(old, new)) == ["symbol symbol gems>jewels,gem>jewel: USA name"])
    let onlyOne = try Self.pack(Self.gems("jewel", "gems"), storefronts: ["USA"], styles: [style])
    #expect(try Self.lines(PackComparison(old, onlyOne)) == ["symbol symbol gem>jewel: USA name"])
    let without = try Self.pack(storefronts: ["USA"], styles: [style])
    #expect(
      try Self.lines(PackComparison(old, without)) == [
        "currency custom currencies GEMS>: USA", "gone currency in the pack>: GEMS",
      ]
    )
    #expect(
      try Self.lines(PackComparison(without, old)) == [
        "currency custom currencies >GEMS: USA", "new currency >in the pack: GEMS",
      ]
    )
  }

  /// An amount in minor units is another price if their digits change.
  @Test func comparesCurrencies() throws {
    let old = try Self.pack(Self.gems("gem", "gems"), locales: ["en-US"], currencies: ["GEMS"])
    let new = try Self.pack(Self.gems("gem", "gems", digits: 2), locales: ["en-US"], currencies: ["GEMS"])
    #expect(
      try Self.lines(PackComparison(old, new)) == [
        "amount digits of the minor unit 0>2: GEMS", "digits decimals 0>2: en-US(GEMS) standard",
        "digits cash digits 0>2: GEMS", "digits standard digits 0>2: GEMS",
      ]
    )
  }

  // MARK: Storefronts

  private static func store(
    _ id: String,
    _ alpha2: String,
    _ locale: String,
    _ currencies: String
  ) -> String {
    """
    {"id":"\(id)","alpha2":"\(alpha2)","currencies":[\(currencies)],"priceLocale":"\(locale)",
    "defaultLanguage":"en-GB","languages":["en-GB"],"sources":{"id":"s","priceLocale":"s","languages":"s"}}
    """
  }

  private static func stores(_ stores: String...) -> [String: String] {
    [
      "storefronts.json":
        #"{"schema":1,"sources":{"s":"source"},"storefronts":[\#(stores.joined(separator: ","))]}"#
    ]
  }

  private static let euro = #"{"currency":"EUR","source":"s"}"#
  private static let levThenEuro = """
    {"currency":"BGN","until":"2025-12-31","source":"s"},{"currency":"EUR","from":"2026-01-01","source":"s"}
    """
  private static let levShorter = """
    {"currency":"BGN","until":"2025-06-30","source":"s"},{"currency":"EUR","from":"2025-07-01","source":"s"}
    """

  @Test func comparesStorefronts() throws {
    let ireland = Self.store("IRL", "IE", "en-IE", Self.euro)
    let bulgaria = Self.store("BGR", "BG", "bg-BG", Self.levThenEuro)
    let old = try Self.pack(Self.stores(bulgaria, ireland), storefronts: ["BGR", "IRL"])
    let cases: [(stores: [String: String], ids: [String], lines: [String])] = [
      (Self.stores(bulgaria, ireland), ["BGR", "IRL"], []),
      (
        Self.stores(Self.store("BGR", "BG", "bg-BG", Self.levShorter), ireland), ["BGR", "IRL"],
        [
          "currency currency by date BGN until 2025-12-31, EUR from 2026-01-01>BGN until 2025-06-30, EUR from 2025-07-01: BGR"
        ]
      ),
      (
        Self.stores(bulgaria, Self.store("IRL", "IE", "ga-IE", Self.euro)), ["BGR", "IRL"],
        ["text price locale en-IE>ga-IE: IRL"]
      ),
      (
        Self.stores(bulgaria), ["BGR"], ["gone storefront in the pack>: IRL"]
      ),
      (
        Self.stores(bulgaria, ireland, Self.store("MLT", "MT", "en-MT", Self.euro)), ["BGR", "IRL", "MLT"],
        ["new storefront >in the pack: MLT"]
      ),
    ]
    for (stores, ids, lines) in cases {
      let new = try Self.pack(stores, storefronts: ids)
      #expect(try Self.lines(PackComparison(old, new)) == lines, "\(ids)")
    }
    // Another currency: that of the old pack is gone, and that of the new one is compared with nothing.
    let dollar = Self.store("IRL", "IE", "en-IE", #"{"currency":"USD","source":"s"}"#)
    let new = try Self.pack(Self.stores(bulgaria, dollar), storefronts: ["BGR", "IRL"])
    #expect(
      try Self.lines(PackComparison(old, new)) == [
        "currency currency by date EUR>USD: IRL", "new currency >in the pack: USD",
      ]
    )
  }

  @Test func comparesStylesAndLocales() throws {
    let old = try Self.pack(locales: ["de-DE", "en-US"], currencies: ["EUR", "USD"])
    let new = try Self.pack(
      locales: ["en-US", "fr-FR"],
      currencies: ["EUR", "JPY"],
      styles: [PriceStyle(width: .iso, zeros: .trim)]
    )
    #expect(
      try Self.lines(PackComparison(old, new)) == [
        "gone currency in the pack>: USD", "gone price locale in the pack>: de-DE()",
        "gone style in the pack>: standard", "new currency >in the pack: JPY",
        "new price locale >in the pack: fr-FR()", "new style >in the pack: iso, zeros trim",
      ]
    )
  }

  /// A price locale that only storefronts of the new pack have is gone as a locale.
  @Test func reportsLocaleThatOnlyStorefrontsHave() throws {
    let old = try Self.pack(storefronts: ["DEU"], locales: ["de-DE"], currencies: ["EUR"])
    let new = try Self.pack(storefronts: ["DEU"])
    #expect(try Self.lines(PackComparison(old, new)).contains("gone price locale in the pack>: de-DE()"))
  }

  /// A combination for which only one of the packs has a pattern.
  @Test func comparesMissingPatterns() throws {
    func pack(_ currencies: [String: [String]]) throws -> Pack {
      var writer = PackWriter(styles: [PriceStyle()], includesSpoken: false, on: try CalendarDate(Self.date))
      for (locale, codes) in currencies {
        writer.add(try PriceLocale(locale), try codes.map { try Currency($0) })
      }
      return try Pack(writer.bytes(revision: try LocaleData.embedded.revision()))
    }
    let old = try pack(["de-DE": ["EUR", "USD"], "en-US": ["EUR", "USD"]])
    let new = try pack(["de-DE": ["EUR"], "en-US": ["EUR", "USD"]])
    let gone = try PackComparison(old, new)
    #expect(Self.lines(gone) == ["gone pattern in the pack>: de-DE(USD) standard"])
    #expect(gone.lacksPatterns && gone.hasDrift(of: [.gone]))
    let added = try PackComparison(new, old)
    #expect(Self.lines(added) == ["new pattern >in the pack: de-DE(USD) standard"])
    #expect(!added.lacksPatterns)
    // A pattern that ICU's output did not have may exist now.
    #expect(try PackComparison(old, PackRebuild(of: new).pack).changes.isEmpty)
  }

  // MARK: Packs that are written again

  /// Styles whose formatters have one pattern, and styles whose formatters have families.
  private static let manyStyles = [
    PriceStyle(), PriceStyle(width: .name), PriceStyle(zeros: .trim), PriceStyle(sign: .exceptZero),
    PriceStyle(digits: .cash), PriceStyle(digits: .range(0...2)), PriceStyle(digits: .fixed(3)),
    PriceStyle(width: .unambiguous, grouping: .never), PriceStyle(numberingSystem: "latn"),
    PriceStyle(qualifier: .atLeast),
  ]

  /// A pack that is written again with the same data has the same bytes.
  @Test func sameDataGivesSameBytes() throws {
    let folder = try ScratchFolder(Self.gems("gem", "gems"))
    let localeData = try LocaleData(folder: folder.path)
    func pack(_ styles: [PriceStyle], storefronts: [String], currencies: [String]) throws -> Pack {
      var writer = PackWriter(
        styles: styles,
        per: [.kilogram, .hundredMilliliters],
        on: try CalendarDate(Self.date)
      )
      for id in storefronts { writer.add(try Storefront(id, in: localeData), in: localeData) }
      let added = try currencies.map { try Currency($0, in: localeData) }
      for locale in ["de-AT", "ar-EG-u-nu-latn"] {
        writer.add(try PriceLocale(locale, allowsNumberingSystem: true), added)
      }
      return try Pack(writer.bytes(revision: try localeData.revision()))
    }
    let complete = try pack(
      Self.manyStyles,
      storefronts: ["BGR", "CHE", "EGY", "USA"],
      currencies: ["CHF", "EUR", "GEMS", "KWD"]
    )
    // A registry that is pinned to a pack is not what ICU says. This does not depend on what the pack has, so it has less.
    let small = try pack(Array(Self.manyStyles.prefix(2)), storefronts: ["EGY"], currencies: ["EUR", "GEMS"])
    for (old, data, count) in [(complete, localeData, 8), (small, localeData.pinned(to: small), 4)] {
      let rebuild = try PackRebuild(of: old, in: data, on: try CalendarDate(Self.date))
      #expect(rebuild.bytes == old.fileBytes)
      #expect(rebuild.missing.isEmpty)
      let comparison = try PackComparison(old, rebuild.pack)
      #expect(comparison.changes.isEmpty && comparison.equivalentCount == 0)
      #expect(comparison.combinationCount == count)
    }
  }

  /// The new pack has the selection of the old one, not all that the data has.
  @Test func keepsTheSelection() throws {
    let old = try Self.pack(storefronts: ["CHE", "JPN"], locales: ["fr-FR"], currencies: ["USD"])
    let folder = try ScratchFolder(Self.overrides(#"{"storefront":"CHE","group":"·","reason":"r"}"#))
    let localeData = try LocaleData(folder: folder.path)
    let rebuild = try PackRebuild(of: old, in: localeData, on: try CalendarDate(Self.date))
    #expect(rebuild.pack.storefronts == ["CHE", "JPN"])
    #expect(rebuild.pack.locales == ["de-CH", "fr-FR", "ja-JP"])
    #expect(rebuild.pack.currencies == ["CHF", "JPY", "USD"])
    #expect(try rebuild.pack.styles.map(\.description) == ["standard"])
    // Locales of storefronts have no other currencies.
    #expect(try PackComparison(rebuild.pack, rebuild.pack).locales == ["fr-FR"])
    let apostrophe = try Self.groupSeparator("CHE")
    #expect(
      try Self.lines(PackComparison(old, rebuild.pack)) == [
        "separators group separator \(apostrophe)>·: CHE standard"
      ]
    )
  }

  private static func pack(phrases languages: [String], _ strings: StoreStrings) throws -> Pack {
    var writer = PackWriter(styles: [PriceStyle()], on: try CalendarDate(date))
    writer.add(try Storefront("USA"), in: .embedded)
    let phrases = try PackPhrases(languages.map { try UILanguage($0) }, of: strings)
    return try Pack(writer.bytes(revision: try LocaleData.embedded.revision(), phrases: phrases.bytes))
  }

  /// A pack that is written again has the same phrases, also those of a shop.
  @Test func comparesPhrases() throws {
    func own(_ text: String) throws -> StoreStrings {
      StoreStrings.embedded.adding(try ShopStrings(["en-US.json": "{\(text)}"]))
    }
    let old = try Self.pack(phrases: ["de", "en-US"], own(#""fee": "Fee: {fee}", "gone": "{price}""#))
    let rebuild = try PackRebuild(of: old, on: CalendarDate(Self.date))
    #expect(rebuild.bytes == old.fileBytes && rebuild.pack.phraseContents.keys.contains("fee"))
    let new = try Self.pack(phrases: ["en-US", "ja"], own(#""fee": "Charge: {fee}", "new": "{price}""#))
    #expect(
      try Self.lines(PackComparison(old, new)).sorted() == [
        "gone language of phrases in the pack>: de()", "gone phrase gone in the pack>: en-US()",
        "new language of phrases >in the pack: ja()", "new phrase new >in the pack: en-US()",
        "text phrase fee the old message>the new message: en-US()",
      ]
    )
    let without = try Self.pack(storefronts: ["USA"])
    let gone = try PackComparison(old, without)
    #expect(gone.hasDrift(of: [.gone]))
    #expect(try PackRebuild(of: without).pack.phraseContents.languages.isEmpty)
  }

  /// A message that has the same code in another language has that language's numbers.
  @Test func comparesTheLanguagesOfMessages() throws {
    let files = ["en-US.json": #"{"own": "{n, number}"}"#]
    func pack(_ more: [String: String], _ languages: [String]) throws -> Pack {
      let own = try ShopStrings(files.merging(more) { $1 })
      return try Self.pack(phrases: languages, StoreStrings.embedded.adding(own))
    }
    let old = try pack([:], ["ar"])
    let new = try pack(["ar.json": #"{"own": "{n, number}"}"#], ["ar"])
    let lines = try Self.lines(PackComparison(old, new))
    #expect(lines == ["text phrase own the old message>the new message: ar()"])
    // A message of other strings with the key of a shop's does not replace it, and a user gets the same language for a tag.
    let folder = try ScratchFolder(["strings/en-US.json": #"{"own": "Ends on {date}"}"#])
    let again = try PackRebuild(
      of: new,
      strings: StoreStrings(folder: folder.path),
      on: CalendarDate(Self.date)
    ).pack
    #expect(again.phraseContents.keys.contains("own"))
    let tags = try Self.lines(PackComparison(pack([:], ["en-GB"]), pack([:], ["en-GB", "en-US"])))
    #expect(tags == ["new language of phrases >in the pack: en-US()"])
    let british = try pack([:], ["en-GB", "en-US"])
    let added = try Self.lines(PackComparison(british, pack([:], ["en-GB", "en-AU", "en-US"])))
    #expect(added.contains { $0.hasPrefix("new language of phrases") })
    // The pack of a page has no other tags.
    let writer = PackWriter(styles: [], on: try CalendarDate(Self.date))
    let contents = try ([nil, ["days"]] as [Set<String>?]).map { keys in
      let phrases = try PackPhrases([UILanguage("en-GB")], of: .embedded, keys: keys)
      return try Pack(writer.bytes(revision: "", phrases: phrases.bytes))
    }
    let page = try Self.lines(PackComparison(contents[0], contents[1]))
    #expect(page.contains { $0.hasPrefix("text language of a tag en-GB>none: ") })
  }

  /// The messages of another folder of locale data are compared.
  @Test func comparesPhrasesWithOtherStrings() throws {
    let strings = StoreStrings.embedded
    let old = try Self.pack(phrases: ["de"], strings)
    let folder = try ScratchFolder(["strings/de.json": #"{"price_per_month": "{price} im Monat"}"#])
    let changed = try StoreStrings(folder: folder.path)
    let comparison = try PackComparison(
      old,
      PackRebuild(of: old, strings: changed, on: CalendarDate(Self.date)).pack
    )
    let lines = Self.lines(comparison)
    // The file replaces all messages of the language.
    #expect(lines.contains("text phrase price_per_month the old message>the new message: de()"))
    #expect(lines.allSatisfy { $0.hasPrefix("text phrase ") })
  }

  @Test func reportsWhatIsMissing() throws {
    let ireland = Self.store("IRL", "IE", "en-IE", Self.euro)
    let old = try Self.pack(
      Self.stores(ireland),
      storefronts: ["IRL"],
      locales: ["en-US"],
      currencies: ["EUR"]
    )
    let malta = Self.store("MLT", "MT", "en-MT", Self.euro)
    let folder = try ScratchFolder(Self.stores(malta))
    let rebuild = try PackRebuild(of: old, in: try LocaleData(folder: folder.path))
    #expect(rebuild.missing.map(\.code) == [.unknownStorefront])
    #expect(rebuild.missing.map(\.problem) == ["unknown storefront \"IRL\""])
    #expect(try Self.lines(PackComparison(old, rebuild.pack)) == ["gone storefront in the pack>: IRL"])
  }

  /// A style that another version of PriceTag wrote is an error.
  @Test func unknownStylesAreErrors() throws {
    let pack = try Self.pack(storefronts: ["JPN"])
    var bytes = try Self.bytes(storefronts: ["JPN"])
    let styles = bytes.withUnsafeBytes { buffer in
      buffer.baseAddress.map { Int($0.uint32(at: PackBytes.Field.sections + 8 * 8)) } ?? 0
    }
    bytes[styles + 9] = 1
    let sum = bytes.withUnsafeBytes { buffer in
      buffer.baseAddress.map { PackBytes.checksum($0, size: buffer.count) } ?? 0
    }
    for index in 0..<8 {
      bytes[PackBytes.Field.checksum + index] = UInt8(truncatingIfNeeded: sum >> (8 * index))
    }
    let other = try Pack(bytes)
    let error = #expect(throws: DriftError.self) { try PackComparison(pack, other) }
    #expect(error?.code == .invalidPack)
    #expect(
      error?.description
        == "style 1 has an option that this version of PriceTag does not have; write the pack again with pricetag pack"
    )
    #expect(throws: DriftError.self) { try PackRebuild(of: other) }
  }

  private static func bytes(storefronts: [String]) throws -> [UInt8] {
    var writer = PackWriter(styles: [PriceStyle()], includesSpoken: false, on: try CalendarDate(date))
    for id in storefronts { writer.add(try Storefront(id)) }
    return writer.bytes(revision: try LocaleData.embedded.revision())
  }

  // MARK: Reports

  private static func withoutVersions(_ text: String) -> String {
    text.replacing(/PriceTag \S+, ICU \S+, CLDR \S+, Unicode \S+, registry \w+/, with: "VERSIONS")
  }

  @Test func writesTextForPeople() throws {
    let storefronts = ["CHE", "DEU", "TWN"]
    let old = try Self.pack(
      Self.overrides(#"{"storefront":"CHE","group":"’","reason":"r"}"#),
      storefronts: storefronts,
      locales: ["de-DE"],
      currencies: ["TWD", "USD"]
    )
    let new = try Self.pack(
      Self.overrides(
        #"{"storefront":"CHE","group":"'","reason":"r"}"#,
        #"{"currency":"TWD","symbol":"TW$","reason":"r"}"#
      ),
      storefronts: storefronts,
      locales: ["de-DE"],
      currencies: ["TWD", "USD"]
    )
    let text = PackReportText(try PackComparison(old, new), file: "old.pack").plain
    #expect(
      Self.withoutVersions(text) == """
        3 changes, in 2 of 3 storefronts and 1 of 2 combinations
        old with VERSIONS
        new with VERSIONS
        The registries differ: check --locale-data and its version.

        class            changes  combinations  storefronts
        symbol                 2             1  TWN
        separators             1             0  CHE

        symbol: $ → TW$
          1 storefront: TWN
          1234.50 TWD in TWN (standard)
            - $1,234.50
            + TW$1,234.50

        symbol: NT$ → TW$
          1 locale: de-DE; 1 currency: TWD
          1234.50 TWD in de-DE (standard)
            - 1.234,50\\u{A0}NT$
            + 1.234,50\\u{A0}TW$

        separators: group separator ’ → '
          1 storefront: CHE
          1234.50 CHF in CHE (standard)
            - CHF\\u{A0}1’234.50
            + CHF\\u{A0}1'234.50
              at 6: U+0027 APOSTROPHE, expected U+2019 RIGHT SINGLE QUOTATION MARK

        """
    )
    let same = PackReportText(try PackComparison(old, old), file: "old.pack").plain
    #expect(
      Self.withoutVersions(same) == """
        no changes: 3 storefronts and 2 combinations in 1 style
        old and new with VERSIONS

        """
    )
  }

  /// A report for people has a limited size. JSON has everything.
  @Test func textIsBoundedAndJSONIsComplete() throws {
    let currencies = LocaleData.embedded.currencies.filter { $0.kind == .currency }.prefix(60).map(\.code)
    let old = try Self.pack(locales: ["de-DE", "en-US"], currencies: currencies)
    let entries = currencies.map { #"{"currency":"\#($0)","symbol":"x\#($0)","reason":"r"}"# }
    let files = ["currency-overrides.json": #"{"schema":1,"overrides":[\#(entries.joined(separator: ","))]}"#]
    let new = try Self.pack(files, locales: ["de-DE", "en-US"], currencies: currencies)
    let comparison = try PackComparison(old, new)
    let text = PackReportText(comparison, file: "p").plain
    #expect(text.split(separator: "\n").count < 160)
    #expect(text.contains(/… and \d+ more of class symbol \(JSON has all\)/))
    let json = try #require(
      try JSONSerialization.jsonObject(with: Data(comparison.json.utf8)) as? [String: Any]
    )
    let changes = try #require(json["changes"] as? [[String: Any]])
    var combinations: Set<String> = []
    for change in changes {
      for locale in change["locales"] as? [[String: Any]] ?? [] {
        for currency in locale["currencies"] as? [String] ?? [] {
          combinations.insert("\(locale["locale"] as? String ?? "") \(currency)")
        }
      }
    }
    #expect(combinations.count == 120)
    #expect(json["changedCombinations"] as? Int == 120 && json["combinations"] as? Int == 120)
  }
}
