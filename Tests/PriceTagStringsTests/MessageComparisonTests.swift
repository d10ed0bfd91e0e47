import Testing

@testable import PriceTag
@testable import PriceTagStrings

/// Compares messages with `icu::MessageFormat`, byte for byte.
@Suite struct MessageComparisonTests {
  private static let patterns = [
    "{n}", "{n, number}", "{n, number, integer}", "{n,plural,other{#}}", "a {n} b {n} c", "",
    "{n, plural, zero {z#} one {o#} two {t#} few {f#} many {m#} other {x#}}",
    "{n, plural, =0 {none} =1.5 {one and a half} =2 {pair} one {o#} few {f#} many {m#} other {x#}}",
    "{n, plural, offset:1 =0 {nobody} =1 {you} one {you and #} few {you and # f} other {you and # x, of {n}}}",
    "{n, plural, offset:2 zero {z#} one {o#} two {t#} few {f#} many {m#} other {x {n, number}}}",
    "{n, selectordinal, zero {#z} one {#st} two {#nd} few {#rd} many {#m} other {#th}}",
    "{n, plural, one {{n, number, integer} o} few {{n, number, integer} f} other {{n, number, integer} x}}",
    "{t}", "x{t}y", "{t, select, a {A {n}} b {B} other {O {t}}}",
    "{n, plural, one {{t, select, a {# a} other {# o }}} other {{t, select, a {# a} other {o #}}}}",
    "{t, select, a {{n, plural, one {#} other {# s}}} other {{n, plural, offset:1 one {#} other {# s}}}}",
    "don't", "it''s", "'{n}'", "'{'{n}'}'", "a quoted '{n", "''''", "'", "{n}'", "'' {n} ''", "'{''}' {t}",
    "{n, plural, other {'#'# ''# '{'#}}", "{ n , plural , one { a } other { b # } }", "# | < {n}",
    "{n,plural,=1{one}other{#{n,plural,=2{two}other{#}}}}", "\u{2068}{t}\u{2069} € 𝒳 {n}",
  ]

  private static let numbers = [
    "0", "1", "2", "3", "5", "7", "10", "11", "12", "14", "19", "20", "21", "22", "25", "80", "100", "101",
    "102",
    "103", "111", "200", "999", "1000", "1234", "12345", "123456", "1000000", "1000001", "12345678", "-1",
    "-2",
    "-1234", "0.5", "1.0", "1.5", "2.5", "0.001", "1.2345", "0.0005", "3.0004", "123456789012345",
    "0.10", "1.20",
  ]

  /// The built-in languages, and others with different number formats or plural rules.
  private static let languages =
    StoreStrings.embedded.languages.map(\.identifier)
    + [
      "fa", "my", "ne", "cy", "ga", "mt", "lv", "lt", "br", "gv", "shi", "ee", "bg", "be", "mk", "is",
      "de-CH", "de-AT",
      "en-IN", "sr-Latn", "ar-EG", "ur-IN", "dz", "ks", "ckb", "ff-Adlm",
    ]

  @Test(arguments: languages)
  func formatsPatternsIdentically(language: String) throws {
    let language = try UILanguage(language)
    for pattern in Self.patterns {
      let message = try Message(pattern, language: language)
      for number in Self.numbers {
        for text in ["a", "ö\u{202F}{x}"] {
          var arguments: MessageArguments = [:]
          var reference: [(String, String, Bool)] = []
          if message.argumentNames.contains("n") {
            arguments.append("n", .count(try Amount(decimal: number)))
            reference.append(("n", number, true))
          }
          if message.argumentNames.contains("t") {
            arguments.append("t", .text(text))
            reference.append(("t", text, false))
          }
          let expected = icuMessage(pattern, language.icuIdentifier, reference)
          let written = try message.string(arguments, isolation: .none)
          #expect(written == expected, "\(language) \(pattern) \(number) \(text)")
        }
      }
    }
  }

  /// Percentages and periods in all of ICU's locales. ICU needs a style or a skeleton where PriceTag uses `{x}`.
  @Test func formatsPercentagesAndPeriodsIdentically() throws {
    let units: [(SubscriptionPeriod.Unit, String)] = [
      (.day, "day"), (.week, "week"), (.month, "month"), (.year, "year"),
    ]
    var count = 0
    // In en-US-POSIX, PriceTag groups percentages, and MessageFormat does not.
    for tag in LocaleTag.listed where tag != "en-US-POSIX" {
      let language = try UILanguage(tag)
      let icu = language.icuIdentifier
      let percent = try Message("{x, number, percent}", language: language)
      for (value, hundredth) in [
        ("0", "0"), ("5", "0.05"), ("16", "0.16"), ("-7", "-0.07"), ("1234", "12.34"),
      ] {
        let expected = icuMessage("{x, number, percent}", icu, [("x", hundredth, true)])
        #expect(try percent.string(["x": .percent(Amount(decimal: value))]) == expected, "\(tag) \(value)")
        count += 1
      }
      let plain = try Message("{x}", language: language)
      for value in ["16", "16.5", "0.125"] {
        let expected = icuMessage("{x, number, ::percent}", icu, [("x", value, true)])
        #expect(try plain.string(["x": .percent(Amount(decimal: value))]) == expected, "\(tag) \(value)")
      }
      for (unit, name) in units {
        for value in [1, 2, 3, 5, 7, 11, 14, 21, 30, 100, 1234] {
          let expected = icuMessage(
            "{x, number, ::unit/\(name) unit-width-full-name}",
            icu,
            [("x", "\(value)", true)]
          )
          let period = try SubscriptionPeriod(value, unit)
          #expect(try plain.string(["x": .period(period)]) == expected, "\(tag) \(value) \(name)")
          count += 1
        }
      }
    }
    #expect(count > 35_000)
  }

  /// Number formatters are compiled in all locales, so that formatting does not call ICU.
  @Test func compilesNumberFormatters() throws {
    var uncompiled: [String] = []
    for tag in LocaleTag.listed {
      let data = try UILanguage(tag).data
      let kinds: [CountFormatter.Kind] = [
        .number, .percent, .period(.day), .period(.week), .period(.month), .period(.year),
      ]
      for kind in kinds where data.counts(kind, fractionDigits: 0)?.pattern == nil {
        uncompiled.append("\(tag) \(kind)")
      }
    }
    #expect(uncompiled == [])
  }

  /// All built-in messages in all languages, with numbers of every plural category.
  @Test(arguments: StoreStrings.embedded.languages)
  func formatsBuiltInMessagesIdentically(language: UILanguage) throws {
    let strings = StoreStrings.embedded
    for key in strings.keys {
      let message = try strings.message(key, in: language)
      #expect(message.language == language, "\(key)")
      let counted =
        message.compiled.plurals.isEmpty && !message.argumentNames.contains("count") ? ["1"] : Self.numbers
      for number in counted {
        var arguments: MessageArguments = [:]
        var reference: [(String, String, Bool)] = []
        for name in message.argumentNames {
          let isCount = name == "count"
          arguments.append(name, isCount ? .count(try Amount(decimal: number)) : .text("«\(name)»"))
          reference.append((name, isCount ? number : "«\(name)»", isCount))
        }
        let expected = icuMessage(message.text, language.icuIdentifier, reference)
        #expect(
          try message.string(arguments, isolation: .none) == expected,
          "\(language) \(key) \(number)"
        )
      }
    }
  }
}
