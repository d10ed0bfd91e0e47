import PriceTag
import PriceTagDrift
import PriceTagStrings
import PriceTagTesting
import Synchronization
import Testing
import XCTest

/// Expectations of prices and messages: what passes, and what a failure tells.
@Suite struct ExpectationTests {
  @Test func whatIsDisplayedPasses() throws {
    expectPrice("4.99", in: "USA", displays: "$4.99")
    expectPrice("4.99", in: "us", displays: "$4.99")
    expectPrice("4.99", in: "BGR", displays: "€4.99", at: "2026-01-01")
    expectPrice("4.99", in: "BGR", displays: "BGN\u{A0}4.99", at: "2025-12-31")
    expectPrice("6.00", in: "CHN", displays: "CN¥6.00", priceLocale: "en-CN")
    expectPrice("1234.5", locale: "pl-PL", currency: "PLN", displays: "1234,50\u{A0}zł")
    expectPrice("5", in: "USA", displays: "$5", style: PriceStyle(zeros: .trim))
    let price = try PriceFormatter(storefront: Storefront("USA")).format("4.99")
    expectMessage("buy_for_price", in: "en-US", ["price": .price(price)], displays: "Buy for $4.99")
    expectMessage(
      "buy_for_price",
      in: "en-US",
      ["price": .price(price)],
      displays: "Buy for \u{2068}$4.99\u{2069}"
    )
    let message = try Message("{count, plural, one {# car} other {# cars}}", language: .development)
    expectMessage(message, ["count": .count(of: 2)], displays: "2 cars")
  }

  /// A price in a storefront, what is expected of it, and the kinds of differences that a failure names.
  static let differences: [(storefront: String, amount: String, expected: String, kinds: String)] = [
    ("CHE", "1234.5", "CHF 1’234.50", "spacing"),
    ("CHE", "1234.5", "CHF\u{A0}1'234.50", "separators"),
    ("CHE", "1234.5", "CHF\u{A0}1234.50", "grouping"),
    ("EGY", "5", "٥٫٠٠\u{A0}ج.م.", "direction-marks"),
    ("USA", "4.99", "$5.99", "amount"),
    ("USA", "4.99", "€4.99", "currency"),
    ("USA", "4.99", "US$4.99", "symbol"),
    ("USA", "4.99", "4.99$", "order"),
    ("USA", "5", "$5", "digits"),
    ("USA", "4.99", "free", "amount"),
  ]

  @Test(arguments: differences)
  func aFailureNamesItsKind(storefront: String, amount: String, expected: String, kinds: String) throws {
    let told = failures { expectPrice(amount, in: storefront, displays: expected) }
    let text = try #require(told.first).text
    #expect(told.count == 1)
    let currency = try Storefront(storefront).currency(on: .today)
    #expect(text.hasPrefix("\(storefront) displays \(amount) \(currency) otherwise: \(kinds)\n"), "\(text)")
  }

