import Foundation
@_spi(Tests) import PriceTag
import SeededNumbers
import Testing

/// Prices that are formatted from a pack: the same as those of ICU, until the pack and ICU differ.
@Suite struct PinnedPriceTests {

  private static let styles: [PriceStyle] = [
    PriceStyle(), PriceStyle(width: .name), PriceStyle(width: .iso), PriceStyle(zeros: .trim),
    PriceStyle(sign: .accounting), PriceStyle(width: .narrow, digits: .range(0...2)),
    PriceStyle(sign: .exceptZero),
  ]

  // MARK: Comparison with ICU

  @Test func formatsEveryStorefrontLikeICU() throws {
    let date = try PackTests.date()
    let storefronts = LocaleData.embedded.storefronts
    let pack = try Pack(storefronts.map(\.id), styles: Self.styles)
    let pinned = LocaleData.embedded.pinned(to: pack)
    var mismatches: [String] = []
    var count = 0
    for (place, storefront) in pinned.storefronts.enumerated() {
      for var style in ComparisonShare.of(Self.styles, at: place, parts: 3) {
        style.rounding = .halfEven
        let expected = try PriceFormatter(
          storefront: try Storefront(storefront.id),
          on: date,
          style: style
        )
        let found = try PriceFormatter(storefront: storefront, on: date, style: style)
        for amount in ["0", "1", "-1", "2.5", "1234.565", "-1234567.8", "9223372036854775807"] as [Amount] {
          guard let price = try? expected.format(amount) else { continue }
          count += 1
          mismatches += try Self.differences(found, amount, price).map { "\(storefront) \(style): \($0)" }
        }
      }
    }
    #expect(mismatches.isEmpty, "\(mismatches.count): \(mismatches.prefix(10))")
    #expect(count > 2_300)
  }

