import PriceTag
import PriceTagStrings
import Testing

@testable import PriceTagPages

/// Tests of custom templates and of errors in them.
@Suite struct TemplateTests {
  @Test(
    arguments: [
      ("a { b: c; } /* d */\ne { f: g; }", "a { b: c; }\ne { f: g; }"), ("/* a\n b */\nc {}", "\nc {}"),
      ("a { /* b */ c: d; }", "a { c: d; }"), ("a {} /* b", "a {} /* b"), ("", ""),
      ("a::before { content: \"x\" / \"\"; }", "a::before { content: \"x\" / \"\"; }"),
    ]
  ) func removesCommentsOfStyleSheet(_ text: String, _ expected: String) {
    #expect(PageTemplates.withoutComments(text) == expected)
  }

  /// The embedded style sheet is served without comments, and a shop's own as it is.
  @Test func servesStyleSheets() throws {
    let embedded = PageTemplates.embedded.text(of: .styleSheet)
    #expect(!embedded.contains("/*") && !embedded.contains("*/") && embedded.contains(".gallery {"))
    let folder = try TemporaryFolder()
    let own = "/* mine */ body { color: red; }\n"
    try folder.write(own, to: "store.css")
    #expect(try PageTemplates(folder: folder.path).text(of: .styleSheet).hasSuffix(own))
  }

  @Test func embeddedTemplatesAreValid() throws {
    let names = PageTemplates.embeddedTexts.keys
    #expect(names.contains("store.mustache") && names.contains("store.css") && names.contains("store.js"))
    #expect(names.count == 25)
    // The embedded files must also be valid as a custom folder.
    let folder = try TemporaryFolder()
    for (name, text) in PageTemplates.embeddedTexts { try folder.write(text, to: name) }
    _ = try PageTemplates(folder: folder.path)
  }

