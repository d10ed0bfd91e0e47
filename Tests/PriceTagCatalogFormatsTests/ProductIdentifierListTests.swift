import CatalogSamples
import Foundation
import PriceTag
import Testing

@testable import PriceTagCatalog
@testable import PriceTagCatalogFormats

/// A list as the tables below have it: its identifiers with their groups, and what was set aside; or the error.
private func read(_ bytes: [UInt8], name: String = "") -> [String] {
  do throws(CatalogError) {
    let list = try ProductIdentifierList(bytes, name: name)
    return list.identifiers.map { $0 + (list.subscriptionGroups[$0].map { " (\($0))" } ?? "") }
      + list.setAside.map { "- \($0)" }
  } catch { return ["\(error.code.rawValue): \(error)"] }
}

private func plist(_ body: String) -> String {
  """
  <?xml version="1.0" encoding="UTF-8"?>
  <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
  <plist version="1.0">
  \(body)
  </plist>
  """
}

@Suite struct ProductIdentifierListTests {
  static let lists: [(name: String, text: String, expected: [String])] = [
    (
      "an array", #"["com.example.level1", "com.example.rocket_car"]"#,
      ["com.example.level1", "com.example.rocket_car"]
    ),
    ("none", "[]", []),
    ("a byte order mark", "\u{FEFF}[\"a\"]", ["a"]),
    (
      "an array with entries that are none", #"["a", "", " b", 5, null, true, ["c"], {}, "a", "d"]"#,
      [
        "a", "d",
        "- entry 2: the product identifier is empty: \(fix)",
        "- entry 3: \" b\" is not a product identifier: \(fix)",
        "- entry 4: the number 5 stands where a product identifier is expected: \(give)",
        "- entry 5: null stands where a product identifier is expected: \(give)",
        "- entry 6: a boolean stands where a product identifier is expected: \(give)",
        "- entry 7: an array stands where a product identifier is expected: \(give)",
        "- line 1, entry 8: the object has no \"productIdentifier\": \(give)",
        "- entry 9: \"a\" stands twice: remove one of them",
      ]
    ),
    ("version 1", #"{"version": 1, "productIdentifiers": ["a", "b"]}"#, ["a", "b"]),
    ("version 1 with more", #"{"version": 1, "new": {"x": [1]}, "productIdentifiers": ["a"]}"#, ["a"]),
    ("no version", #"{"productIdentifiers": ["a"]}"#, ["a"]),
    (
      "version 2",
      #"{"version": 2, "products": [{"productIdentifier": "a", "badge": "new"}, {"productIdentifier": "b", "subscriptionGroup": "vip"}, "c"]}"#,
      ["a", "b (vip)", "c"]
    ),
    (
      "every name of an identifier",
      #"{"products": [{"productID": "a"}, {"productId": "b"}, {"identifier": "c"}, {"id": "d"}, {"sku": "e"}, {"id": "x", "productIdentifier": "f"}, {"productIdentifier": null, "id": "g"}]}"#,
      ["a", "b", "c", "d", "e", "f", "g"]
    ),
    ("version 1 with both", #"{"version": 1, "products": ["b"], "productIdentifiers": ["a"]}"#, ["a"]),
    ("version 2 with both", #"{"version": 2, "productIdentifiers": ["a"], "products": ["b"]}"#, ["b"]),
    ("a newer version", #"{"version": 7, "products": [{"productIdentifier": "a"}]}"#, ["a"]),
    (
      "a newer version with other products",
      #"{"version": 3, "products": {"a": {}}, "productIdentifiers": ["a"]}"#, ["a"]
    ),
    (
      "a newer version whose products are named otherwise",
      #"{"version": 3, "products": [{"name": "a"}], "productIdentifiers": ["a"]}"#, ["a"]
    ),
    (
      "a newer version without products",
      #"{"version": 3, "products": [], "productIdentifiers": ["a"]}"#, ["a"]
    ),
    ("a newer version of none", #"{"version": 3, "products": []}"#, []),
    ("a version that is no number", #"{"version": "3.1", "productIdentifiers": ["a"]}"#, ["a"]),
    ("a version out of range", #"{"version": 99999999999999999999, "productIdentifiers": ["a"]}"#, ["a"]),
    (
      "Unity's catalogue",
      "{\"appleSKU\": \"\", \"products\": [\n {\"id\": \"coffee\", \"type\": 1, \"storeIDs\": [{\"store\": \"x\", \"id\": \"y\"}]},\n {\"id\": \"\"}]}",
      ["coffee", "- line 3, products, entry 2: the product identifier is empty: \(fix)"]
    ),
    (
      "an entry of another type in products", "{\"products\": [\n{\"id\": 5}]}",
      ["- line 2, products, entry 1: the number 5 stands where id is expected: \(give)"]
    ),
    (
      "StoreHelper's members in JSON",
      #"{"Products": ["a"], "Subscriptions": [{"Group": "vip", "Products": ["b", "a"]}]}"#,
      ["a", "b (vip)", "- Subscriptions, entry 1, Products, entry 2: \"a\" stands twice: remove one of them"]
    ),
  ]

  private static let fix = #"give 1 to 255 letters, digits, ".", "_", "-" and ":", a letter or digit first"#
  private static let give = "give a product identifier as a string"

  @Test(arguments: lists)
  func aListIsRead(name: String, text: String, expected: [String]) {
    #expect(read(Array(text.utf8)) == expected)
  }

  static let propertyLists: [(name: String, body: String, expected: [String])] = [
    ("an array", "<array>\n<string>a</string><!-- b --><string>c</string>\n</array>", ["a", "c"]),
    ("none", "<array/>", []),
    ("an entity that XML has", "<array><string>a&#46;b</string></array>", ["a.b"]),
    ("character data", "<array><string><![CDATA[a]]></string></array>", ["a"]),
    (
      "products and subscriptions",
      """
      <dict>
        <key>Products</key><array><string>a</string></array>
        <key>Subscriptions</key>
        <array>
          <dict>
            <key>Group</key><string>vip</string>
            <key>Products</key><array><string>gold</string><string>silver</string></array>
          </dict>
        </array>
      </dict>
      """,
      ["a", "gold (vip)", "silver (vip)"]
    ),
    (
      "subscriptions alone, of which some are not whole",
      """
      <dict><key>Subscriptions</key><array>
      <dict><key>Products</key><array><string>a</string></array></dict>
      <dict><key>Group</key><string>vip</string></dict>
      <string>b</string>
      </array></dict>
      """,
      [
        "a",
        "- line 5, Subscriptions, entry 1: the subscription group has no name: give a string as its Group; its products are taken without one",
        "- line 6, Subscriptions, entry 2: the subscription group has no \"Products\": give an object with Group and Products",
        "- line 7, Subscriptions, entry 3: the subscription group has no \"Products\": give an object with Group and Products",
      ]
    ),
    (
      "entries of other types",
      "<array>\n<integer>5</integer>\n<true/>\n<date>2026-01-01T00:00:00Z</date>\n<string/>\n<dict><key>id</key><string>a</string></dict></array>",
      [
        "a", "- line 5, entry 1: the number 5 stands where a product identifier is expected: \(give)",
        "- line 6, entry 2: <true> stands where a product identifier is expected: \(give)",
        "- line 7, entry 3: <date> stands where a product identifier is expected: \(give)",
        "- line 8, entry 4: the product identifier is empty: \(fix)",
      ]
    ),
    (
      "a key twice", "<dict><key>Products</key><array/>\n<key>Products</key><array/></dict>",
      ["malformed-file: line 5: the key \"Products\" stands twice: remove one of them"]
    ),
    (
      "a key without a value", "<dict>\n<key>Products</key></dict>",
      ["malformed-file: line 5: the key \"Products\" has no value: write a value behind each <key>"]
    ),
    (
      "a value without a key", "<dict><array/></dict>",
      ["malformed-file: line 4: <array> stands where a <key> is expected: write a <key> before each value"]
    ),
    (
      "no value", "<array><foo/></array>",
      ["malformed-file: line 4: <foo> is no value of a property list: write a <string>"]
    ),
    (
      "nothing", "",
      ["malformed-file: line 3: the property list is empty: write an <array> of <string>s into it"]
    ),
    (
      "two values", "<array/><array/>",
      ["malformed-file: line 4: <array> stands behind the list's value: write one value into <plist>"]
    ),
    (
      "text between", "<array>a</array>",
      ["malformed-file: line 4: text stands outside a value: write it into a <string>"]
    ),
    (
      "a tag inside text", "<array><string>a<b/></string></array>",
      ["malformed-file: line 4: <b> stands inside text: write text alone"]
    ),
    (
      "a string", "<string>a</string>",
      ["malformed-file: a string stands where a list is expected: give an array of product identifiers"]
    ),
    (
      "no array", "<dict>\n<key>Products</key><string>a</string></dict>",
      ["invalid-field: line 5, field Products: a string stands where an array is expected: \(array)"]
    ),
    (
      "an entity of its own", "<array><string>&a;</string></array>",
      ["malformed-file: line 4: the XML is not well-formed (Entity 'a' not defined): correct the XML"]
    ),
  ]

  private static let array = "give an array of product identifiers"

  @Test(arguments: propertyLists)
  func aPropertyListIsRead(name: String, body: String, expected: [String]) {
    #expect(read(Array(plist(body).utf8), name: "products.plist") == expected)
  }

  /// A row whose bytes are too many to be shown.
  struct Refusal: CustomTestStringConvertible {
    let name: String
    let file: String
    let bytes: [UInt8]
    let expected: String

    var testDescription: String { name }

    init(_ name: String, _ file: String, _ bytes: [UInt8], _ expected: String) {
      (self.name, self.file, self.bytes, self.expected) = (name, file, bytes, expected)
    }
  }

  static let refusals: [Refusal] = [
    Refusal(
      "an object without a list",
      "",
      Array(#"{"error": "down"}"#.utf8),
      "malformed-file: line 1: the object has neither \"productIdentifiers\" nor \"products\": give one of them, or an array of product identifiers"
    ),
    Refusal(
      "no array",
      "",
      Array(#"{"productIdentifiers": "a"}"#.utf8),
      "invalid-field: line 1, field productIdentifiers: a string stands where an array is expected: \(array)"
    ),
    Refusal(
      "a newer version without identifiers",
      "",
      Array("\n{\"version\": 3, \"products\": [{\"name\": \"a\"}]}".utf8),
      "unknown-version: line 2: version 3 of the list has no identifiers where they are known to stand: fetch products_v2.json, or read the list with a newer PriceTag"
    ),
    Refusal(
      "JSON cut short",
      "",
      Array("[\"a\",\n\"b".utf8),
      "malformed-file: line 2, column 3: the text ends where the end of a string is expected: correct the JSON"
    ),
    Refusal(
      "an empty file",
      "products.json",
      [],
      "malformed-file: line 1, column 1: the text ends where a value is expected: correct the JSON"
    ),
    Refusal(
      "JSON nested deeply",
      "",
      Array(String(repeating: "[", count: 100_000).utf8),
      "malformed-file: line 1, column 33: values are nested more than 32 deep: correct the JSON"
    ),
    Refusal(
      "a page",
      "products.json",
      Array("<html><body>Down</body></html>".utf8),
      "malformed-file: line 1: the document is no property list: write <plist><array>…</array></plist>"
    ),
    Refusal(
      "a page that is no XML",
      "",
      Array("<!doctype html><p>Down<br></p>".utf8),
      "malformed-file: line 1: the XML is not well-formed (StartTag: invalid element name): correct the XML"
    ),
    Refusal(
      "XML nested deeply",
      "",
      Array((String(repeating: "<array>", count: 100_000)).utf8),
      "malformed-file: line 1: elements are nested more than 64 deep: nest them less"
    ),
    Refusal(
      "entities that grow",
      "",
      Array(
        "<!DOCTYPE plist [<!ENTITY a \"aa\"><!ENTITY b \"&a;&a;\">]><plist><array><string>&b;</string></array></plist>"
          .utf8
      ),
      "malformed-file: line 1: the document type declares entities or elements: remove what stands between [ and ], and write the characters themselves"
    ),
    Refusal(
      "UTF-16",
      "",
      [0xFF, 0xFE, 0x5B, 0, 0x5D, 0],
      "malformed-file: line 1: the file is UTF-16: save it as UTF-8"
    ),
    Refusal(
      "no UTF-8",
      "",
      [0x5B, 0x22, 0xFF, 0x22, 0x5D],
      "malformed-file: line 1, column 3: the text is not UTF-8: correct the JSON"
    ),
    Refusal(
      "another format",
      "products.csv",
      Array("id,price\n".utf8),
      "unknown-format: the list is neither JSON nor a property list: give one of them, or name it .txt if it has an identifier a line"
    ),
    Refusal(
      "text that is none",
      "products",
      Array("OK".utf8),
      "unknown-format: the list is neither JSON nor a property list: give one of them, or name it .txt if it has an identifier a line"
    ),
    Refusal(
      "no text",
      "a.txt",
      [0x61, 0x62, 0],
      "malformed-file: the list has a NUL: save it as UTF-8"
    ),
    Refusal(
      "empty text",
      "a.txt",
      [0x20, 0x0A],
      "malformed-file: the text is empty: write an identifier a line, or [] for none"
    ),
    Refusal(
      "too many bytes",
      "",
      [UInt8](repeating: 0x20, count: ProductIdentifierList.maximumByteCount + 1),
      "too-large: the list has more than 8 MB: split it"
    ),
    Refusal(
      "too many entries",
      "",
      Array("[\(String(repeating: "0,", count: 100_000))0]".utf8),
      "too-large: the list has more than 100000 entries: split it"
    ),
  ]

  @Test(arguments: refusals)
  func aListIsRefused(_ row: Refusal) {
    let read = read(row.bytes, name: row.file)
    #expect(read == [row.expected])
  }

  @Test func textIsReadALineEach() {
    let text = "\u{FEFF}# Ours\r\ncom.example.level1\r\n\n\t a # b\nb c\na"
    #expect(
      read(Array(text.utf8), name: "products.TXT") == [
        "com.example.level1", "a", "- line 5: \"b c\" is not a product identifier: \(Self.fix)",
        "- line 6: \"a\" stands twice: remove one of them",
      ]
    )
  }

  @Test func aFileIsReadAndNamed() throws {
    let folder = try ScratchFolder()
    let path = try folder.write("list.json", Array(#"["a", ""]"#.utf8))
    let list = try ProductIdentifierList(path: path)
    #expect(list.identifiers == ["a"])
    #expect(list.setAside.map(\.place) == ["\(path), entry 2"])
    let missing = "\(folder.path)/none.json"
    #expect {
      try ProductIdentifierList(path: missing)
    } throws: {
      "\($0)"
        == "\(missing): the file cannot be read: No such file or directory: correct the path"
    }
    #expect(throws: CatalogError.self) { try ProductIdentifierList(path: folder.path) }
    #expect(throws: CatalogError.self) { try ProductIdentifierList(path: "/dev/zero") }
  }

  @Test func aListIsPublishedInBothVersions() throws {
    let list = try ProductIdentifierList(
      Array(#"{"Products": ["a"], "Subscriptions": [{"Group": "v\"i\u202ep", "Products": ["b"]}]}"#.utf8)
    )
    #expect(
      list.json() == """
        {
          "version": 1,
          "productIdentifiers": [
            "a",
            "b"
          ]
        }

        """
    )
    #expect(
      list.json(version: .products) == """
        {
          "version": 2,
          "products": [
            {"productIdentifier": "a"},
            {"productIdentifier": "b", "subscriptionGroup": "v\\"i\u{202E}p"}
          ]
        }

        """
    )
    for version in ProductIdentifierList.JSONVersion.allCases {
      let again = try ProductIdentifierList(Array(list.json(version: version).utf8))
      #expect(again.identifiers == list.identifiers)
      #expect(again.subscriptionGroups == (version == .products ? list.subscriptionGroups : [:]))
    }
    let none = ProductIdentifierList(identifiers: [])
    #expect(try ProductIdentifierList(Array(none.json(version: .products).utf8)) == none)
    #expect(none.json() == "{\n  \"version\": 1,\n  \"productIdentifiers\": []\n}\n")
  }

  @Test func identifiersAreAList() {
    let list = ProductIdentifierList(identifiers: ["a", "b", "a", "../c"])
    #expect(list.identifiers == ["a", "b"])
    #expect(list.setAside.map(\.place) == ["entry 3", "entry 4"])
  }
}
