import CatalogSamples
import Foundation
import PriceTag
import Testing

@testable import PriceTagCatalog
@testable import PriceTagCatalogFormats

/// Returns the identifiers of a list with their groups, and its rejects; or the error.
private func read(_ bytes: [UInt8], name: String = "") -> [String] {
  do throws(CatalogError) {
    let list = try ProductIdentifierList(bytes, name: name)
    return list.identifiers.map { $0 + (list.subscriptionGroups[$0].map { " (\($0))" } ?? "") }
      + list.rejects.map { "- \($0)" }
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
    ("an empty array", "[]", []),
    ("a byte order mark", "\u{FEFF}[\"a\"]", ["a"]),
    (
      "an array with invalid entries", #"["a", "", " b", 5, null, true, ["c"], {}, "a", "d"]"#,
      [
        "a", "d",
        "- entry 2: the product identifier is empty; \(fix)",
        "- entry 3: \" b\" is not a product identifier; \(fix)",
        "- entry 4: the entry must be a product identifier, not the number 5; \(give)",
        "- entry 5: the entry must be a product identifier, not null; \(give)",
        "- entry 6: the entry must be a product identifier, not a boolean; \(give)",
        "- entry 7: the entry must be a product identifier, not an array; \(give)",
        "- line 1, entry 8: the field \"productIdentifier\" is missing; \(give)",
        "- entry 9: \"a\" appears twice; remove one",
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
      "every field name for an identifier",
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
      "a newer version with unknown product fields",
      #"{"version": 3, "products": [{"name": "a"}], "productIdentifiers": ["a"]}"#, ["a"]
    ),
    (
      "a newer version without products",
      #"{"version": 3, "products": [], "productIdentifiers": ["a"]}"#, ["a"]
    ),
    ("a newer version with an empty list", #"{"version": 3, "products": []}"#, []),
    ("a version that is not a number", #"{"version": "3.1", "productIdentifiers": ["a"]}"#, ["a"]),
    ("a version out of range", #"{"version": 99999999999999999999, "productIdentifiers": ["a"]}"#, ["a"]),
    (
      "a Unity catalog",
      "{\"appleSKU\": \"\", \"products\": [\n {\"id\": \"coffee\", \"type\": 1, \"storeIDs\": [{\"store\": \"x\", \"id\": \"y\"}]},\n {\"id\": \"\"}]}",
      ["coffee", "- line 3, products, entry 2: the product identifier is empty; \(fix)"]
    ),
    (
      "an entry of another type in products", "{\"products\": [\n{\"id\": 5}]}",
      ["- line 2, products, entry 1: the field \"id\" must be a string, not the number 5; \(give)"]
    ),
    (
      "StoreHelper's keys in JSON",
      #"{"Products": ["a"], "Subscriptions": [{"Group": "vip", "Products": ["b", "a"]}]}"#,
      ["a", "b (vip)", "- Subscriptions, entry 1, Products, entry 2: \"a\" appears twice; remove one"]
    ),
  ]

  private static let fix =
    #"use 1 to 255 letters, digits, ".", "_", "-" or ":", starting with a letter or digit"#
  private static let give = "write a product identifier as a string"

  @Test(arguments: lists)
  func readsList(name: String, text: String, expected: [String]) {
    #expect(read(Array(text.utf8)) == expected)
  }

  static let propertyLists: [(name: String, body: String, expected: [String])] = [
    ("an array", "<array>\n<string>a</string><!-- b --><string>c</string>\n</array>", ["a", "c"]),
    ("an empty array", "<array/>", []),
    ("a character reference", "<array><string>a&#46;b</string></array>", ["a.b"]),
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
      "incomplete subscriptions",
      """
      <dict><key>Subscriptions</key><array>
      <dict><key>Products</key><array><string>a</string></array></dict>
      <dict><key>Group</key><string>vip</string></dict>
      <string>b</string>
      </array></dict>
      """,
      [
        "a",
        "- line 5, Subscriptions, entry 1: the subscription group has no name; add its name as the string \"Group\" (its products were read without a group)",
        "- line 6, Subscriptions, entry 2: the subscription group must be an object with an array \"Products\"; write an object with Group and Products",
        "- line 7, Subscriptions, entry 3: the subscription group must be an object with an array \"Products\"; write an object with Group and Products",
      ]
    ),
    (
      "entries of other types",
      "<array>\n<integer>5</integer>\n<true/>\n<date>2026-01-01T00:00:00Z</date>\n<string/>\n<dict><key>id</key><string>a</string></dict></array>",
      [
        "a", "- line 5, entry 1: the entry must be a product identifier, not the number 5; \(give)",
        "- line 6, entry 2: the entry must be a product identifier, not <true>; \(give)",
        "- line 7, entry 3: the entry must be a product identifier, not <date>; \(give)",
        "- line 8, entry 4: the product identifier is empty; \(fix)",
      ]
    ),
    (
      "a key twice", "<dict><key>Products</key><array/>\n<key>Products</key><array/></dict>",
      ["malformed-file: line 5: the key \"Products\" appears twice; remove one"]
    ),
    (
      "a key without a value", "<dict>\n<key>Products</key></dict>",
      ["malformed-file: line 5: the key \"Products\" has no value; add a value after each <key>"]
    ),
    (
      "a value without a key", "<dict><array/></dict>",
      ["malformed-file: line 4: <array> has no <key>; add a <key> before each value"]
    ),
    (
      "an unknown element", "<array><foo/></array>",
      ["malformed-file: line 4: <foo> is not a property list value; write a <string>"]
    ),
    (
      "an empty list", "",
      ["malformed-file: line 3: the property list is empty; add an <array> of <string> elements"]
    ),
    (
      "two values", "<array/><array/>",
      ["malformed-file: line 4: <plist> contains more than one value; remove <array>"]
    ),
    (
      "text outside a value", "<array>a</array>",
      ["malformed-file: line 4: text is not allowed outside a value; write it in a <string>"]
    ),
    (
      "a tag inside text", "<array><string>a<b/></string></array>",
      ["malformed-file: line 4: <b> is not allowed inside text; remove it"]
    ),
    (
      "a string", "<string>a</string>",
      [
        "malformed-file: the list must be an array or an object, not a string; write an array of product identifiers"
      ]
    ),
    (
      "a string instead of an array", "<dict>\n<key>Products</key><string>a</string></dict>",
      ["invalid-field: line 5: the field \"Products\" must be an array, not a string; \(array)"]
    ),
    (
      "an undeclared entity", "<array><string>&a;</string></array>",
      ["malformed-file: line 4: the XML is not well-formed (Entity 'a' not defined); correct the XML"]
    ),
  ]

  private static let array = "write an array of product identifiers"

  @Test(arguments: propertyLists)
  func readsPropertyList(name: String, body: String, expected: [String]) {
    #expect(read(Array(plist(body).utf8), name: "products.plist") == expected)
  }

  static let invalidLists: [ListCase] = [
    ListCase(
      "an object without a list",
      Array(#"{"error": "down"}"#.utf8),
      "malformed-file: line 1: the object has neither \"productIdentifiers\" nor \"products\"; add one of them, or write an array of product identifiers"
    ),
    ListCase(
      "a string instead of an array",
      Array(#"{"productIdentifiers": "a"}"#.utf8),
      "invalid-field: line 1: the field \"productIdentifiers\" must be an array, not a string; \(array)"
    ),
    ListCase(
      "a newer version without identifiers",
      Array("\n{\"version\": 3, \"products\": [{\"name\": \"a\"}]}".utf8),
      "unknown-version: line 2: version 3 of the list is unknown, and no known field has identifiers; fetch products_v2.json, or read the list with a later version of PriceTag"
    ),
    ListCase(
      "truncated JSON",
      Array("[\"a\",\n\"b".utf8),
      "malformed-file: line 2, column 3: expected the end of a string, but the text ends; correct the JSON"
    ),
    ListCase(
      "an empty file",
      [],
      "malformed-file: line 1, column 1: expected a value, but the text ends; correct the JSON",
      file: "products.json"
    ),
    ListCase(
      "JSON nested deeply",
      Array(String(repeating: "[", count: 100_000).utf8),
      "malformed-file: line 1, column 33: values are nested more than 32 deep; correct the JSON"
    ),
    ListCase(
      "a web page",
      Array("<html><body>Down</body></html>".utf8),
      "malformed-file: line 1: the document is not a property list; write <plist><array>…</array></plist>",
      file: "products.json"
    ),
    ListCase(
      "a page that is not XML",
      Array("<!doctype html><p>Down<br></p>".utf8),
      "malformed-file: line 1: the XML is not well-formed (StartTag: invalid element name); correct the XML"
    ),
    ListCase(
      "XML nested deeply",
      Array((String(repeating: "<array>", count: 100_000)).utf8),
      "malformed-file: line 1: elements are nested more than 64 deep; nest them less"
    ),
    ListCase(
      "an entity bomb",
      Array(
        "<!DOCTYPE plist [<!ENTITY a \"aa\"><!ENTITY b \"&a;&a;\">]><plist><array><string>&b;</string></array></plist>"
          .utf8
      ),
      "malformed-file: line 1: the document type declares entities or elements; remove everything from [ to ], and write the characters themselves"
    ),
    ListCase(
      "UTF-16",
      [0xFF, 0xFE, 0x5B, 0, 0x5D, 0],
      "malformed-file: line 1: the file is UTF-16; save it as UTF-8"
    ),
    ListCase(
      "invalid UTF-8",
      [0x5B, 0x22, 0xFF, 0x22, 0x5D],
      "malformed-file: line 1, column 3: the text is not UTF-8; correct the JSON"
    ),
    ListCase(
      "another format",
      Array("id,price\n".utf8),
      "unknown-format: the file has an unknown format; use JSON or a property list, or the extension .txt for one identifier per line",
      file: "products.csv"
    ),
    ListCase(
      "text without an extension",
      Array("OK".utf8),
      "unknown-format: the file has an unknown format; use JSON or a property list, or the extension .txt for one identifier per line",
      file: "products"
    ),
    ListCase(
      "binary data",
      [0x61, 0x62, 0],
      "malformed-file: the list contains a NUL character (U+0000); save it as UTF-8",
      file: "a.txt"
    ),
    ListCase(
      "empty text",
      [0x20, 0x0A],
      "malformed-file: the file is empty; write one identifier per line, or [] for an empty list",
      file: "a.txt"
    ),
    ListCase(
      "too many bytes",
      [UInt8](repeating: 0x20, count: ProductIdentifierList.maximumByteCount + 1),
      "too-large: the list is larger than 8 MB; split it"
    ),
    ListCase(
      "too many entries",
      Array("[\(String(repeating: "0,", count: 100_000))0]".utf8),
      "too-large: the list has more than 100000 entries; split it"
    ),
  ]

  @Test(arguments: invalidLists)
  func rejectsInvalidList(_ list: ListCase) {
    let found = read(list.bytes, name: list.file)
    #expect(found == list.expected)
  }

  @Test func readsTextLines() {
    let text = "\u{FEFF}# Ours\r\ncom.example.level1\r\n\n\t a # b\nb c\na"
    #expect(
      read(Array(text.utf8), name: "products.TXT") == [
        "com.example.level1", "a", "- line 5: \"b c\" is not a product identifier; \(Self.fix)",
        "- line 6: \"a\" appears twice; remove one",
      ]
    )
  }

  @Test func readsFileAndNamesItInErrors() throws {
    let folder = try ScratchFolder()
    let path = try folder.write("list.json", Array(#"["a", ""]"#.utf8))
    let list = try ProductIdentifierList(path: path)
    #expect(list.identifiers == ["a"])
    #expect(list.rejects.map(\.place) == ["\(path), entry 2"])
    let missing = "\(folder.path)/none.json"
    #expect {
      try ProductIdentifierList(path: missing)
    } throws: {
      "\($0)"
        == "\(missing): cannot read the file: No such file or directory; check the path"
    }
    #expect(throws: CatalogError.self) { try ProductIdentifierList(path: folder.path) }
    #expect(throws: CatalogError.self) { try ProductIdentifierList(path: "/dev/zero") }
  }

  @Test func writesBothVersions() throws {
    let list = try ProductIdentifierList(
      Array(#"{"Products": ["a"], "Subscriptions": [{"Group": "v\"i\u202ep", "Products": ["b"]}]}"#.utf8)
    )
    #expect(
      String(decoding: list.json(), as: UTF8.self) == """
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
      String(decoding: list.json(version: .products), as: UTF8.self) == """
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
      let again = try ProductIdentifierList(list.json(version: version))
      #expect(again.identifiers == list.identifiers)
      #expect(again.subscriptionGroups == (version == .products ? list.subscriptionGroups : [:]))
    }
    let none = ProductIdentifierList(identifiers: [])
    #expect(try ProductIdentifierList(none.json(version: .products)) == none)
    #expect(none.json() == Array("{\n  \"version\": 1,\n  \"productIdentifiers\": []\n}\n".utf8))
  }

  @Test func createsListFromIdentifiers() {
    let list = ProductIdentifierList(identifiers: ["a", "b", "a", "../c"])
    #expect(list.identifiers == ["a", "b"])
    #expect(list.rejects.map(\.place) == ["entry 3", "entry 4"])
  }
}
