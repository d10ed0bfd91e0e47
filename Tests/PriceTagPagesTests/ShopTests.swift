import Foundation
import PriceTag
import Testing

@testable import PriceTagPages

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
    try Self.expectReadable(colors)
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
    try expectError(.invalidTheme, error) { try Theme(colors) }
  }

  @Test func choosesReadableButtonText() throws {
    for accent in ["#8a2be2", "#0a7a3a", "#b00020"] {
      let theme = try Theme(["accent": accent])
      #expect(theme.light[.onAccent]?.description == "#ffffff", "\(accent)")
      #expect(theme.css.contains("--accent:\(accent);"))
      #expect(theme.dark[.background] == Theme.standard.dark[.background])
    }
    #expect(try Theme(["dark-accent": "#ffcc00"]).dark[.onAccent]?.description == "#000000")
  }

  // MARK: Dark mode

  /// Themes with light colors only, whose dark colors are derived, and colors that the result must have.
  static let lightThemes: [(name: String, colors: [String: String], expected: [String: String])] = [
    // Colors without a light counterpart are the standard ones.
    ("accent", ["accent": "#8a2be2"], ["background": "#131419", "surface": "#1e2027", "text": "#f2f1ee"]),
    ("black accent", ["accent": "#000000"], ["background": "#131419"]),
    ("dark blue accent", ["accent": "#00004b"], [:]),
    (
      "all white, with black text",
      [
        "background": "#fff", "surface": "#fff", "text": "#000", "muted": "#000", "border": "#fff",
        "accent": "#000",
      ], ["on-accent": "#000000"]
    ),
    // A dark design stays as it is.
    (
      "all black, with white text",
      [
        "background": "#000", "surface": "#000", "text": "#fff", "muted": "#fff", "border": "#000",
        "accent": "#fff",
      ],
      [
        "background": "#000000", "surface": "#000000", "text": "#ffffff", "muted": "#ffffff",
        "border": "#000000",
        "accent": "#ffffff", "on-accent": "#000000",
      ]
    ),
    (
      "neon on black",
      [
        "background": "#000", "surface": "#0a0014", "text": "#39ff14", "muted": "#ff6ec7",
        "accent": "#fff01f",
      ], ["background": "#000000", "surface": "#0a0014", "accent": "#fff01f", "on-accent": "#000000"]
    ),
    (
      "neon background",
      [
        "background": "#39ff14", "surface": "#fff01f", "text": "#000", "muted": "#1a1a1a",
        "accent": "#4b0082",
      ], [:]
    ),
    (
      "saturated red",
      [
        "background": "#ffe5e5", "surface": "#fff", "text": "#3b0000", "muted": "#7a1f1f",
        "accent": "#b00000",
      ], [:]
    ),
    (
      "gray",
      ["background": "#767676", "surface": "#707070", "text": "#fff", "muted": "#fff", "accent": "#fff"], [:]
    ),
    // A dark color that is given is not replaced, and the others suit it.
    (
      "light in dark mode",
      [
        "accent": "#8a2be2", "dark-background": "#ffffff", "dark-surface": "#ffffff", "dark-text": "#000000",
        "dark-muted": "#333333",
      ], ["background": "#ffffff"]
    ),
  ]

  @Test(arguments: lightThemes)
  func derivesReadableDarkColors(name: String, colors: [String: String], expected: [String: String]) throws {
    let theme = try Theme(colors)
    for mode in [theme.light, theme.dark] { try Self.expectReadable(mode) }
    for (role, color) in expected {
      #expect(theme.dark[try #require(Theme.Role(rawValue: role))]?.description == color, "\(role)")
    }
    for (role, color) in colors where role.hasPrefix("dark-") {
      #expect(try theme.dark[#require(Theme.Role(rawValue: String(role.dropFirst(5))))] == Color(color))
    }
  }

  /// Every accent that is readable in light mode has a readable counterpart in dark mode, of a similar hue.
  @Test func derivesDarkAccents() throws {
    var count = 0
    for red in stride(from: 0, through: 255, by: 51) {
      for green in stride(from: 0, through: 255, by: 51) {
        for blue in stride(from: 0, through: 255, by: 51) {
          let accent = Color(UInt8(red), UInt8(green), UInt8(blue))
          guard let theme = try? Theme(["accent": "\(accent)"]) else { continue }
          count += 1
          try Self.expectReadable(theme.dark)
          let (light, dark) = try (
            PerceivedColor(accent), PerceivedColor(#require(theme.dark[.accent]))
          )
          // Grays have no hue, and almost white colors hardly any.
          guard light.chroma > 0.05, dark.chroma > 0.03 else { continue }
          #expect(cos(light.hue - dark.hue) > 0.9, "\(accent): \(dark.color)")
        }
      }
    }
    #expect(count > 60)
  }

  /// Text, controls, and buttons under the pointer are readable.
  private static func expectReadable(_ colors: [Theme.Role: Color]) throws {
    let pairs: [(Theme.Role, Theme.Role)] = [
      (.text, .background), (.text, .surface), (.muted, .background), (.muted, .surface),
      (.accent, .background), (.accent, .surface), (.onAccent, .accent),
    ]
    for (role, background) in pairs {
      #expect(
        try #require(colors[role]).contrast(on: #require(colors[background])) >= 4.5,
        "\(role) on \(background): \(colors)"
      )
    }
    // The border of a control.
    for background in [Theme.Role.background, .surface] {
      #expect(try #require(colors[.muted]).contrast(on: #require(colors[background])) >= 3)
    }
    let (hover, tint) = try (#require(Theme.hover(colors)), #require(Theme.tint(colors)))
    #expect(try #require(colors[.onAccent]).contrast(on: hover) >= 4.5)
    for role in [Theme.Role.text, .muted, .accent] {
      #expect(try #require(colors[role]).contrast(on: tint) >= 4.5, "\(role) on \(tint)")
    }
  }

  static let unreadableThemes: [[String: String]] = [
    ["background": "#fff", "surface": "#fff", "text": "#fff", "muted": "#fff", "accent": "#fff"],
    ["background": "#000", "surface": "#000", "text": "#000", "muted": "#000", "accent": "#000"],
    ["accent": "#39ff14"], ["accent": "#fff01f"], ["text": "#ff6ec7"],
    ["accent": "#8a2be2", "dark-background": "#000000", "dark-surface": "#ffffff"],
  ]

  /// Derivation does not hide a theme that is unreadable.
  @Test(arguments: unreadableThemes)
  func rejectsUnreadableTheme(colors: [String: String]) throws {
    #expect(throws: PagesError.self) { try Theme(colors) }
  }

  /// The borders of controls have the color `muted`, whose contrast is checked.
  @Test(arguments: [".choice, .sections a {", ".quantity input {", ".languages ul {"])
  func bordersOfControlsAreVisible(selector: String) throws {
    let css = try #require(PageTemplates.embeddedTexts["store.css"])
    let rule = try #require(
      css.components(separatedBy: "\n\(selector)").dropFirst().first?.prefix { $0 != "}" }
    )
    #expect(rule.contains("border: 1px solid var(--muted)"))
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
