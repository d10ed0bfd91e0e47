import PriceTag
import Testing

@testable import PriceTagCatalog

@Suite struct ProductIdentifierTests {
  static let identifiers: [(text: String, isWellFormed: Bool)] = [
    ("com.example.level1", true),
    ("price_1234", true),
    ("premium:monthly-2", true),
    ("1", true),
    (String(repeating: "a", count: 255), true),
    (String(repeating: "a", count: 256), false),
    ("", false),
    (".hidden", false),
    ("../up", false),
    ("a/b", false),
    ("a b", false),
    ("a\u{0}b", false),
    ("a\u{202E}b", false),
    ("é", false),
  ]

  @Test(arguments: identifiers)
  func checksProductIdentifierSyntax(text: String, isWellFormed: Bool) {
    #expect(ProductIdentifier.isWellFormed(text) == isWellFormed)
  }
}
