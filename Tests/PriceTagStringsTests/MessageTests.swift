import PriceTag
import Testing

@testable import PriceTagStrings

@Suite struct MessageTests {
  private func message(_ text: String, _ language: String = "en-US") throws -> Message {
    try Message(text, language: UILanguage(language))
  }

  // MARK: Texts

  static let texts: [(text: String, language: String, count: Amount, expected: String)] = [
    ("{n}", "en-US", 1234, "1,234"),
    ("{n}", "de", 1234, "1.234"),
    ("{n}", "es-ES", 1234, "1.234"),
    ("{n}", "bn", 1234, "১,২৩৪"),
    ("{n}", "hi", 12_345_678, "1,23,45,678"),
    ("{n}", "en-US", "1.50", "1.5"),
    ("{n}", "en-US", "0.0005", "0"),
    ("{n}", "en-US", "-0.0004", "0"),
    ("{n}", "en-US", "2.0015", "2.002"),
    ("{n, number, integer}", "en-US", "2.5", "2"),
    ("{n, plural, one {# car} other {# cars}}", "en-US", 1, "1 car"),
    ("{n, plural, one {# car} other {# cars}}", "en-US", "1.0", "1 car"),
    ("{n, plural, one {# car} other {# cars}}", "en-US", 1000, "1,000 cars"),
    ("{n, plural, =0 {none} one {# car} other {# cars}}", "en-US", 0, "none"),
    (
      "{n, plural, offset:1 =0 {nobody} =1 {you} one {you and # more} other {you and # more}}", "en-US", 3,
      "you and 2 more"
    ),
    ("{n, plural, one {# день} few {# дня} many {# дней} other {# дня}}", "ru", 21, "21 день"),
    ("{n, plural, one {# день} few {# дня} many {# дней} other {# дня}}", "ru", 22, "22 дня"),
    ("{n, plural, one {# день} few {# дня} many {# дней} other {# дня}}", "ru", 25, "25 дней"),
    ("{n, plural, one {# день} few {# дня} many {# дней} other {# дня}}", "ru", "1.5", "1,5 дня"),
    ("{n, plural, zero {z} one {o} two {t} few {f} many {m} other {x}}", "ar", 0, "z"),
    ("{n, plural, zero {z} one {o} two {t} few {f} many {m} other {x}}", "ar", 2, "t"),
    ("{n, plural, zero {z} one {o} two {t} few {f} many {m} other {x}}", "ar", 103, "f"),
    ("{n, plural, zero {z} one {o} two {t} few {f} many {m} other {x}}", "ar", 111, "m"),
    ("{n, plural, zero {z} one {o} two {t} few {f} many {m} other {x}}", "ar", 100, "x"),
    ("{n, selectordinal, one {#st} two {#nd} few {#rd} other {#th}}", "en-US", 22, "22nd"),
    ("{n, selectordinal, one {#st} two {#nd} few {#rd} other {#th}}", "en-US", 113, "113th"),
    ("it''s {n}, don't '{'quote'}' '{n}' me", "en-US", 5, "it's 5, don't {quote} {n} me"),
    ("{n, plural, other {'#' is #}}", "en-US", 5, "# is 5"),
    ("{n, plural, other {{n} and {n, plural, other {#}}}}", "en-US", 5, "5 and 5"),
    (
      "{n, plural, one {{n, number, integer} one} other {{n, number, integer} other}}", "en-US", "1.2",
      "1 one"
    ),
  ]

  @Test(arguments: texts)
  func formatsCount(text: String, language: String, count: Amount, expected: String) throws {
    #expect(try message(text, language).string(["n": .count(count)]) == expected)
  }

