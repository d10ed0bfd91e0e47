import PriceTag
import PriceTagReading
import PriceTagStrings
import PriceTagTesting
import Synchronization
import Testing
import XCTest

/// Tests of `expectPrice` and `expectMessage`.
@Suite struct ExpectationTests {
  @Test func acceptsDisplayedText() throws {
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

  /// A price in a storefront, a wrong expectation, and the classes that the failure names.
  static let differences: [(storefront: String, amount: String, expected: String, classes: String)] = [
    ("FRA", "1234.5", "1 234,50 €", "spacing"),
    ("CHE", "1234.5", "CHF\u{A0}1\u{2BC}234.50", "separators"),
    ("CHE", "1234.5", "CHF\u{A0}1234.50", "grouping"),
    ("EGY", "5", "٥٫٠٠\u{A0}ج.م.", "direction-marks"),
    ("USA", "4.99", "$5.99", "amount"),
    ("USA", "4.99", "€4.99", "currency"),
    ("USA", "4.99", "US$4.99", "symbol"),
    ("USA", "4.99", "4.99$", "order"),
    ("USA", "5", "$5", "digits"),
    ("USA", "4.99", "free", "not-a-price"),
  ]

  @Test(arguments: differences)
  func failureNamesClasses(storefront: String, amount: String, expected: String, classes: String) throws {
    let recorded = failures { expectPrice(amount, in: storefront, displays: expected) }
    let text = try #require(recorded.first).text
    #expect(recorded.count == 1)
    let currency = try Storefront(storefront).currency(on: .todayInUTC)
    #expect(
      text.hasPrefix("\(storefront) displays \(amount) \(currency) differently: \(classes)\n"),
      "\(text)"
    )
  }

  @Test func failureShowsDifferences() {
    let line = #line + 1
    let recorded = failures { expectPrice("1234.50", in: "FRA", displays: "1\u{A0}234,50\u{A0}€") }
    #expect(
      recorded == [
        RecordedFailure(
          text: """
            FRA displays 1234.50 EUR differently: spacing
              - expected   "1\\u{A0}234,50\\u{A0}€"
              + displayed  "1\\u{202F}234,50\\u{A0}€"
                at 2: U+202F NARROW NO-BREAK SPACE, expected U+00A0 NO-BREAK SPACE
              If this is correct, expect it: displays: "1\\u{202F}234,50\\u{A0}€"; or allow such differences: tolerating: .spacing
            """,
          line: line
        )
      ]
    )
  }

  /// Tolerances, and whether they allow a wrong expectation.
  static let tolerances:
    [(tolerance: DisplayTolerance, storefront: String, amount: String, expected: String, passes: Bool)] = [
      (.spacing, "FRA", "1234.5", "1 234,50 €", true),
      (.spacing, "CHE", "1234.5", "CHF\u{A0}1\u{2BC}234.50", false),
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
  func appliesTolerance(
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

  /// A detached task does not belong to a test, but its failures are recorded too.
  @Test func failsInDetachedTask() async {
    let count = FailureCount()
    await Task.detached {
      count.add(failures { expectPrice("4.99", in: "USA", displays: "4.99$") }.count)
    }.value
    #expect(count.value == 1)
  }

  /// A price that cannot be formatted fails with the reason and does not end the test.
  @Test func failsForFormattingErrors() {
    let reasons: [(String, () -> Void)] = [
      ("\"4,99\" is not a decimal amount", { expectPrice("4,99", in: "USA", displays: "$4.99") }),
      ("unknown storefront \"XXX\"", { expectPrice("4.99", in: "XXX", displays: "$4.99") }),
      ("has more decimals than JPY displays (0)", { expectPrice("4.99", in: "JPN", displays: "￥5") }),
      (
        "\"no_such\"",
        { expectMessage("no_such", in: "en-US", displays: "") }
      ),
      ("argument \"price\"", { expectMessage("buy_for_price", in: "en-US", displays: "") }),
    ]
    for (reason, expectation) in reasons {
      let recorded = failures { expectation() }
      #expect(recorded.count == 1 && recorded[0].text.contains(reason), "\(recorded)")
    }
  }
}

/// The number of failures recorded in another task.
private final class FailureCount: Sendable {
  private let count = Mutex(0)
  var value: Int { count.withLock { $0 } }
  func add(_ more: Int) { count.withLock { $0 += more } }
}

/// Tests that XCTest records failures at the caller's line.
final class XCTestExpectationTests: XCTestCase {
  private var recorded: [(text: String, file: String, line: Int)] = []
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
    recorded.append((description, filePath, lineNumber))
  }

  func testFailurePointsAtCallersLine() {
    expectPrice("4.99", in: "USA", displays: "$4.99")
    isCollecting = true
    let line = #line + 1
    expectPrice("4.99", in: "USA", displays: "4.99$")
    isCollecting = false
    XCTAssertEqual(recorded.count, 1)
    XCTAssertEqual(recorded.first?.line, line)
    XCTAssertEqual(recorded.first?.file.hasSuffix("ExpectationTests.swift"), true)
    XCTAssertEqual(recorded.first?.text.contains("USA displays 4.99 USD differently: order"), true)
  }
}
