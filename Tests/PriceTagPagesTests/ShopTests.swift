import PriceTag
import PriceTagPages
import Testing

/// What a shop says of itself: its addresses and its colours.
@Suite struct ShopTests {
  // MARK: Colours

  static let colors: [(text: String, expected: String?)] = [
    ("#1d6f42", "#1d6f42"), ("#1D6F42", "#1d6f42"), ("#fff", "#ffffff"), ("#a0F", "#aa00ff"),
    ("", nil), ("#", nil), ("fff", nil), ("#ffff", nil), ("#gggggg", nil), ("#1d6f421", nil),
    ("#1d6f42ff", nil),
    ("#ｆｆｆ", nil), ("#ff\u{301}f", nil), ("red;}body{display:none", nil), ("#12345\u{0}", nil),
  ]

  @Test(arguments: colors)
  func aColorIsWrittenAsInCSS(text: String, expected: String?) {
    #expect((try? Color(text))?.description == expected)
  }

  /// The values that WCAG's own examples and common checkers give, to two digits.
  static let contrasts: [(String, String, Double)] = [
    ("#000", "#fff", 21), ("#fff", "#fff", 1), ("#767676", "#fff", 4.54), ("#777777", "#fff", 4.47),
    ("#ff0000", "#fff", 3.99), ("#0000ff", "#fff", 8.59), ("#ffff00", "#000", 19.55),
  ]

  @Test(arguments: contrasts)
  func contrastIsThatOfWCAG(one: String, other: String, expected: Double) throws {
    let contrast = try Color(one).contrast(on: Color(other))
    #expect(abs(contrast - expected) < 0.01)
    #expect(try Color(other).contrast(on: Color(one)) == contrast)
  }

  @Test(arguments: [Theme.usual.light, Theme.usual.dark])
  func theUsualThemeIsReadable(colors: [Theme.Role: Color]) throws {
    #expect(colors.count == Theme.Role.allCases.count)
    let pairs: [(Theme.Role, Theme.Role)] = [
      (.text, .background), (.text, .surface), (.muted, .background), (.muted, .surface),
      (.accent, .background),
      (.accent, .surface), (.onAccent, .accent),
    ]
    for (role, ground) in pairs {
      #expect(
        try #require(colors[role]).contrast(on: #require(colors[ground])) >= 4.5,
        "\(role) on \(ground)"
      )
    }
  }

  static let badThemes: [(colors: [String: String], error: String)] = [
    (
      ["text": "#999999"],
      "the text #999999 on the background #f7f5f1 has a contrast of 2.61: WCAG's AA asks for 4.5, so take a darker or a lighter one"
    ),
    (["acent": "#000"], "did you mean accent?"),
    (["accent": "blue"], #"accent: "blue" is no colour: write one such as #1d6f42"#),
    (
      ["accent": "#000", "on-accent": "#111"],
      "the on-accent #111111 on the accent #000000 has a contrast of 1.1"
    ),
    (["dark-text": "#000"], "the dark-text #000000 on the dark-background"),
    (["--text": "#000"], "is no colour of a theme"),
  ]

  @Test(arguments: badThemes)
  func aThemeThatCannotBeReadIsRefused(colors: [String: String], error: String) throws {
    let thrown = try #require(throws: PagesError.self) { try Theme(colors) }
    #expect(thrown.code == .invalidTheme)
    #expect(thrown.description.contains(error), "\(thrown)")
  }

  @Test func wordsOnAButtonAreReadable() throws {
    for accent in ["#8a2be2", "#0a7a3a", "#b00020"] {
      let theme = try Theme(["accent": accent])
      #expect(theme.light[.onAccent]?.description == "#ffffff", "\(accent)")
      #expect(theme.css.contains("--accent:\(accent);"))
      #expect(theme.dark == Theme.usual.dark)
    }
    #expect(try Theme(["dark-accent": "#ffcc00"]).dark[.onAccent]?.description == "#000000")
  }

  // MARK: Addresses

  static let addresses: [(name: String?, logo: String?, url: String?, checkout: String?, isGood: Bool)] = [
    ("Shop", "images/logo.svg", "https://shop.example", "https://pay.example/?p={product}", true),
    (nil, "https://cdn.example/logo.png", "http://localhost:8080/a/", nil, true),
    (nil, nil, nil, "https://pay.example/{storefront}/{language}/{product}", true),
    (" ", nil, nil, nil, false),
    (nil, "javascript:alert(1)", nil, nil, false), (nil, "data:image/png;base64,AA", nil, nil, false),
    (nil, "//evil.example/x.png", nil, nil, false), (nil, "", nil, nil, false),
    (nil, nil, "shop.example", nil, false), (nil, nil, "ftp://shop.example/", nil, false),
    (nil, nil, "https://", nil, false), (nil, nil, "https:///x", nil, false),
    (nil, nil, "https://shop.example/?x", nil, false), (nil, nil, "https://a@evil.example/", nil, false),
    (nil, nil, "https://shop.example/\"onload=x", nil, false),
    (nil, nil, "https://shop.example/<x>", nil, false),
    (nil, nil, nil, "javascript:alert({product})", false), (nil, nil, nil, "https://{product}/", false),
    (nil, nil, nil, "https://{product}.example/", false),
    (nil, nil, nil, "https://pay.example/{price}", false),
    (nil, nil, nil, "https://pay.example/}", false),
  ]

  @Test(arguments: addresses)
  func addressesAreOfTheWeb(name: String?, logo: String?, url: String?, checkout: String?, isGood: Bool)
    throws
  {
    do throws(PagesError) {
      let shop = try Shop(name: name, logo: logo, url: url, checkout: checkout)
      #expect(isGood)
      #expect(shop.url?.hasSuffix("/") ?? true)
    } catch {
      #expect(!isGood, "\(error)")
      #expect(error.code == .invalidShop)
    }
  }
}