  static let invalid: [(name: String, text: String, error: String)] = [
    ("store.mustache", "a\n{{title", "store.mustache, line 2: a tag is not closed; close it with }}"),
    (
      "store.mustache", "{{#products}}",
      "store.mustache, line 1: the section {{#products}} is not closed; close it with {{/products}}"
    ),
    (
      "store.mustache", "a\n\n{{#products}}{{/categories}}",
      "store.mustache, line 3: {{/categories}} closes {{#products}} of line 3; write {{/products}} before it"
    ),
    (
      "store.mustache", "{{tilte}}",
      #"unknown name "tilte"; use a name from the embedded templates (did you mean "title"?)"#
    ),
    (
      "store.mustache", "\n{{> hed}}",
      #"store.mustache, line 2: unknown template "hed"; use one of"#
    ),
    ("store.mustache", "{{> hed}}", "(did you mean \"head\"?)"),
    ("store.mustache", "{{> mine}}", "or add mine.mustache"),
    ("head.mustache", "{{> head}}", "head.mustache: the file includes itself: head.mustache, head.mustache"),
    (
      "head.mustache", "{{> card}}{{> store}}",
      "the file includes itself: head.mustache, store.mustache, head.mustache"
    ),
    ("store.mustache", "{{words.bye}}", #"unknown message "bye" without arguments"#),
    ("store.mustache", "{{words.buy_for_price}}", #"unknown message "buy_for_price" without arguments"#),
    ("store.mustache", "{{=<% %>=}}", "the tag {{= is not supported"),
    ("store.mustache", "{{<head}}{{$a}}{{/a}}{{/head}}", "the tag {{< is not supported"),
    ("store.mustache", "{{>*title}}", "the tag {{* is not supported"),
    (
      "store.mustache", "{{uppercased(title)}}",
      #"unknown transform "uppercased" (prices and UI strings cannot be transformed)"#
    ),
    ("store.mustache", String(repeating: "{{^products}}", count: 100), "more than 50 levels deep"),
    (
      "store.mustache", "{{#languages}}{{#languages}}",
      #"the section "languages" is inside a section of the same name"#
    ),
    (
      "store.mustache", "\n{{#offers}}{{> card}}{{/offers}}",
      #"store.mustache, line 2: the section "offers" is inside"#
    ),
    (
      "store.mustache", String(repeating: "{{> card}}", count: 10_001),
      "includes more than 10000 files"
    ),
    ("store.mustache", "{{/products}}", "{{/products}} closes no section; remove it"),
    ("store.mustache", "{{title}\n{{lang}}", "store.mustache, line 1: a tag is not closed; close it with }}"),
    ("footer.html", "x", "footer.html: no page uses a template of this name; rename it to footer.mustache"),
    (
      "cards.mustache", "x",
      #"cards.mustache: no page uses this template; include it in another one with {{> cards}}, or remove it (did you mean "card.mustache"?)"#
    ),
    ("Footer.mustache", "x", "rename it to footer.mustache"),
    ("store.mustache", "{{}}", "store.mustache, line 1: a tag has no name; write the name of a value"),
    (
      "style.css", "a{}",
      "style.css: no page uses this file; rename it to store.css, or move it to the shop's own files"
    ),
  ]

  @Test(arguments: invalid)
  func rejectsInvalidTemplateWithPlace(name: String, text: String, error: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(text, to: name)
    let thrown = try #require(throws: PagesError.self) { try PageTemplates(folder: folder.path) }
    #expect(thrown.code == .invalidTemplate)
    #expect(thrown.description.contains(error), "\(thrown)")
    #expect(thrown.description.hasPrefix(folder.path))
  }

  /// Values are always escaped. Mustache's own escaping would miss a quote followed by a combining mark.
  static let values: [(template: String, expected: String)] = [
    ("{{title}}", "\u{2039}&lt;b&gt;&quot;\u{301} &amp; &#39; – store\u{203A}"),
    ("{{{title}}}", "\u{2039}&lt;b&gt;&quot;\u{301} &amp; &#39; – store\u{203A}"),
    ("{{&title}}", "\u{2039}&lt;b&gt;&quot;\u{301} &amp; &#39; – store\u{203A}"),
    ("{{#products}}x{{/products}}{{^notice}}open{{/notice}}", "\u{2039}open\u{203A}"),
    ("\n  {{> mine}}", "\u{2039}\nmine: USA\u{203A}"),
    (
      "{{lang}} {{dir}} {{words.language}} {{storefront.name}}",
      "\u{2039}de ltr Sprache Vereinigte Staaten\u{203A}"
    ),
    ("{{#languages}}{{lang}}{{^last()}}, {{/last()}}{{/languages}}", "\u{2039}en-US, de\u{203A}"),
    // A plan has no description and does not inherit the page's.
    (
      "{{#comparisons}}{{#plans}}{{id}}{{#description}}!{{/description}} {{/plans}}{{/comparisons}}",
      "\u{2039}monthly yearly \u{203A}"
    ),
  ]

  @Test(arguments: values)
  func writesValues(template: String, expected: String) throws {
    let folder = try TemporaryFolder()
    try folder.write("\u{2039}\(template)\u{203A}", to: "store.mustache")
    if template.contains("{{> mine}}") { try folder.write("mine: {{storefront.id}}", to: "mine.mustache") }
    let pages = StorePages(
      shop: try Shop(name: "<b>\"\u{301} & ' – store", checkout: nil),
      templates: try PageTemplates(folder: folder.path)
    )
    let store = try PageShop().store("USA", "de", languages: ["de", "en-US"])
    let page = try pages.storePage(store).replacing(" – Vereinigte Staaten", with: "")
    #expect(page == expected)
  }

  /// 40 files that each include the next one twice, and a chain of 1000 files: an immediate error.
  @Test func limitsIncludedFiles() throws {
    var doubling: [String: String] = ["p40.mustache": "x"]
    var chain: [String: String] = ["q1000.mustache": "x"]
    for number in 0..<40 { doubling["p\(number).mustache"] = "{{> p\(number + 1)}}{{> p\(number + 1)}}" }
    for number in 0..<1000 { chain["q\(number).mustache"] = "{{> q\(number + 1)}}" }
    for (texts, error) in [(doubling, "more than 10000 files"), (chain, "more than 50 levels deep")] {
      try expectError(.invalidTemplate, error) { try PageTemplates(texts) }
    }
  }

  @Test func rejectsMissingFolder() throws {
    try expectError(.unreadableFile, #"cannot read the folder "/nonexistent"; check the path"#) {
      try PageTemplates(folder: "/nonexistent")
    }
  }
}
