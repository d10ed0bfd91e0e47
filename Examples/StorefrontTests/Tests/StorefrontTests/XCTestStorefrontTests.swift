import PriceTagTesting
import XCTest

/// The same expectations in XCTest.
final class XCTestStorefrontTests: XCTestCase {
  func testWellKnownPrices() {
    expectPrice("4.99", in: "USA", displays: "$4.99")
    expectPrice("1234.50", locale: "pl-PL", currency: "PLN", displays: "1234,50\u{A0}zł")
  }
}