  @Test func aFailureShowsWhatDiffersAndWhere() {
    let line = #line + 1
    let told = failures { expectPrice("1234.50", in: "FRA", displays: "1\u{A0}234,50\u{A0}€") }
    #expect(
      told == [
        ToldFailure(
          text: """
            FRA displays 1234.50 EUR otherwise: spacing
              - expected   "1\\u{A0}234,50\\u{A0}€"
              + displayed  "1\\u{202F}234,50\\u{A0}€"
                at 2: U+202F NARROW NO-BREAK SPACE, expected U+00A0 NO-BREAK SPACE
              Where this is right, expect it: displays: "1\\u{202F}234,50\\u{A0}€"; or let such differences pass: tolerating: .spacing
            """,
          line: line
        )
      ]
    )
  }

  /// What a tolerance lets pass, and what it does not.
  static let tolerances:
    [(tolerance: DisplayTolerance, storefront: String, amount: String, expected: String, passes: Bool)] = [
      (.spacing, "CHE", "1234.5", "CHF 1’234.50", true),
      (.spacing, "CHE", "1234.5", "CHF 1'234.50", false),
      (.bidi, "EGY", "5", "٥٫٠٠\u{A0}ج.م.", true),
      (.bidi, "EGY", "5", "٥٫٠٠ ج.م.", false),
      ([.spacing, .bidi], "EGY", "5", "٥٫٠٠ ج.م.", true),
      (.meaning, "CHE", "1234.5", "1'234.50 CHF", true),
      (.meaning, "CHE", "1234.5", "CHF 1234.5", false),
      (.meaning, "CHE", "1234.5", "CHF 1234.51", false),
      (.meaning, "CHE", "1234.5", "EUR 1234.50", false),
      (.meaning, "EGY", "5", "5.00 EGP", false),
    ]

  @Test(arguments: tolerances)
  func aToleranceLetsItsKindPass(
    tolerance: DisplayTolerance,
    storefront: String,
    amount: String,
    expected: String,
    passes: Bool
  ) {
    if passes {
      expectPrice(amount, in: storefront, displays: expected, tolerating: tolerance)
    } else {
      #expect(
        failures { expectPrice(amount, in: storefront, displays: expected, tolerating: tolerance) }.count == 1
      )
    }
  }

  /// In a task that belongs to no test the failure is told all the same, though nobody knows of which test it is.
  @Test func aTaskOfItsOwnFailsToo() async {
    let told = ToldElsewhere()
    await Task.detached {
      told.add(failures { expectPrice("4.99", in: "USA", displays: "4.99$") }.count)
    }.value
    #expect(told.count == 1)
  }

  /// What cannot be formatted fails with its reason, and does not stop the test.
  @Test func whatCannotBeFormattedFails() {
    let reasons: [(String, () -> Void)] = [
      ("\"4,99\" is not a decimal amount", { expectPrice("4,99", in: "USA", displays: "$4.99") }),
      ("no storefront is called \"XXX\"", { expectPrice("4.99", in: "XXX", displays: "$4.99") }),
      ("would have to be rounded", { expectPrice("4.99", in: "JPN", displays: "￥5") }),
      (
        "there is no message \"no_such\"",
        { expectMessage("no_such", in: "en-US", displays: "") }
      ),
      ("argument \"price\"", { expectMessage("buy_for_price", in: "en-US", displays: "") }),
    ]
    for (reason, expectation) in reasons {
      let told = failures { expectation() }
      #expect(told.count == 1 && told[0].text.contains(reason), "\(told)")
    }
  }
}

/// How much was told in another task.
private final class ToldElsewhere: Sendable {
  private let counted = Mutex(0)
  var count: Int { counted.withLock { $0 } }
  func add(_ count: Int) { counted.withLock { $0 += count } }
}

/// In XCTest a failure is told there, at the caller's line.
final class XCTestExpectationTests: XCTestCase {
  private var told: [(text: String, file: String, line: Int)] = []
  private var isCollecting = false

  override func recordFailure(
    withDescription description: String,
    inFile filePath: String,
    atLine lineNumber: Int,
    expected: Bool
  ) {
    guard isCollecting else {
      return super.recordFailure(
        withDescription: description,
        inFile: filePath,
        atLine: lineNumber,
        expected: expected
      )
    }
    told.append((description, filePath, lineNumber))
  }

  func testAFailurePointsAtItsLine() {
    expectPrice("4.99", in: "USA", displays: "$4.99")
    isCollecting = true
    let line = #line + 1
    expectPrice("4.99", in: "USA", displays: "4.99$")
    isCollecting = false
    XCTAssertEqual(told.count, 1)
    XCTAssertEqual(told.first?.line, line)
    XCTAssertEqual(told.first?.file.hasSuffix("ExpectationTests.swift"), true)
    XCTAssertEqual(told.first?.text.contains("USA displays 4.99 USD otherwise: order"), true)
  }
}