  @Test func formatsAllArgumentTypes() throws {
    let price = try dollars("4.99")
    let rows: [(argument: MessageArgument, language: String, expected: String)] = [
      (.price(price), "de", "\u{2068}$4.99\u{2069}"),
      (.count(1234), "de", "1.234"),
      (.percent("16"), "en-US", "16%"),
      (.percent("16"), "de", "16\u{A0}%"),
      (.percent("16.50"), "fr-FR", "16,5\u{A0}%"),
      (.percent("16"), "bn", "১৬%"),
      (.text("Rocket"), "de", "\u{2068}Rocket\u{2069}"),
      (.period(try SubscriptionPeriod("P3M")), "en-US", "3 months"),
      (.period(.month), "en-US", "1 month"),
      (.period(try SubscriptionPeriod("P3M")), "ru", "3 месяца"),
      (.period(try SubscriptionPeriod("P2W")), "ar", "أسبوعان"),
      (.language(try UILanguage("ja")), "fr-FR", "\u{2068}japonais\u{2069}"),
      (.storefront(try Storefront("JPN")), "fr-FR", "\u{2068}Japon\u{2069}"),
      (.message(try message("per month", "en-US").format()), "en-GB", "\u{2068}per month\u{2069}"),
      (.message(try message("per month", "de").format()), "de", "per month"),
    ]
    for row in rows {
      #expect(try message("{x}", row.language).string(["x": row.argument]) == row.expected)
    }
  }

  @Test func selectsBranchByText() throws {
    let select = try message("{who, select, female {her} male {his} other {their}} price")
    #expect(try select.string(["who": .text("female")]) == "her price")
    #expect(try select.string(["who": .text("x")]) == "their price")
  }

  // MARK: Isolation

  @Test func isolatesPrices() throws {
    let formatted = try message("اشترِ مقابل {price}", "ar").format(["price": .price(dollars("4.99"))])
    #expect(formatted.isolated == "اشترِ مقابل \u{2068}$4.99\u{2069}")
    #expect(formatted.plain == "اشترِ مقابل $4.99")
    #expect(formatted.html == #"اشترِ مقابل <bdi lang="en-US" dir="ltr">$4.99</bdi>"#)
    #expect(formatted.spoken == "اشترِ مقابل \u{2068}4.99 US dollars\u{2069}")
  }

