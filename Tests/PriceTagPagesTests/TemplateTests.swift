import PriceTag
import PriceTagPages
import PriceTagStrings
import Testing

/// Templates of a shop's own: what they may do, and what is told of those that are broken.
@Suite struct TemplateTests {
  @Test func theEmbeddedTemplatesAreWhole() throws {
    let names = PageTemplates.embeddedTexts.keys
    #expect(names.contains("store.mustache") && names.contains("store.css") && names.contains("store.js"))
    #expect(names.count == 12)
    // Read again as a shop's own, so that their check is that of all.
    let folder = try TemporaryFolder()
    for (name, text) in PageTemplates.embeddedTexts { try folder.write(text, to: name) }
    _ = try PageTemplates(folder: folder.path)
  }

  static let broken: [(name: String, text: String, error: String)] = [
    ("store.mustache", "a\n{{title", "store.mustache, line 2: a tag is not closed: end it with }}"),
    (
      "store.mustache", "{{#products}}",
      "store.mustache, line 1: the section {{#products}} is not closed: end it with {{/products}}"
    ),
    (
      "store.mustache", "a\n\n{{#products}}{{/categories}}",
      "store.mustache, line 3: {{/categories}} closes {{#products}} of line 3: write {{/products}} before it"
    ),
    (
      "store.mustache", "{{tilte}}",
      #"no page has "tilte": see the embedded templates for the names there are (did you mean title?)"#
    ),
    (
      "store.mustache", "\n{{> hed}}",
      #"store.mustache, line 2: there is no template "hed" to include: give one of"#
    ),
    ("store.mustache", "{{> hed}}", "(did you mean head?)"),
    ("store.mustache", "{{> mine}}", "or add mine.mustache"),
    ("head.mustache", "{{> head}}", "head.mustache: it includes itself: head.mustache, head.mustache"),
    (
      "head.mustache", "{{> card}}{{> store}}",
      "it includes itself: head.mustache, store.mustache, head.mustache"
    ),
    ("store.mustache", "{{words.bye}}", #"there is no message "bye" without arguments"#),
    ("store.mustache", "{{words.buy_for_price}}", #"there is no message "buy_for_price" without arguments"#),
    ("store.mustache", "{{=<% %>=}}", "a tag {{= is not used here"),
    ("store.mustache", "{{<head}}{{$a}}{{/a}}{{/head}}", "a tag {{< is not used here"),
    ("store.mustache", "{{>*title}}", "a tag {{* is not used here"),
    (
      "store.mustache", "{{uppercased(title)}}",
      #"there is no "uppercased" here: prices and words are written as they are"#
    ),
    ("store.mustache", String(repeating: "{{^products}}", count: 100), "more than 50 deep"),
    (
      "store.mustache", "{{#languages}}{{#languages}}",
      #"a section "languages" stands in one of the same name"#
    ),
    (
      "store.mustache", "\n{{#offers}}{{> card}}{{/offers}}",
      #"store.mustache, line 2: a section "offers" stands in"#
    ),
    (
      "store.mustache", String(repeating: "{{> card}}", count: 10_001),
      "more than 10000 files would be included"
    ),
    ("store.mustache", "{{/products}}", "{{/products}} closes no section: take it out"),
    ("store.mustache", "{{title}\n{{lang}}", "store.mustache, line 1: a tag is not closed: end it with }}"),
    ("footer.html", "x", "footer.html: nothing asks for a template of this name: call it footer.mustache"),
    ("Footer.mustache", "x", "call it footer.mustache"),
    ("store.mustache", "{{}}", "store.mustache, line 1: a tag has no name: name what is to be written"),
    (
      "style.css", "a{}",
      "style.css: no page asks for this file: call it store.css, or put it among the shop's own files"
    ),
  ]

  @Test(arguments: broken)
  func aBrokenTemplateIsToldWithItsPlace(name: String, text: String, error: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(text, to: name)
    let thrown = try #require(throws: PagesError.self) { try PageTemplates(folder: folder.path) }
    #expect(thrown.code == .invalidTemplate)
    #expect(thrown.description.contains(error), "\(thrown)")
    #expect(thrown.description.hasPrefix(folder.path))
  }

  /// Whatever a template does with a name, the name is text: Mustache's own escaping would leave the quote alone that
  /// has an accent.
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
    ("{{#languages}}{{lang}}{{^last()}}, {{/last()}}{{/languages}}", "\u{2039}de, en-US\u{203A}"),
    // A comparison's plan has no picture, and does not get the page's description.
    (
      "{{#comparisons}}{{#plans}}{{id}}{{#description}}!{{/description}} {{/plans}}{{/comparisons}}",
      "\u{2039}monthly yearly \u{203A}"
    ),
  ]

  @Test(arguments: values)
  func aTemplateWritesValues(template: String, expected: String) throws {
    let folder = try TemporaryFolder()
    try folder.write("\u{2039}\(template)\u{203A}", to: "store.mustache")
    try folder.write("mine: {{storefront.id}}", to: "mine.mustache")
    let pages = StorePages(
      shop: try Shop(name: "<b>\"\u{301} & ' – store", checkout: nil),
      templates: try PageTemplates(folder: folder.path)
    )
    let store = try PageShop().store("USA", "de", languages: ["de", "en-US"])
    let page = try pages.storePage(store).replacing(" – Vereinigte Staaten", with: "")
    #expect(page == expected)
  }

  /// Files that include each other twice, forty deep, and a thousand in a row: told at once, not followed.
  @Test func includedFilesHaveAnEnd() throws {
    var doubling: [String: String] = ["p40.mustache": "x"]
    var chain: [String: String] = ["q1000.mustache": "x"]
    for number in 0..<40 { doubling["p\(number).mustache"] = "{{> p\(number + 1)}}{{> p\(number + 1)}}" }
    for number in 0..<1000 { chain["q\(number).mustache"] = "{{> q\(number + 1)}}" }
    for (texts, error) in [(doubling, "more than 10000 files"), (chain, "more than 50 deep")] {
      let thrown = try #require(throws: PagesError.self) { try PageTemplates(texts) }
      #expect(thrown.description.contains(error), "\(thrown)")
    }
  }

  @Test func aFolderThatIsNotThereIsTold() throws {
    let thrown = try #require(throws: PagesError.self) { try PageTemplates(folder: "/nonexistent") }
    #expect(
      thrown.description == #""/nonexistent" is no folder that can be read: give a folder of templates"#
    )
  }
}
