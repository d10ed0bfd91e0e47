import Foundation
import PriceTag
import PriceTagStrings
import Testing

/// Tests the messages of a shop's own.
@Suite struct ShopStringsTests {
  static let english = #"""
    {"shipping": {"defaultMessage": "Ships from {price}", "description": "Below a price."},
     "stock": "{count, plural, one {# car left} other {# cars left}}", "thanks": "Thank you"}
    """#
  static let files = [
    "en-US.json": english,
    "de.json":
      #"{"shipping": "Versand ab {price}", "stock": "{count, plural, one {Noch # Auto} other {Noch # Autos}}"}"#,
    "fr-FR.json": #"{"thanks": "Merci"}"#, "fr-CA.json": #"{"shipping": "Livraison dès {price}"}"#,
  ]

  static let fallbacks: [(key: String, language: String, text: String, from: String)] = [
    ("shipping", "de", "Versand ab $4.99", "de"), ("shipping", "de-AT", "Versand ab $4.99", "de"),
    ("shipping", "fr-CA", "Livraison dès $4.99", "fr-CA"), ("thanks", "fr-CA", "Merci", "fr-FR"),
    ("shipping", "fr-FR", "Ships from $4.99", "en-US"), ("thanks", "de", "Thank you", "en-US"),
    // No language of the folder is close.
    ("shipping", "ja", "Ships from $4.99", "en-US"), ("shipping", "en-GB", "Ships from $4.99", "en-US"),
    ("thanks", "en-XA", "[Ţĥåñķ ýöû one]", "en-XA"),
  ]

  @Test(arguments: fallbacks)
  func findsMessage(key: String, language: String, text: String, from: String) throws {
    let strings = try ShopStrings(Self.files)
    let price = try PriceFormatter(storefront: Storefront("USA")).format("4.99")
    let arguments: MessageArguments = key == "shipping" ? ["price": .price(price)] : [:]
    let message = try strings.format(key, in: UILanguage(language), arguments)
    #expect(message.plain == text)
    #expect(message.language.identifier == from)
  }

  @Test func formatsCounts() throws {
    let strings = try ShopStrings(Self.files)
    let german = try UILanguage("de")
    #expect(try strings.format("stock", in: german, ["count": .count(of: 1)]).plain == "Noch 1 Auto")
    #expect(try strings.format("stock", in: german, ["count": .count(of: 3)]).plain == "Noch 3 Autos")
    #expect(strings.keys == ["shipping", "stock", "thanks"])
    #expect(strings.languages.map(\.identifier) == ["de", "en-US", "fr-CA", "fr-FR"])
    #expect(StoreStrings.embedded.own == nil)
    #expect(StoreStrings.embedded.adding(strings).own?.keys == strings.keys)
  }

  static let invalid: [(name: String, text: String, error: String)] = [
    (
      "german.json", "{}",
      "\"german.json\" is not named after a language; rename it to a canonical BCP 47 tag, such as fr-CA.json, or remove it"
    ),
    ("DE.json", "{}", "\"DE.json\" is not named after a language"),
    ("notes.txt", "", "\"notes.txt\" is not named after a language"),
    ("de.json", #"{"shiping": "Versand"}"#, "did you mean \"shipping\"?"),
    ("de.json", #"{"shipping": "Versand"}"#, "the argument \"price\" is missing in the message \"shipping\""),
    ("de.json", #"{"thanks": "Danke {name}"}"#, "has no argument \"name\" in en-US"),
    ("de.json", "{", "de.json, line 1, column 2: expected the name of a field, but the text ends"),
    (
      "en-US.json", #"{"cart.title": "Cart"}"#,
      "en-US.json: the key \"cart.title\" is no name for templates; use letters, digits, _ and - only"
    ),
    ("en-US.json", #"{"a": "{p, number, currency}"}"#, "currency formats are not supported in messages"),
  ]

  @Test(arguments: invalid)
  func rejectsInvalidFile(name: String, text: String, error: String) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "own-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(Self.english.utf8).write(to: folder.appending(path: "en-US.json"))
    #expect(throws: Never.self) { try ShopStrings(folder: folder.path) }
    try Data("x".utf8).write(to: folder.appending(path: ".hidden"))
    try Data(text.utf8).write(to: folder.appending(path: name))
    let thrown = #expect(throws: StringsError.self) { try ShopStrings(folder: folder.path) }
    #expect(thrown?.description.contains(error) == true, "\(thrown?.description ?? "")")
    #expect(thrown?.description.contains(folder.path) == true)
  }

  @Test func requiresDevelopmentLanguage() throws {
    let error = #expect(throws: StringsError.self) { try ShopStrings(["de.json": "{}"]) }
    #expect(error?.description.hasPrefix("the file en-US.json is missing") == true)
    let missing = #expect(throws: StringsError.self) { try ShopStrings(folder: "/nonexistent") }
    #expect(missing?.description == "/nonexistent: cannot read the folder; check the path")
  }
}