  @Test func escapesHTML() throws {
    let html = try message("<b>{name}</b> & {price}").format([
      "name": .text("<script>\"'&"), "price": .price(dollars("4.99")),
    ]).html
    #expect(
      html
        == #"&lt;b&gt;<bdi>&lt;script&gt;&quot;&#39;&amp;</bdi>&lt;/b&gt; &amp; <bdi lang="en-US" dir="ltr">$4.99</bdi>"#
    )
  }

  @Test func preservesPricesInNestedMessages() throws {
    let inner = try message("{price} per month").format(["price": .price(dollars("9.99"))])
    let outer = try message("then {then}").format(["then": .message(inner)])
    #expect(outer.isolated == "then \u{2068}$9.99\u{2069} per month")
    #expect(outer.html == #"then <bdi lang="en-US" dir="ltr">$9.99</bdi> per month"#)
    #expect(outer.spoken == "then \u{2068}9.99 US dollars\u{2069} per month")
    #expect(outer.plain == "then $9.99 per month")
    let german = try message("dann {then}", "de").format(["then": .message(inner)])
    #expect(
      german.html
        == #"dann <bdi lang="en-US" dir="ltr"><bdi lang="en-US" dir="ltr">$9.99</bdi> per month</bdi>"#
    )
  }

  /// Directional controls in a text cannot affect the text around its isolate.
  @Test(arguments: [
    ("a\u{2069}\u{202E}b", "a\u{202E}b\u{202C}"),
    ("\u{2067}x", "\u{2067}x\u{2069}"),
    ("\u{2068}x\u{2069}", "\u{2068}x\u{2069}"),
    ("\u{202B}\u{2066}x\u{202C}", "\u{202B}\u{2066}x\u{2069}\u{202C}"),
    ("\u{2066}\u{202B}x\u{2069}y", "\u{2066}\u{202B}x\u{2069}y"),
    ("€5", "€5"),
  ])
  func balancesDirectionalControls(text: String, balanced: String) throws {
    #expect(try message("{x}").string(["x": .text(text)]) == "\u{2068}\(balanced)\u{2069}")
    #expect(try message("{x}").string(["x": .text(text)], isolation: .none) == text)
  }

  // MARK: Malformed messages

  static let malformedMessages: [(text: String, code: StringsError.Code, description: String)] = [
    (
      "{p", .malformedMessage,
      "message k, en-US, character 1: the braces are not balanced; close every { with a }, and enclose literal braces in apostrophes: '{'"
    ),
    (
      "a {b", .malformedMessage,
      "message k, en-US, character 3: the braces are not balanced; close every { with a }, and enclose literal braces in apostrophes: '{'"
    ),
    (
      "{n, select, other {'{'} x {y", .malformedMessage,
      "message k, en-US, character 1: the braces are not balanced; close every { with a }, and enclose literal braces in apostrophes: '{'"
    ),
    (
      "a {n, plural, one {b}}", .malformedMessage,
      "message k, en-US, character 3: a plural or select has no branch \"other\"; add it for values that no other branch matches"
    ),
    (
      "{n, plural, ohter {a} other {b}}", .unknownPluralCategory,
      "message k, en-US, character 13: unknown plural category \"ohter\"; did you mean \"other\"?"
    ),
    (
      "{n, plural, one {a} one {b} other {c}}", .repeatedBranch,
      "message k, en-US, character 21: the branch \"one\" appears twice; remove one"
    ),
    (
      "{n, plural, =1 {a} =1.0 {b} other {c}}", .repeatedBranch,
      "message k, en-US, character 20: the branch \"=1.0\" appears twice; remove one"
    ),
    (
      "{n, selectordinal, other {a} other {b}}", .repeatedBranch,
      "message k, en-US, character 30: the branch \"other\" appears twice; remove one"
    ),
    (
      "{g, select, a {x} a {y} other {z}}", .repeatedBranch,
      "message k, en-US, character 19: the branch \"a\" appears twice; remove one"
    ),
    (
      "{n, plural, other {{g, select, other {x} other {y}}}}", .repeatedBranch,
      "message k, en-US, character 42: the branch \"other\" appears twice; remove one"
    ),
    (
      "a\u{0}b", .malformedMessage,
      "message k, en-US, character 2: the message contains a NUL character (U+0000); remove it"
    ),
    (
      "{p, number, currency}", .refusedFormat,
      "message k, en-US, character 12: currency formats are not supported in messages; format the price for its storefront and pass it as finished text: {price}"
    ),
    (
      "{p, number, ::currency/USD}", .refusedFormat,
      "message k, en-US, character 12: currency formats are not supported in messages; format the price for its storefront and pass it as finished text: {price}"
    ),
    (
      "{p, number, ¤#,##0.00}", .refusedFormat,
      "message k, en-US, character 12: currency formats are not supported in messages; format the price for its storefront and pass it as finished text: {price}"
    ),
    (
      "{p, number, ::scale/1e99999999}", .refusedFormat,
      "message k, en-US, character 12: the number style \"::scale/1e99999999\" is not supported; remove the style, or use integer or percent"
    ),
    (
      "{d, date}", .refusedFormat,
      "message k, en-US, character 5: date arguments are not supported; pass the value as finished text: {name}"
    ),
    (
      "{d, TIME, short}", .refusedFormat,
      "message k, en-US, character 5: time arguments are not supported; pass the value as finished text: {name}"
    ),
    (
      "{d, spellout}", .refusedFormat,
      "message k, en-US, character 5: spellout arguments are not supported; pass the value as finished text: {name}"
    ),
    (
      "{d, ordinal}", .refusedFormat,
      "message k, en-US, character 5: ordinal arguments are not supported; pass the value as finished text: {name}"
    ),
    (
      "{d, duration}", .refusedFormat,
      "message k, en-US, character 5: duration arguments are not supported; pass the value as finished text: {name}"
    ),
    (
      "{d, choice, 0#a|1#b}", .refusedFormat,
      "message k, en-US, character 1: choice arguments are not supported; use plural or select"
    ),
    (
      "ü {d, nmber}", .malformedMessage,
      "message k, en-US, character 7: unknown argument type \"nmber\"; did you mean \"number\"?"
    ),
    (
      "{d, xyz}", .malformedMessage,
      "message k, en-US, character 5: unknown argument type \"xyz\"; use number, plural, select, selectordinal"
    ),
    ("{n, plural, =1e9999 {a} other {b}}", .malformedMessage, "message k, en-US, character 14: "),
    (
      "{}", .malformedMessage,
      "message k, en-US, character 2: the text is not valid ICU MessageFormat; write {name}, {name, number}, {name, plural, one {…} other {…}} or {name, select, a {…} other {…}}"
    ),
  ]

  @Test(arguments: malformedMessages)
  func rejectsMalformedMessage(text: String, code: StringsError.Code, description: String) throws {
    let error = #expect(throws: StringsError.self) {
      try Message(text, language: .development, key: "k")
    }
    #expect(error?.code == code)
    let isComplete = !description.hasSuffix(": ")
    #expect(
      isComplete ? error?.description == description : error?.description.hasPrefix(description) == true
    )
  }

  /// Messages that are accepted (`true`), too deeply nested (`false`), or otherwise malformed (`nil`).
  static let depths: [(text: String, isAccepted: Bool?)] = [
    (String(repeating: "{a,select,other{", count: 32) + "x" + String(repeating: "}}", count: 32), true),
    (String(repeating: "{a,select,other{", count: 33) + "x" + String(repeating: "}}", count: 33), false),
    (String(repeating: "{a,plural,other{'#'", count: 33) + "x" + String(repeating: "}}", count: 33), false),
    (String(repeating: "{a,plural,other{'}'''", count: 33) + "x" + String(repeating: "}}", count: 33), false),
    (
      String(repeating: "{a,\u{200E}plural\u{2028},other{", count: 33) + "x"
        + String(repeating: "}}", count: 33), false
    ),
    (String(repeating: "'{'", count: 500), true),
    (String(repeating: "{a, select, other{it''s}}", count: 100), true),
    (String(repeating: "{a,select,other{", count: 1000), false),
    (String(repeating: "{n,number,'}'{'", count: 900), nil),
  ]

  /// ICU parses recursively, so excessive nesting must be detected before.
  @Test(arguments: depths)
  func limitsNesting(text: String, isAccepted: Bool?) {
    do throws(StringsError) {
      _ = try Message(text, language: .development)
      #expect(isAccepted == true)
    } catch {
      #expect(isAccepted != true)
      #expect((error.code == .messageTooLarge) == (isAccepted == false))
    }
  }

  /// ICU compares names and keywords without Unicode normalization.
  @Test func comparesNamesWithoutNormalization() throws {
    let select = try message("{g, select, \u{E9} {A} other {B}}")
    #expect(try select.string(["g": .text("\u{E9}")]) == "A")
    #expect(try select.string(["g": .text("e\u{301}")]) == "B")
    #expect(throws: StringsError.self) { try message("{\u{E9}}").string(["e\u{301}": .count(1)]) }
  }

  @Test func comparesArgumentsAsWellAsTexts() throws {
    let buy = try message("Buy for {price}")
    let american = try buy.format(["price": .price(dollars("4.99"))])
    let canadian = try buy.format([
      "price": .price(PriceFormatter(storefront: Storefront("CAN")).format("4.99"))
    ])
    #expect(american.isolated == canadian.isolated)
    #expect(american != canadian)
    #expect(try american == buy.format(["price": .price(dollars("4.99"))]))
    let arguments: MessageArguments = ["a": .count(1), "b": .text("x")]
    #expect(arguments == ["b": .text("x"), "a": .count(of: 1)])
    #expect(arguments == MessageArguments(["a": .count(1), "b": .text("x")] as [String: MessageArgument]))
    #expect(
      arguments.hashValue
        == MessageArguments(dictionaryLiteral: ("b", .text("x")), ("a", .count(1))).hashValue
    )
    var changed = arguments
    changed["a"] = .count(2)
    changed["b"] = nil
    changed["c"] = .percent(3)
    #expect(changed == ["a": .count(2), "c": .percent(3)] && changed["b"] == nil)
  }

  /// The error contains the position of the invalid use, not of the argument's first use.
  @Test func reportsPositionOfInvalidArgument() throws {
    let error = #expect(throws: StringsError.self) {
      try message("a {a} and b {a, number}").string(["a": .text("x")])
    }
    #expect(error?.place == "en-US, character 13")
  }

  @Test func limitsSize() throws {
    let longest = String(repeating: "ü", count: 8192)
    #expect(try message(longest).string() == longest)
    #expect(throws: StringsError.self) { try message(longest + "a") }
    // The limit of a message does not apply to its arguments.
    let text = String(repeating: "abc", count: 1_000_000)
    #expect(try message("{x}").string(["x": .text(text)], isolation: .none) == text)
    let error = #expect(throws: StringsError.self) {
      try message("{x}{x}{x}{x}{x}{x}").string(["x": .text(text)])
    }
    #expect(error?.description == "en-US: the formatted text is larger than 16 MB; pass shorter arguments")
  }

  // MARK: Arguments

  @Test func rejectsInvalidArguments() throws {
    let buy = try Message(
      "Buy {n, plural, one {a} other {b}} for {price}",
      language: .development,
      key: "buy"
    )
    let price = MessageArgument.price(try dollars(1))
    let rows: [(arguments: MessageArguments, description: String, best: String)] = [
      (
        ["n": .count(1)],
        "message buy, en-US, character 40: the argument \"price\" is missing; add it", "Buy a for {price}"
      ),
      (
        ["n": .count(1), "prcie": price],
        "message buy, en-US, character 40: the argument \"price\" is missing; rename the argument \"prcie\" to \"price\"",
        "Buy a for {price}"
      ),
      (
        ["n": .count(1), "price": price, "x": .text("")],
        "message buy, en-US: the message has no argument \"x\"; remove it",
        "Buy a for \u{2068}$1.00\u{2069}"
      ),
      (
        ["n": .count(1), "n": .count(2), "price": price],
        "message buy, en-US: the argument \"n\" appears twice; remove one",
        "Buy a for \u{2068}$1.00\u{2069}"
      ),
      (
        ["n": .text("1"), "price": price],
        "message buy, en-US, character 5: the argument \"n\" must be a count, not a text; pass a count, which selects the branch of the plural",
        "Buy {n} for \u{2068}$1.00\u{2069}"
      ),
    ]
    for row in rows {
      let error = #expect(throws: StringsError.self) { try buy.format(row.arguments) }
      #expect(error?.description == row.description)
      let (best, problems) = buy.formatBestEffort(row.arguments)
      #expect(best.isolated == row.best)
      #expect(problems.first == error)
    }
    let (best, problems) = buy.formatBestEffort([:])
    #expect(best.plain == "Buy {n} for {price}")
    #expect(problems.map(\.code) == [.missingArgument, .missingArgument])
    #expect(buy.formatBestEffort(["n": .count(1), "price": price]).problems == [])
  }

  @Test(arguments: [
    ("{x, number}", MessageArgument.percent(5), StringsError.Code.invalidArgument),
    ("{x, number, percent}", .count(5), .invalidArgument),
    ("{x, select, other {}}", .count(5), .invalidArgument),
    ("{x, plural, offset:9223372036854775807 other {#}}", .count("-9223372036854775807"), .invalidArgument),
  ])
  func rejectsArgumentOfWrongType(text: String, argument: MessageArgument, code: StringsError.Code)
    throws
  {
    let error = #expect(throws: StringsError.self) { try message(text).string(["x": argument]) }
    #expect(error?.code == code)
    #expect(try !message(text).formatBestEffort(["x": argument]).problems.isEmpty)
  }

  /// A closure writes prices as HTML, including those in nested messages. Everything else is escaped.
  @Test func writesPricesAsCustomHTML() throws {
    let price = try PriceFormatter(storefront: Storefront("USA")).format("9.99")
    let offer = try StoreStrings.embedded.offer(
      .free(SubscriptionPeriod("P7D")),
      then: price,
      every: .month,
      in: .development
    )
    #expect(offer.html { "[\($0.spoken)]" } == "7 days free, then [9.99 US dollars] per month")
    let named = try Message("{name} < {price}", language: .development).format([
      "name": .text("<b>"), "price": .price(price),
    ])
    #expect(named.html { _ in "<i>" } == "<bdi>&lt;b&gt;</bdi> &lt; <i>")
  }
}
