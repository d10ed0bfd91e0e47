import PriceTag
import PriceTagPages
import Testing

/// Tests of shops: their addresses and colors.
@Suite struct ShopTests {
  // MARK: Colors

  static let colors: [(text: String, expected: String?)] = [
    ("#1d6f42", "#1d6f42"), ("#1D6F42", "#1d6f42"), ("#fff", "#ffffff"), ("#a0F", "#aa00ff"),
    ("", nil), ("#", nil), ("fff", nil), ("#ffff", nil), ("#gggggg", nil), ("#1d6f421", nil),
    ("#1d6f42ff", nil),
    ("#ｆｆｆ", nil), ("#ff\u{301}f", nil), ("red;}body{display:none", nil), ("#12345\u{0}", nil),
  ]

  @Test(arguments: colors)
  func parsesColors(text: String, expected: String?) {
    #expect((try? Color(text))?.description == expected)
  }

  /// Contrasts according to the examples of WCAG and common checkers, with two decimals.
  static let contrasts: [(String, String, Double)] = [
    ("#000", "#fff", 21), ("#fff", "#fff", 1), ("#767676", "#fff", 4.54), ("#777777", "#fff", 4.47),
    ("#ff0000", "#fff", 3.99), ("#0000ff", "#fff", 8.59), ("#ffff00", "#000", 19.55),
  ]

  @Test(arguments: contrasts)
  func computesContrast(one: String, other: String, expected: Double) throws {
    let contrast = try Color(one).contrast(on: Color(other))
    #expect(abs(contrast - expected) < 0.01)
    #expect(try Color(other).contrast(on: Color(one)) == contrast)
  }

  @Test(arguments: [Theme.standard.light, Theme.standard.dark])
  func standardThemeIsReadable(colors: [Theme.Role: Color]) throws {
    #expect(colors.count == Theme.Role.allCases.count)
    let pairs: [(Theme.Role, Theme.Role)] = [
      (.text, .background), (.text, .surface), (.muted, .background), (.muted, .surface),
      (.accent, .background),
      (.accent, .surface), (.onAccent, .accent),
    ]
    for (role, background) in pairs {
      #expect(
        try #require(colors[role]).contrast(on: #require(colors[background])) >= 4.5,
        "\(role) on \(background)"
      )
    }
  }

  static let invalidThemes: [(colors: [String: String], error: String)] = [
    (
      ["text": "#999999"],
      "the text #999999 on the background #f7f5f1 has a contrast of 2.61, WCAG AA requires 4.5; choose a darker or lighter color"
    ),
    (["acent": "#000"], "did you mean \"accent\"?"),
    (["accent": "blue"], #"accent: "blue" is not a color; write a color such as #1d6f42"#),
    (
      ["accent": "#000", "on-accent": "#111"],
      "the on-accent #111111 on the accent #000000 has a contrast of 1.1"
    ),
    (["dark-text": "#000"], "the dark-text #000000 on the dark-background"),
    (["--text": "#000"], "unknown theme color"),
  ]

  @Test(arguments: invalidThemes)
  func rejectsInvalidTheme(colors: [String: String], error: String) throws {
    let thrown = try #require(throws: PagesError.self) { try Theme(colors) }
    #expect(thrown.code == .invalidTheme)
    #expect(thrown.description.contains(error), "\(thrown)")
  }

  @Test func choosesReadableButtonText() throws {
    for accent in ["#8a2be2", "#0a7a3a", "#b00020"] {
      let theme = try Theme(["accent": accent])
      #expect(theme.light[.onAccent]?.description == "#ffffff", "\(accent)")
      #expect(theme.css.contains("--accent:\(accent);"))
      #expect(theme.dark == Theme.standard.dark)
    }
    #expect(try Theme(["dark-accent": "#ffcc00"]).dark[.onAccent]?.description == "#000000")
  }

  // MARK: Addresses

  static let addresses: [(name: String?, logo: String?, url: String?, checkout: String?, isValid: Bool)] = [
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
  func validatesAddresses(name: String?, logo: String?, url: String?, checkout: String?, isValid: Bool)
    throws
  {
    do throws(PagesError) {
      let shop = try Shop(name: name, logo: logo, url: url, checkout: checkout)
      #expect(isValid)
      #expect(shop.url?.hasSuffix("/") ?? true)
    } catch {
      #expect(!isValid, "\(error)")
      #expect(error.code == .invalidShop)
    }
  }
}
