import Foundation
import PriceTag
import Testing

@testable import PriceTagPages

/// Tests of the Content-Security-Policy that templates need.
@Suite struct ContentSecurityPolicyTests {
  /// Test vectors of FIPS 180-4, and a text with a length of three bytes in bits, hashed by OpenSSL.
  static let hashes: [(text: String, hash: String)] = [
    ("", "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="),
    ("abc", "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "JI1qYdIGOLjlwCaTDD5gOaM85Flk/yFn9uzt1BnbBsE="
    ),
    (String(repeating: "a", count: 10_000), "J90fYbhntqD26dikHEMjHeUhB+U65CTej4R7gh20txE="),
  ]

  @Test(arguments: hashes) func hashesText(_ row: (text: String, hash: String)) {
    #expect(ContentSecurityPolicy.hashSource(of: row.text) == "'sha256-\(row.hash)'")
  }

  @Test func embeddedTemplatesNeedNoExceptions() throws {
    let policy = StorePages(shop: try Shop()).contentSecurityPolicy
    #expect(
      policy
        == "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' https: http: data:; media-src 'self' https: http: data:; font-src 'self' https: data:; connect-src 'self' https:; frame-src 'self'; object-src 'none'; base-uri 'self'; frame-ancestors 'self'; form-action 'self'"
    )
    // Only the shop's own files are read for the policy.
    let texts = PageTemplates.embeddedTexts
    let read = ContentSecurityPolicy(
      templates: texts.filter { $0.key.hasSuffix(PageTemplates.ending) },
      styleSheet: texts["store.css"] ?? ""
    )
    #expect(read.value(checkout: nil) == policy)
    #expect(read.blocked == [])
  }

  /// The policy of a shop's templates has what its files need.
  @Test func readsFilesOfTheShop() throws {
    let templates = try PageTemplates([
      "footer.mustache": "<script>alert(1)</script>\n<p style='color:red'>",
      "store.css": "@import url(https://fonts.example/a.css);",
    ])
    let policy = StorePages(shop: try Shop(), templates: templates).contentSecurityPolicy
    #expect(policy.contains("'wasm-unsafe-eval' \(Self.alert); style-src 'self' https://fonts.example;"))
    #expect(templates.blockedByPolicy == ["footer.mustache, line 2: the attribute style of <p>"])
  }

  typealias Template = (name: String, text: String, scripts: String, styles: String, blocked: [String])

  private static let alert = "'sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI='"

  static let templates: [Template] = [
    ("an inline script", "<script>alert(1)</script>", alert, "", []),
    ("in uppercase, with a type", "<SCRIPT TYPE='text/javascript' >alert(1)</Script >", alert, "", []),
    ("a module", "<script type=module>alert(1)</script>", alert, "", []),
    ("data", #"<script type="application/json">{"a":1}</script>"#, "", "", []),
    (
      "Windows line ends", "<script>a\r\nb\rc</script>", ContentSecurityPolicy.hashSource(of: "a\nb\nc"),
      "", []
    ),
    ("an inline style", "<style>alert(1)</style>", "", alert, []),
    (
      "other hosts",
      #"<script src="https://cdn.example/a.js" defer></script><link rel="preload stylesheet" href='//fonts.example/b.css'>"#,
      "https://cdn.example", "https://fonts.example", []
    ),
    ("its own files", "<script src=mine.js></script><link rel=stylesheet href=mine.css>", "", "", []),
    ("in comments", "<!-- <script>alert(1)</script> -->{{! <script>alert(2)</script> }}", "", "", []),
    ("a quotation mark in a value", #"<a title="<script>">x</a>"#, "", "", []),
    (
      "a value in a script", "\n<script>let a = '{{lang}}'</script>", "", "",
      ["footer.mustache, line 2: a <script> that contains a {{tag}}"]
    ),
    (
      "attributes", "<p\n style='color:red' onclick=\"a()\">{{> header}}<b {{#logo}}onload=x{{/logo}}></b>",
      "", "",
      [
        "footer.mustache, line 1: the attribute style of <p>",
        "footer.mustache, line 1: the attribute onclick of <p>",
        "footer.mustache, line 2: the attribute onload of <b>",
      ]
    ),
    (
      "markup in a script", "<script>a('<p onclick=b></style>')</script><b style=c>",
      ContentSecurityPolicy.hashSource(of: "a('<p onclick=b></style>')"), "",
      ["footer.mustache, line 1: the attribute style of <b>"]
    ),
    (
      "tags in a tag", "<a href='{{buyHref}}' title={{name}} {{! > }} onclick=b>\n<style>alert(1)</STYLE>",
      "", alert,
      ["footer.mustache, line 1: the attribute onclick of <a>"]
    ),
    ("no end", "<script>alert(1)", alert, "", []),
    ("half a tag", "<p class=", "", "", []),
  ]

  @Test(arguments: templates) func allowsPartsOfTemplates(_ row: Template) throws {
    let policy = ContentSecurityPolicy(templates: ["footer.mustache": row.text], styleSheet: "")
    func sources(_ name: String) -> String? {
      policy.value(checkout: nil).split(separator: "; ").first { $0.hasPrefix("\(name) ") }.map {
        String($0.dropFirst(name.count + 1))
      }
    }
    let scripts = "'self' 'wasm-unsafe-eval'" + (row.scripts.isEmpty ? "" : " \(row.scripts)")
    #expect(sources("script-src") == scripts, "\(row.name)")
    #expect(sources("style-src") == "'self'" + (row.styles.isEmpty ? "" : " \(row.styles)"), "\(row.name)")
    #expect(policy.blocked == row.blocked, "\(row.name)")
    // An HTTP field value is one line of ASCII.
    #expect(policy.value(checkout: nil).utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F })
  }

  typealias Form = (name: String, template: String, checkout: String?, targets: String)

  static let forms: [Form] = [
    ("no form", "<p>", nil, ""),
    (
      "links to a checkout", "<a href='{{buyHref}}'>", "https://pay.example/buy?p={product}",
      "https://pay.example"
    ),
    ("a checkout with a port", "", "http://Pay.example:8443/{storefront}/", "http://pay.example:8443"),
    ("a form of the site", "<form action='/buy' method=post>", nil, ""),
    ("a form of another site", "<FORM action='//cart.example/add'>", nil, "https://cart.example"),
    (
      "a button, and a checkout", "<button formaction=https://cart.example/add>", "https://pay.example/",
      "https://cart.example https://pay.example"
    ),
  ]

  @Test(arguments: forms) func allowsTargetsOfForms(_ row: Form) throws {
    let policy = ContentSecurityPolicy(templates: ["footer.mustache": row.template], styleSheet: "")
    let value = policy.value(checkout: try Shop(checkout: row.checkout).checkout)
    let targets = "form-action 'self'" + (row.targets.isEmpty ? "" : " \(row.targets)")
    #expect(value.hasSuffix("; frame-ancestors 'self'; \(targets)"), "\(row.name)")
  }

  @Test func allowsImportsOfStyleSheet() {
    let policy = ContentSecurityPolicy(
      templates: [:],
      styleSheet: "@import url(\"https://fonts.example/css?family=A\");\n@import 'https://b.example/x.css';"
    )
    #expect(policy.value(checkout: nil).contains("style-src 'self' https://b.example https://fonts.example;"))
  }

  // MARK: Links in the shop's own files

  @Test func rejectsLinkOutsideFolder() throws {
    let folder = try TemporaryFolder()
    try folder.write("secret", to: "secret.txt")
    let assets = "\(folder.path)/assets"
    try folder.write("a", to: "assets/a.txt")
    try folder.write("b", to: "assets/images/b.txt")
    try folder.link("assets/images/same.txt", to: "../a.txt")
    let paths = ["a.txt", "images/b.txt", "images/same.txt"]
    #expect(try SiteAssets(folder: assets).all.map(\.path) == paths)
    for target in ["../secret.txt", "/etc/passwd", "..", "/"] {
      try folder.link("assets/out", to: target)
      try expectError(.invalidShop, "the symbolic link \"out\" points outside the folder") {
        try SiteAssets(folder: assets)
      }
      try FileManager.default.removeItem(atPath: "\(assets)/out")
    }
    // The folder itself may be a symbolic link.
    try folder.link("current", to: assets)
    #expect(try SiteAssets(folder: "\(folder.path)/current").all.count == 3)
  }
}