  /// Returns how a formatter writes an amount differently from a price.
  private static func differences(
    _ formatter: PriceFormatter,
    _ amount: Amount,
    _ expected: FormattedPrice
  ) throws -> [String] {
    let price = try formatter.format(amount)
    var differences: [String] = []
    func compare<Value: Equatable>(_ name: String, _ found: Value, _ expected: Value) {
      if found != expected { differences.append("\(name) of \(amount): \(found), not \(expected)") }
    }
    compare("text", price.text, expected.text)
    compare("string", try formatter.string(for: amount), expected.text)
    compare("parts", price.parts, expected.parts)
    compare("direction", price.direction, expected.direction)
    compare("spoken", price.spoken, expected.spoken)
    compare("displayed amount", price.displayedAmount, expected.displayedAmount)
    compare("display", formatter.display, expected.formatter.display)
    // Into a buffer with room for any price, and into one with room for this price only.
    for capacity in [formatter.maximumUTF8Count, expected.text.utf8.count] {
      let written = try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) { buffer in
        let count = try formatter.write(amount, into: buffer)
        return String(decoding: buffer.prefix(count), as: UTF8.self)
      }
      compare("bytes", written, expected.text)
    }
    let writer = formatter.unownedWriter
    let written = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: writer.capacity) { buffer in
      let count = buffer.baseAddress.map { writer.write(amount, to: $0) } ?? -1
      return count < 0 ? expected.text : String(decoding: buffer.prefix(count), as: UTF8.self)
    }
    compare("unowned writer", written, expected.text)
    return differences
  }

  @Test func roundsLikeICU() throws {
    let pack = try Pack(
      ["JPN"],
      [("de-CH", ["CHF"])],
      styles: [PriceStyle(), PriceStyle(digits: .cash)]
    )
    let pinned = LocaleData.embedded.pinned(to: pack)
    let swiss = try PriceLocale("de-CH")
    for rounding in [RoundingMode.exact, .halfEven, .up] {
      let style = PriceStyle(rounding: rounding)
      let cash = PriceStyle(digits: .cash, rounding: rounding)
      let pairs = [
        (
          try PriceFormatter("JPN", style),
          try PriceFormatter("JPN", in: pinned, style)
        ),
        (
          try PriceFormatter(locale: swiss, currency: Currency("CHF"), style: cash),
          try PriceFormatter(locale: swiss, currency: Currency("CHF", in: pinned), style: cash)
        ),
      ]
      for (expected, found) in pairs {
        for amount in ["1200", "1200.50", "4.96", "0.001", "-1200.50"] as [Amount] {
          func outcome(_ formatter: PriceFormatter) -> Result<String, PriceTagError> {
            do throws(PriceTagError) { return .success(try formatter.string(for: amount)) } catch {
              return .failure(error)
            }
          }
          #expect(outcome(found) == outcome(expected))
        }
      }
    }
  }

  /// Total, price per month, saving and installments keep the formatter of their price.
  @Test func derivedPricesComeFromThePack() throws {
    let data = try Self.overridden(symbol: "<$>")
    let pack = try Pack(["USA"], in: data)
    let price = try PriceFormatter("USA", in: .embedded.pinned(to: pack)).format(
      "100"
    )
    #expect(price.text == "<$>100.00")
    #expect(try price.formatter.format("49.99").text == "<$>49.99")
    #expect(try price.installments(3, rounding: .halfUp).payment.text == "<$>33.33")
    #expect(price.parts.map(\.value) == ["<$>", "100", ".", "00"])
    #expect(price.html == "<bdi lang=\"en-US\" dir=\"ltr\">&lt;$&gt;100.00</bdi>")
  }

  // MARK: The pack decides

  private static func overridden(symbol: String) throws -> LocaleData {
    let entry = #"{"currency":"USD","symbol":"\#(symbol)","reason":"r"}"#
    let folder = try Folder(["currency-overrides.json": LocaleDataTests.overrides(entry)])
    return try LocaleData(folder: folder.path)
  }

  @Test func packWinsOverICU() throws {
    let data = try Self.overridden(symbol: "U$")
    let pack = try Pack(["USA"], [("de-DE", ["USD"])], in: data)
    let pinned = LocaleData.embedded.pinned(to: pack)
    #expect(try PriceFormatter("USA", in: pinned).string(for: 5) == "U$5.00")
    #expect(try PriceFormatter("USA").string(for: 5) == "$5.00")
    let german = try PriceLocale("de-DE")
    #expect(
      try PriceFormatter(locale: german, currency: Currency("USD", in: pinned)).string(for: 5)
        == "5,00\u{A0}U$"
    )
    // A product's own price locale.
    #expect(
      try PriceFormatter(storefront: Storefront("USA", in: pinned), locale: german).string(for: 5)
        == "5,00\u{A0}U$"
    )
    let origins = [
      PriceOrigin(storefront: "us"), PriceOrigin(storefront: "USA", currency: "USD"),
      PriceOrigin(priceLocale: "de-DE", currency: "usd"),
    ]
    for origin in origins {
      #expect(try origin.formatter(in: pinned).string(for: 5).contains("U$"), "\(origin)")
    }
    // The other way around: the overrides of the locale data have no effect on a pack without them.
    let plain = data.pinned(to: try Pack(["USA"]))
    #expect(try PriceFormatter("USA", in: plain).string(for: 5) == "$5.00")
  }

  @Test func packDecidesDigits() throws {
    let entry = #"{"storefront":"USA","digits":3,"reason":"r"}"#
    let folder = try Folder(["currency-overrides.json": LocaleDataTests.overrides(entry)])
    let pack = try Pack(["USA"], in: LocaleData(folder: folder.path))
    let formatter = try PriceFormatter("USA", in: .embedded.pinned(to: pack))
    #expect(formatter.display.digits == 3)
    #expect(try formatter.string(for: "4.125") == "$4.125")
  }

  @Test func selectsTheCurrencyOfTheDate() throws {
    let bulgaria = try Storefront("BGR", in: LocaleData.embedded.pinned(to: Pack(["BGR"])))
    for (day, code) in [("2025-12-31", "BGN"), ("2026-01-01", "EUR")] {
      let date = try CalendarDate(day)
      let expected = try PriceFormatter(storefront: Storefront("BGR"), on: date).string(for: 5)
      let found = try PriceFormatter(storefront: bulgaria, on: date)
      #expect(try found.string(for: 5) == expected && found.currency.code == code)
    }
    #expect(try PriceFormatter(storefront: bulgaria).currency.code == "EUR")
  }

  @Test func reportsTheVersionsOfThePack() throws {
    let pack = try Pack(["USA"])
    let current = Versions.current
    // A pack has no time zones.
    let writer = Versions(
      priceTag: current.priceTag,
      icu: current.icu,
      cldr: current.cldr,
      unicode: current.unicode
    )
    #expect(pack.writerVersions == writer)
    let pinned = LocaleData.embedded.pinned(to: pack)
    #expect(pinned.pack === pack && pinned.versions == writer)
    #expect(LocaleData.embedded.pack == nil && pinned.unpinned.pack == nil)
    #expect(try pinned.revision() == LocaleData.embedded.revision())
    let price = try PriceFormatter("USA", in: pinned).format(5)
    #expect(price.versions == pack.writerVersions)
  }

  /// A pack that another version of ICU wrote.
  @Test func reportsTheVersionsThatWroteThePack() throws {
    var bytes = try Pack(["USA"]).fileBytes
    let installed = Array(Versions.current.icu.utf8)
    let place = try #require(bytes.indices.first { bytes[$0...].starts(with: installed) })
    for index in installed.indices where installed[index] != UInt8(ascii: ".") {
      bytes[place + index] = UInt8(ascii: "9")
    }
    let older = String(decoding: bytes[place..<place + installed.count], as: UTF8.self)
    let pack = try Pack(signedPack(bytes))
    #expect(pack.writerVersions.icu == older && older.hasPrefix("99."))
    #expect(pack.writerVersions.cldr == Versions.current.cldr)
    let pinned = LocaleData.embedded.pinned(to: pack)
    #expect(try PriceFormatter("USA", in: pinned).format(5).versions.icu == older)
    #expect(pinned.versions.icu == older && LocaleData.embedded.versions == .current)
  }

  /// Pinning a registry again replaces its pack.
  @Test func pinsAgain() throws {
    let first = LocaleData.embedded.pinned(to: try Pack(["USA"], in: Self.overridden(symbol: "A$")))
    let second = first.pinned(to: try Pack(["USA"], in: Self.overridden(symbol: "B$")))
    for (data, text) in [(first, "A$5.00"), (second, "B$5.00"), (second.unpinned, "$5.00")] {
      #expect(try PriceFormatter("USA", in: data).string(for: 5) == text)
    }
    // The store and its currency are the same.
    #expect(try Storefront("USA", in: first) == Storefront("USA"))
    #expect(try Currency("USD", in: first) == Currency("USD"))
  }

  // MARK: Unit prices and custom currencies

  @Test func formatsUnitPrices() throws {
    let references = [UnitPriceReference.liter, .hundredMilliliters]
    let pack = try Pack(["DEU", "JPN"], per: references)
    for id in ["DEU", "JPN"] {
      let style = PriceStyle(rounding: .halfUp)
      let expected = try PriceFormatter(id, style)
      let found = try PriceFormatter(storefront: Storefront(id, in: .embedded.pinned(to: pack)), style: style)
      for reference in references + [.piece] {
        let content = try ProductContent(reference.isPiece ? "12" : "0.75 L")
        let price = try expected.unitPrice(of: "1245", content: content, per: reference)
        let pinned = try found.unitPrice(of: "1245", content: content, per: reference)
        #expect(pinned.text == price.text && pinned.parts == price.parts && pinned.spoken == price.spoken)
      }
    }
    let error = try #require(throws: PriceTagError.self) {
      try PriceFormatter("DEU", in: .embedded.pinned(to: pack))
        .unitPrice(of: 5, content: ProductContent("1 kg"))
    }
    #expect(error.code == .missingFromPack)
    #expect(
      error.description
        == "the pack does not have the style (standard, per kg); write it again with pricetag pack, and pass --per 100mL,L,kg"
    )
  }

  @Test func formatsCustomCurrencies() throws {
    let data = try CustomCurrencyTests.data()
    let pack = try Pack(["USA", "POL"], [("ja-JP", ["GEMS"])], in: data)
    let pinned = data.pinned(to: pack)
    for (id, code, amount) in [("USA", "GEMS", "1"), ("USA", "BTC", "0.5"), ("POL", "GEMS", "5")] {
      let price = try PriceFormatter(
        storefront: Storefront(id, in: data),
        currency: Currency(code, in: data)
      ).format(Amount(decimal: amount))
      let found = try PriceFormatter(
        storefront: Storefront(id, in: pinned),
        currency: Currency(code, in: pinned)
      ).format(Amount(decimal: amount))
      #expect(found.text == price.text && found.spoken == price.spoken && found.parts == price.parts)
      #expect(found.formatter.display == price.formatter.display)
    }
    // The pack has no storefront for it, but the price locale and the currency.
    let origin = PriceOrigin(storefront: "JPN", currency: "GEMS")
    #expect(try origin.formatter(in: pinned).string(for: 5) == "💎5")
    let error = try #require(throws: PriceTagError.self) {
      try PriceOrigin(storefront: "DEU", currency: "GEMS").formatter(in: pinned)
    }
    #expect(
      error.description
        == "the pack does not have GEMS for DEU; write it again with pricetag pack, and add DEU to --storefronts"
    )
  }

  // MARK: Errors

  /// A request, and the error of a pack that has JPN in standard width, and USD and CHF in de-CH.
  @Test(arguments: [
    (
      PriceOrigin(storefront: "USA"), PriceStyle(),
      "the pack does not have the storefront USA; write it again with pricetag pack, and add USA to --storefronts"
    ),
    (
      PriceOrigin(priceLocale: "fr-FR", currency: "EUR"), PriceStyle(),
      "the pack does not have EUR in fr-FR; write it again with pricetag pack, and add --locales fr-FR --currencies EUR"
    ),
    (
      PriceOrigin(priceLocale: "de-CH", currency: "EUR"), PriceStyle(),
      "the pack does not have EUR in de-CH; write it again with pricetag pack, and add --locales de-CH --currencies EUR"
    ),
    (
      PriceOrigin(storefront: "JPN", priceLocale: "en-US"), PriceStyle(),
      "the pack does not have JPY in en-US; write it again with pricetag pack, and add --locales en-US --currencies JPY"
    ),
    (
      PriceOrigin(priceLocale: "ja-JP", currency: "JPY"), PriceStyle(),
      "the pack does not have JPY in ja-JP; write it again with pricetag pack, and add --locales ja-JP --currencies JPY"
    ),
    (
      PriceOrigin(storefront: "JPN"), PriceStyle(width: .iso),
      "the pack does not have the style (iso); write it again with pricetag pack, and pass --widths standard,iso"
    ),
    (
      PriceOrigin(storefront: "JPN"), PriceStyle(width: .narrow, zeros: .trim, digits: .range(0...2)),
      "the pack does not have the style (narrow, zeros trim, digits 0-2); write another pack for it with pricetag pack, and pass --widths narrow --zeros trim --digits 0-2"
    ),
    (
      PriceOrigin(storefront: "JPN"), PriceStyle(notation: .compactShort),
      "a pack has no compact notation; use the notation standard"
    ),
    (
      PriceOrigin(storefront: "JPN"), PriceStyle(digits: .fixed(300)),
      "300 digits are outside 0...18; use 0 to 18 digits"
    ),
    (
      PriceOrigin(storefront: "JPN", currency: "USD"), PriceStyle(),
      "the JPN store charges JPY, not USD; remove the currency, or use a store that charges it (prices are never converted)"
    ),
  ])
  func missingDataIsAnError(origin: PriceOrigin, style: PriceStyle, description: String) throws {
    let pinned = LocaleData.embedded.pinned(to: try Pack(["JPN"], [("de-CH", ["CHF", "USD"])]))
    let error = try #require(throws: PriceTagError.self) { try origin.formatter(in: pinned, style: style) }
    #expect(error.description == description)
    #expect(description.contains("pack") == (error.code == .missingFromPack))
  }

  @Test func missingDefaultStyleIsAnError() throws {
    let pack = try Pack(["JPN"], styles: [PriceStyle(width: .iso)])
    let error = try #require(throws: PriceTagError.self) {
      try PriceFormatter("JPN", in: .embedded.pinned(to: pack))
    }
    #expect(
      error.description
        == "the pack does not have the style (standard); write it again with pricetag pack, and pass --widths standard,iso"
    )
  }

  /// The fix for a missing style keeps the styles that the pack has.
  @Test(arguments: [
    (
      [PriceStyle.Width.standard, .narrow], [], PriceStyle(width: .iso), "again",
      "--widths standard,narrow,iso"
    ),
    (
      [.standard], ["kg", "100 mL"], PriceStyle(width: .narrow), "again",
      "--widths standard,narrow --per 100mL,kg"
    ),
    ([.standard], ["sq ft"], PriceStyle(width: .narrow), "again", #"--widths standard,narrow --per "sq ft""#),
    ([.standard], [], PriceStyle(width: .iso, rounding: .halfUp), "again", "--widths standard,iso"),
    ([.iso], [], PriceStyle(zeros: .trim), "another", "--zeros trim"),
    ([.iso], ["kg"], PriceStyle(width: .iso, sign: .accounting), "another", "--widths iso --sign accounting"),
  ])
  func fixForMissingStyleKeepsOthers(
    widths: [PriceStyle.Width],
    references: [String],
    style: PriceStyle,
    which: String,
    options: String
  ) throws {
    for includesSpoken in [true, false] {
      let pack = try Pack(
        ["USA"],
        styles: widths.map { PriceStyle(width: $0) },
        per: references.map { try UnitPriceReference($0) },
        includesSpoken: includesSpoken,
        on: CalendarDate("2026-11-21")
      )
      let error = try #require(throws: PriceTagError.self) {
        try PriceFormatter("USA", in: .embedded.pinned(to: pack), style)
      }
      let start = which == "again" ? "write it again" : "write another pack for it"
      #expect(error.fix == "\(start) with pricetag pack, and pass \(options)")
    }
  }

  @Test func rangesAreAnError() throws {
    let formatter = try PriceFormatter("JPN", in: .embedded.pinned(to: Pack(["JPN"])))
    let error = try #require(throws: PriceTagError.self) { try formatter.format(from: 1, to: 5) }
    #expect(error.code == .missingFromPack)
    #expect(
      error.description
        == "a pack has no ranges of prices; format the two amounts separately, or format the range without the pack"
    )
    #expect(try formatter.format(from: 5, to: 5).text == "￥5")
    #expect(!formatter.isCompiled(from: 1, to: 5) && formatter.isCompiled)
  }

  @Test func spokenFormsNeverComeFromICU() throws {
    let pack = try Pack(["USA"], includesSpoken: false)
    let formatter = try PriceFormatter("USA", in: .embedded.pinned(to: pack))
    #expect(!formatter.hasSpokenForms)
    #expect(try formatter.format("4.99").spoken == "$4.99")
    let error = try #require(throws: PriceTagError.self) { try formatter.checkSpokenForms() }
    #expect(error.code == .missingFromPack && error.fix.contains("--no-spoken"))
    let complete = try PriceFormatter("USA", in: .embedded.pinned(to: Pack(["USA"])))
    #expect(try complete.hasSpokenForms && complete.format("4.99").spoken == "4.99 US dollars")
    #expect(try PriceFormatter("USA").hasSpokenForms)
  }

  /// A storefront that has another currency or price locale in the pack.
  @Test(arguments: [
    (
      #"{"currency":"GBP","source":"s"}"#, "en-IE",
      "the pack has EUR for IRL on 2026-06-01, but the locale data has GBP"
    ),
    (
      #"{"currency":"GBP","until":"2026-06-01","source":"s"},{"currency":"EUR","from":"2026-06-02","source":"s"}"#,
      "en-IE", "the pack has EUR for IRL on 2026-06-01, but the locale data has GBP"
    ),
    (
      #"{"currency":"EUR","source":"s"}"#, "ga-IE",
      "the pack has the price locale en-IE for IRL, but the locale data has ga-IE"
    ),
    (#"{"currency":"EUR","source":"s"}"#, "en-IE", nil),
  ])
  func disagreementIsAnError(currencies: String, locale: String, problem: String?) throws {
    let storefront = LocaleDataTests.storefront(currencies: currencies, locale: locale)
    let folder = try Folder(["storefronts.json": LocaleDataTests.storefronts(storefront)])
    let pinned = try LocaleData(folder: folder.path).pinned(to: Pack(["IRL"]))
    let ireland = try Storefront("IRL", in: pinned)
    let date = try PackTests.date()
    guard let problem else {
      #expect(try PriceFormatter(storefront: ireland, on: date).string(for: 5) == "€5.00")
      return
    }
    let error = try #require(throws: PriceTagError.self) { try PriceFormatter(storefront: ireland, on: date) }
    #expect(error.code == .packMismatch)
    #expect(
      error.description == problem
        + "; write the pack again with pricetag pack, or use the locale data that it was written with"
    )
  }

  /// The table of price locales has no overrides of a storefront.
  @Test func overridesOfAStorefrontAreNotIgnored() throws {
    let entry = #"{"storefront":"CHE","symbol":"SFr.","reason":"r"}"#
    let data = try LocaleData(["currency-overrides.json": LocaleDataTests.overrides(entry)])
    let table = try Pack([], [("de-CH", ["CHF"]), ("fr-CH", ["CHF"])], in: data)
    let swiss = try Storefront("CHE", in: data.pinned(to: table))
    let error = try #require(throws: PriceTagError.self) { try PriceFormatter(storefront: swiss) }
    #expect(
      error.description
        == "the pack does not have CHF in de-CH with the overrides of CHE; write it again with pricetag pack, and add CHE to --storefronts"
    )
    let french = try PriceLocale("fr-CH")
    #expect(throws: PriceTagError.self) { try PriceFormatter(storefront: swiss, locale: french) }
    // Without overrides, the table writes the prices of the storefront.
    let plain = try Storefront("CHE", in: LocaleData.embedded.pinned(to: table))
    #expect(try PriceFormatter(storefront: plain).string(for: 5) == "CHF\u{A0}5.00")
    let pack = try Pack(["CHE"], in: data)
    let complete = try Storefront("CHE", in: data.pinned(to: pack))
    #expect(try PriceFormatter(storefront: complete).string(for: 5) == "SFr.\u{A0}5.00")
  }

  // MARK: Files

  @Test func readsFiles() throws {
    let folder = try Folder(["not.pack": "PriceTag", "empty.pack": ""])
    let bytes = try Pack(["JPN"]).fileBytes
    let path = folder.path + "/store.pack"
    try Data(bytes).write(to: URL(filePath: path))
    let pack = try Pack(contentsOf: path)
    #expect(try PriceFormatter("JPN", in: .embedded.pinned(to: pack)).string(for: 1200) == "￥1,200")
    try Data(bytes.dropLast()).write(to: URL(filePath: folder.path + "/cut.pack"))
    for (name, problem) in [
      ("not.pack", "the file is not a pack"), ("empty.pack", "the file is not a pack"),
      ("cut.pack", "the size of the pack is not the one in its header"),
      ("missing.pack", "cannot read the pack"),
      ("", "cannot read the pack: it is a folder, a pipe or a device"),
    ] {
      let path = name.isEmpty ? folder.path : "\(folder.path)/\(name)"
      let error = try #require(throws: PriceTagError.self) { try Pack(contentsOf: path) }
      #expect(error.code == .invalidPack && error.place == path, "\(error)")
      #expect(error.problem.hasPrefix(problem), "\(error)")
    }
  }

  /// Formatters keep the memory of their pack.
  @Test func formattersOutliveThePack() throws {
    func formatter() throws -> PriceFormatter {
      try PriceFormatter("JPN", in: .embedded.pinned(to: Pack(["JPN"])))
    }
    let formatters = try (0..<3).map { _ in try formatter() }
    for formatter in formatters {
      #expect(try formatter.format(1200).text == "￥1,200")
      #expect(try formatter.format(1200).spoken == "1,200円")
    }
  }
}
