import PriceTagCatalog
import Testing

/// Tests of JSON lists as servers publish them. The tests of `PriceTagCatalogFormats` cover other formats.
@Suite struct PublishedListTests {
  static let lists: [(text: String, expected: [String])] = [
    (#"["a", "b"]"#, ["a", "b"]),
    ("\u{FEFF}[\"a\"]", ["a"]),
    ("[]", []),
    (#"{"version": 1, "productIdentifiers": ["a"]}"#, ["a"]),
    (#"{"version": 2, "products": [{"productIdentifier": "a"}]}"#, ["a"]),
  ]

  @Test(arguments: lists)
  func readsJSON(text: String, expected: [String]) throws {
    #expect(try ProductIdentifierList(json: Array(text.utf8)).identifiers == expected)
  }

  static let invalidLists: [(text: String, problem: String)] = [
    ("", "expected a value, but the text ends"),
    ("<plist/>", "the list is a property list, not JSON"),
    ("bplist00", "the list is a property list, not JSON"),
    ("[\"a\u{0}\"]", "the list contains a NUL character (U+0000)"),
    ("[\"a\"", "expected \",\" or \"]\", but the text ends"),
    ("null", "the list must be an array or an object, not null"),
  ]

  @Test(arguments: invalidLists)
  func rejectsInvalidList(text: String, problem: String) {
    let error = #expect(throws: CatalogError.self) { try ProductIdentifierList(json: Array(text.utf8)) }
    #expect(error?.problem == problem)
  }

  @Test func readsWrittenList() throws {
    let list = ProductIdentifierList(identifiers: ["a", "b", "a", "../c"])
    #expect(list.identifiers == ["a", "b"])
    #expect(list.rejects.map(\.place) == ["entry 3", "entry 4"])
    for version in ProductIdentifierList.JSONVersion.allCases {
      #expect(try ProductIdentifierList(json: list.json(version: version)).identifiers == ["a", "b"])
    }
  }
}
