import PriceTagCatalog
import Testing

/// Lists as servers publish them; other formats are tested with their readers.
@Suite struct PublishedListTests {
  static let lists: [(text: String, expected: [String])] = [
    (#"["a", "b"]"#, ["a", "b"]),
    ("\u{FEFF}[\"a\"]", ["a"]),
    ("[]", []),
    (#"{"version": 1, "productIdentifiers": ["a"]}"#, ["a"]),
    (#"{"version": 2, "products": [{"productIdentifier": "a"}]}"#, ["a"]),
  ]

  @Test(arguments: lists)
  func jsonIsRead(text: String, expected: [String]) throws {
    #expect(try ProductIdentifierList(json: Array(text.utf8)).identifiers == expected)
  }

  static let others: [(text: String, problem: String)] = [
    ("", "the text ends where a value is expected"),
    ("<plist/>", "the list is a property list, not JSON"),
    ("bplist00", "the list is a property list, not JSON"),
    ("[\"a\u{0}\"]", "the list has a NUL"),
    ("[\"a\"", "the text ends where \",\" or \"]\" is expected"),
    ("null", "null stands where a list is expected"),
  ]

  @Test(arguments: others)
  func whatIsNotJSONIsAnError(text: String, problem: String) {
    let error = #expect(throws: CatalogError.self) { try ProductIdentifierList(json: Array(text.utf8)) }
    #expect(error?.problem == problem)
  }

  @Test func whatIsWrittenIsReadAgain() throws {
    let list = ProductIdentifierList(identifiers: ["a", "b", "a", "../c"])
    #expect(list.identifiers == ["a", "b"])
    #expect(list.setAside.map(\.place) == ["entry 3", "entry 4"])
    for version in ProductIdentifierList.JSONVersion.allCases {
      #expect(
        try ProductIdentifierList(json: Array(list.json(version: version).utf8)).identifiers == ["a", "b"]
      )
    }
  }
}
