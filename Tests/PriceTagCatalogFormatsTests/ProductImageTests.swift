import PriceTag
import PriceTagCatalog
import Testing

@testable import PriceTagCatalogFormats

/// Tests of reading and writing the pictures and the related products of a product.
@Suite struct ProductImageTests {
  private static func imported(_ fields: String) -> Imported {
    Imported(.jsonl, #"{"productIdentifier":"a",\#(fields)}"#)
  }

  @Test func readsAllFields() throws {
    let read = Self.imported(
      #""images":[{"src":"car.jpg","width":1600,"height":1200,"alt":{"en":"A car","iw_IL":"מכונית","de":""},"#
        + #""sources":[{"src":"car-400.jpg","width":400}]},{"src":"https://cdn.example/b.jpg"}],"related":["b","c.d"]"#
    )
    #expect(read.rejects == [] && read.failure == nil)
    let product = try #require(read.products.first)
    #expect(
      product.images == [
        try ProductImage(
          "car.jpg",
          width: 1600,
          height: 1200,
          alternativeTexts: ["en": "A car", "he-IL": "מכונית"],
          sources: [ProductImage.Source("car-400.jpg", width: 400)]
        ),
        try ProductImage("https://cdn.example/b.jpg"),
      ]
    )
    #expect(product.related == ["b", "c.d"])
    #expect(
      CatalogJSONWriter().text(of: product)
        == #"{"productIdentifier":"a","images":[{"src":"car.jpg","width":1600,"height":1200,"alt":{"en":"A car","#
        + #""he-IL":"מכונית"},"sources":[{"src":"car-400.jpg","width":400}]},{"src":"https://cdn.example/b.jpg"}],"#
        + #""related":["b","c.d"]}"#
    )
  }

  private static let many = (0..<1000).map { #"{"src":"\#($0).jpg"}"# }.joined(separator: ",")
  private static let long = (10..<30).map { #"{"src":"\#($0)\#(String(repeating: "a", count: 1999))"}"# }
    .joined(
      separator: ","
    )
  private static let manyRelated = (0..<13).map { #""p\#($0)""# }.joined(separator: ",")

  static let rejected: [(name: String, fields: String, error: String)] = [
    (
      "a script", #""images":[{"src":"javascript:alert(1)"}]"#,
      #"field src: "javascript:alert(1)" is not an image address; use an http or https URL, or a path"#
    ),
    (
      "a script as a source", #""images":[{"src":"a.jpg","sources":[{"src":"data:x","width":4}]}]"#,
      #"field src: "data:x" is not an image address; use an http or https URL, or a path"#
    ),
    (
      "no width", #""images":[{"src":"a.jpg","width":0}]"#,
      "field width: 0 is not an integer from 1 to 100000; write a number in that range"
    ),
    (
      "a negative height", #""images":[{"src":"a.jpg","height":-1}]"#,
      "field height: -1 is not an integer from 1 to 100000; write a number in that range"
    ),
    (
      "a source without a width", #""images":[{"src":"a.jpg","sources":[{"src":"b.jpg"}]}]"#,
      #"field width: the field "width" is missing; add it"#
    ),
    (
      "two sources of one width",
      #""images":[{"src":"a.jpg","sources":[{"src":"b.jpg","width":4},{"src":"c.jpg","width":4}]}]"#,
      #"field sources: two sources of the image "a.jpg" have the width 4; remove one"#
    ),
    (
      "a picture twice", #""images":[{"src":"a.jpg"},{"src":"a.jpg"}]"#,
      #"field images: "a.jpg" appears twice; remove one"#
    ),
    ("too many", #""images":[\#(many)]"#, "field images: the product has 1000 images; use at most 50"),
    (
      "long addresses", #""images":[\#(long)]"#,
      "field images: the addresses of the images have 40020 bytes; use fewer images and sources, or shorter addresses, with at most 32768 bytes"
    ),
    (
      "no address", #""images":[{"width":4}]"#,
      #"field src: the field "src" is missing; add it"#
    ),
    (
      "an address only", #""images":["a.jpg"]"#,
      #"field images: an entry of the field "images" must be an object, not a string; write an object"#
    ),
    (
      "a text without a language", #""images":[{"src":"a.jpg","alt":"A car"}]"#,
      #"field alt: the field "alt" must be an object, not a string; write an object"#
    ),
    (
      "a misspelled field", #""images":[{"src":"a.jpg","source":[]}]"#,
      #"field source: unknown field "source"; remove it (did you mean "sources"?)"#
    ),
    (
      "a malformed identifier", #""related":["b c"]"#,
      #"field related: "b c" is not a product identifier"#
    ),
    (
      "the product itself", #""related":["a"]"#,
      #"field related: the product is related to itself; remove "a""#
    ),
    ("a product twice", #""related":["b","b"]"#, #"field related: "b" appears twice; remove one"#),
    (
      "too many related products", #""related":[\#(manyRelated)]"#,
      "field related: the product has 13 related products; use at most 12"
    ),
  ]

  /// A fault rejects the product, as a fault of its main picture does.
  @Test(arguments: rejected)
  func rejectsFault(name: String, fields: String, error: String) {
    let read = Self.imported(fields)
    #expect(read.products.isEmpty && read.failure == nil && read.rejects.count == 1)
    let reject = read.rejects.first ?? ""
    #expect(reject.hasPrefix(#"product "a", line 1, \#(error)"#), "\(reject)")
  }

  static let cells: [(cell: String, related: [String]?)] = [
    ("b c.d", ["b", "c.d"]), ("none", []), ("", nil), ("b", ["b"]),
  ]

  /// A cell of a CSV file has the identifiers of related products, separated by spaces.
  @Test(arguments: cells) func readsAndWritesCell(cell: String, related: [String]?) throws {
    let read = Imported(.csv, "productIdentifier,related,storefront,amount\na,\(cell),USA,1\n")
    let product = try #require(read.products.first)
    #expect(product.related == related && read.rejects == [])
    let row = CatalogCSVWriter(languages: []).rows(of: product).text
    #expect(row == "a,,,,,,,,,,,,,,\(cell),USA,1.00,USD,,,\n")
  }

  @Test func rejectsInvalidCell() throws {
    let read = Imported(.csv, "productIdentifier,related,storefront,amount\na,b b,USA,1\n")
    #expect(read.rejects == [#"line 2, product "a", column related: "b" appears twice; remove one"#])
    #expect(read.prices(of: "a") == ["USA 1.00 USD"])
  }

  /// CSV has no columns for pictures, and says so.
  @Test func reportsOmittedImages() throws {
    let product = try #require(Self.imported(#""images":[{"src":"a.jpg"},{"src":"b.jpg"}]"#).products.first)
    #expect(
      CatalogCSVWriter(languages: []).rows(of: product).omissions.map(\.description) == [
        #"product "a": CSV does not support images (omitted: 2); export to json or jsonl, which support all data"#
      ]
    )
  }

  /// An import replaces the pictures and the related products, and an empty array removes pictures.
  @Test func importsCombine() throws {
    let catalog = try Catalog()
    func add(_ fields: String) throws -> CatalogProduct? {
      let line = #"{"productIdentifier":"a"\#(fields.isEmpty ? "" : ",")\#(fields)}"#
      try catalog.importFiles([CatalogFile(name: "a.jsonl", bytes: Array(line.utf8))])
      var found: CatalogProduct?
      try catalog.forEachItem { (item) throws(CatalogError) in
        if case .product(let product) = item { found = product }
      }
      return found
    }
    #expect(try add(#""images":[{"src":"a.jpg"}],"related":["b"]"#)?.related == ["b"])
    #expect(try add(#""sortOrder":1"#)?.images?.map(\.address) == ["a.jpg"])
    #expect(try add(#""images":[{"src":"c.jpg"}],"related":[]"#)?.images?.map(\.address) == ["c.jpg"])
    let last = try add(#""images":[]"#)
    #expect(last?.images == nil && last?.related == [])
    #expect(try catalog.verify().damages == 0)
  }
}
