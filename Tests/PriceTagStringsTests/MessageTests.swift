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
    ("{n}", "ar", 1234, "١٬٢٣٤"),
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
  func aCountIsWrittenByTheLanguage(text: String, language: String, count: Amount, expected: String) throws {
    #expect(try message(text, language).string(["n": .count(count)]) == expected)
  }

  @Test func everyKindOfArgumentHasItsForm() throws {
    let price = try dollars("4.99")
    let rows: [(argument: MessageArgument, language: String, expected: String)] = [
      (.price(price), "de", "\u{2068}$4.99\u{2069}"),
      (.count(1234), "de", "1.234"),
      (.percent("16"), "en-US", "16%"),
      (.percent("16"), "de", "16\u{A0}%"),
      (.percent("16.50"), "fr-FR", "16,5\u{A0}%"),
      (.percent("16"), "ar", "١٦٪\u{61C}"),
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

  @Test func aSelectChoosesByText() throws {
    let select = try message("{who, select, female {her} male {his} other {their}} price")
    #expect(try select.string(["who": .text("female")]) == "her price")
    #expect(try select.string(["who": .text("x")]) == "their price")
  }

  // MARK: Isolation

  @Test func insertedPricesReadRightInAnyDirection() throws {
    let formatted = try message("اشترِ مقابل {price}", "ar").format(["price": .price(dollars("4.99"))])
    #expect(formatted.isolated == "اشترِ مقابل \u{2068}$4.99\u{2069}")
    #expect(formatted.plain == "اشترِ مقابل $4.99")
    #expect(formatted.html == #"اشترِ مقابل <bdi lang="en-US" dir="ltr">$4.99</bdi>"#)
    #expect(formatted.spoken == "اشترِ مقابل \u{2068}4.99 US dollars\u{2069}")
  }

  @Test func htmlIsEscaped() throws {
    let html = try message("<b>{name}</b> & {price}").format([
      "name": .text("<script>\"'&"), "price": .price(dollars("4.99")),
    ]).html
    #expect(
      html
        == #"&lt;b&gt;<bdi>&lt;script&gt;&quot;&#39;&amp;</bdi>&lt;/b&gt; &amp; <bdi lang="en-US" dir="ltr">$4.99</bdi>"#
    )
  }

  @Test func aMessageInsideAMessageKeepsItsPrices() throws {
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

  /// A text cannot reach out of its isolate.
  @Test(arguments: [
    ("a\u{2069}\u{202E}b", "a\u{202E}b\u{202C}"),
    ("\u{2067}x", "\u{2067}x\u{2069}"),
    ("\u{2068}x\u{2069}", "\u{2068}x\u{2069}"),
    ("\u{202B}\u{2066}x\u{202C}", "\u{202B}\u{2066}x\u{2069}\u{202C}"),
    ("\u{2066}\u{202B}x\u{2069}y", "\u{2066}\u{202B}x\u{2069}y"),
    ("€5", "€5"),
  ])
  func aTextsControlsAreBalanced(text: String, balanced: String) throws {
    #expect(try message("{x}").string(["x": .text(text)]) == "\u{2068}\(balanced)\u{2069}")
    #expect(try message("{x}").string(["x": .text(text)], isolation: .none) == text)
  }

  // MARK: Refusals

  static let refusals: [(text: String, code: StringsError.Code, description: String)] = [
    (
      "{p", .malformedMessage,
      "message k, en-US, character 1: the braces are not balanced: close every { with a }, and put text that has braces between apostrophes: '{'"
    ),
    (
      "a {b", .malformedMessage,
      "message k, en-US, character 3: the braces are not balanced: close every { with a }, and put text that has braces between apostrophes: '{'"
    ),
    (
      "{n, select, other {'{'} x {y", .malformedMessage,
      "message k, en-US, character 1: the braces are not balanced: close every { with a }, and put text that has braces between apostrophes: '{'"
    ),
    (
      "a {n, plural, one {b}}", .malformedMessage,
      "message k, en-US, character 3: a plural or select has no branch \"other\": add one: it is for everything that no other branch is for"
    ),
    (
      "{n, plural, ohter {a} other {b}}", .unknownPluralCategory,
      "message k, en-US, character 13: \"ohter\" is no plural category: write =N for a number, or zero, one, two, few, many, other (did you mean other?)"
    ),
    (
      "{n, plural, one {a} one {b} other {c}}", .repeatedBranch,
      "message k, en-US, character 21: the branch \"one\" is repeated: keep one of the two"
    ),
    (
      "{n, plural, =1 {a} =1.0 {b} other {c}}", .repeatedBranch,
      "message k, en-US, character 20: the branch \"=1.0\" is repeated: keep one of the two"
    ),
    (
      "{n, selectordinal, other {a} other {b}}", .repeatedBranch,
      "message k, en-US, character 30: the branch \"other\" is repeated: keep one of the two"
    ),
    (
      "{g, select, a {x} a {y} other {z}}", .repeatedBranch,
      "message k, en-US, character 19: the branch \"a\" is repeated: keep one of the two"
    ),
    (
      "{n, plural, other {{g, select, other {x} other {y}}}}", .repeatedBranch,
      "message k, en-US, character 42: the branch \"other\" is repeated: keep one of the two"
    ),
    (
      "a\u{0}b", .malformedMessage,
      "message k, en-US, character 2: the message has a zero character (U+0000), which no text can show: remove it"
    ),
    (
      "{p, number, currency}", .refusedFormat,
      "message k, en-US, character 12: a message does not format a currency: format the price by its storefront and give it as finished text: {price}"
    ),
    (
      "{p, number, ::currency/USD}", .refusedFormat,
      "message k, en-US, character 12: a message does not format a currency: format the price by its storefront and give it as finished text: {price}"
    ),
    (
      "{p, number, ¤#,##0.00}", .refusedFormat,
      "message k, en-US, character 12: a message does not format a currency: format the price by its storefront and give it as finished text: {price}"
    ),
    (
      "{p, number, ::scale/1e99999999}", .refusedFormat,
      "message k, en-US, character 12: a message does not take the number style \"::scale/1e99999999\": write number, or number with the style integer or percent"
    ),
    (
      "{d, date}", .refusedFormat,
      "message k, en-US, character 5: a message does not format a date: give it as finished text: {name}"
    ),
    (
      "{d, TIME, short}", .refusedFormat,
      "message k, en-US, character 5: a message does not format a time: give it as finished text: {name}"
    ),
    (
      "{d, spellout}", .refusedFormat,
      "message k, en-US, character 5: a message does not format a spellout: give it as finished text: {name}"
    ),
    (
      "{d, ordinal}", .refusedFormat,
      "message k, en-US, character 5: a message does not format an ordinal: give it as finished text: {name}"
    ),
    (
      "{d, duration}", .refusedFormat,
      "message k, en-US, character 5: a message does not format a duration: give it as finished text: {name}"
    ),
    (
      "{d, choice, 0#a|1#b}", .refusedFormat,
      "message k, en-US, character 1: a choice is no part of a message: use plural or select"
    ),
    (
      "ü {d, nmber}", .malformedMessage,
      "message k, en-US, character 7: there is no argument type \"nmber\": write number, plural, selectordinal or select (did you mean number?)"
    ),
    ("{n, plural, =1e9999 {a} other {b}}", .malformedMessage, "message k, en-US, character 14: "),
    (
      "{}", .malformedMessage,
      "message k, en-US, character 2: this is no ICU MessageFormat: write {name}, {name, number}, {name, plural, one {…} other {…}} or {name, select, a {…} other {…}}"
    ),
  ]

  @Test(arguments: refusals)
  func whatIsNoMessageIsRefused(text: String, code: StringsError.Code, description: String) throws {
    let error = #expect(throws: StringsError.self) {
      try Message(text, language: .development, key: "k")
    }
    #expect(error?.code == code)
    let isWhole = !description.hasSuffix(": ")
    #expect(isWhole ? error?.description == description : error?.description.hasPrefix(description) == true)
  }

  /// Whether a message is taken, refused for its depth (false), or refused for something else.
  static let depths: [(text: String, isTaken: Bool?)] = [
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

  /// ICU reads recursively: depth is found before it is asked.
  @Test(arguments: depths)
  func depthIsFoundFirst(text: String, isTaken: Bool?) {
    do throws(StringsError) {
      _ = try Message(text, language: .development)
      #expect(isTaken == true)
    } catch {
      #expect(isTaken != true)
      #expect((error.code == .messageTooLarge) == (isTaken == false))
    }
  }

  /// ICU compares names and keywords by their characters, not by what they look like.
  @Test func accentsAreNotComposed() throws {
    let select = try message("{g, select, \u{E9} {A} other {B}}")
    #expect(try select.string(["g": .text("\u{E9}")]) == "A")
    #expect(try select.string(["g": .text("e\u{301}")]) == "B")
    #expect(throws: StringsError.self) { try message("{\u{E9}}").string(["e\u{301}": .count(1)]) }
  }

  @Test func equalTextsOfTwoStoresAreTwoMessages() throws {
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

  /// The error points at the place that is wrong, not at the argument's first.
  @Test func aMisplacedArgumentIsShownWhereItStands() throws {
    let error = #expect(throws: StringsError.self) {
      try message("a {a} and b {a, number}").string(["a": .text("x")])
    }
    #expect(error?.place == "en-US, character 13")
  }

  @Test func sizeHasALimit() throws {
    let longest = String(repeating: "ü", count: 8192)
    #expect(try message(longest).string() == longest)
    #expect(throws: StringsError.self) { try message(longest + "a") }
    // What is put in is not limited.
    let text = String(repeating: "abc", count: 1_000_000)
    #expect(try message("{x}").string(["x": .text(text)], isolation: .none) == text)
    let error = #expect(throws: StringsError.self) {
      try message("{x}{x}{x}{x}{x}{x}").string(["x": .text(text)])
    }
    #expect(error?.description == "en-US: the text is longer than 16 MB: give shorter arguments")
  }

  // MARK: Arguments

  @Test func argumentsMustFit() throws {
    let buy = try Message(
      "Buy {n, plural, one {a} other {b}} for {price}",
      language: .development,
      key: "buy"
    )
    let price = MessageArgument.price(try dollars(1))
    let rows: [(arguments: MessageArguments, description: String, best: String)] = [
      (
        ["n": .count(1)],
        "message buy, en-US, character 40: the argument \"price\" is missing: give it", "Buy a for {price}"
      ),
      (
        ["n": .count(1), "prcie": price],
        "message buy, en-US, character 40: the argument \"price\" is missing: give it (in place of prcie)",
        "Buy a for {price}"
      ),
      (
        ["n": .count(1), "price": price, "x": .text("")],
        "message buy, en-US: the message has no argument \"x\": leave it out",
        "Buy a for \u{2068}$1.00\u{2069}"
      ),
      (
        ["n": .count(1), "n": .count(2), "price": price],
        "message buy, en-US: the argument \"n\" is given 2 times: give it once",
        "Buy a for \u{2068}$1.00\u{2069}"
      ),
      (
        ["n": .text("1"), "price": price],
        "message buy, en-US, character 5: a text is given for \"n\" where the message takes a count: give a count: it chooses the plural",
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
  func anArgumentOfAnotherKindIsRefused(text: String, argument: MessageArgument, code: StringsError.Code)
    throws
  {
    let error = #expect(throws: StringsError.self) { try message(text).string(["x": argument]) }
    #expect(error?.code == code)
    #expect(try !message(text).formatBestEffort(["x": argument]).problems.isEmpty)
  }

  /// A caller's own way of writing prices holds in messages within messages, and everything else is escaped.
  @Test func pricesOfAPageAreWrittenItsOwnWay() throws {
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
