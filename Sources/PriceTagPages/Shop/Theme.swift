import PriceTag
import PriceTagText

/// The colours of a site, in the light and in the dark.
///
///     let theme = try Theme(["accent": "#8a2be2", "dark-accent": "#c9a0ff"])
///     theme.css     // ":root{--background:#f7f5f1;…}"
///
/// Whatever is read on a background has a contrast of at least 4.5 there, WCAG 2.2's AA: another theme is refused.
public struct Theme: Hashable, Sendable {
  /// What is coloured.
  public enum Role: String, Hashable, Sendable, CaseIterable {
    /// Behind everything.
    case background
    /// Behind products and tables.
    case surface
    /// Words and prices.
    case text
    /// Words that matter less.
    case muted
    /// Lines around things.
    case border
    /// Links and buttons.
    case accent
    /// Words on a button.
    case onAccent = "on-accent"
  }

  /// What is usual.
  public static let usual = Theme(light: usualLight, dark: usualDark)

  /// The colours in the light.
  public let light: [Role: Color]
  /// The colours in the dark.
  public let dark: [Role: Color]

  private init(light: [Role: Color], dark: [Role: Color]) {
    (self.light, self.dark) = (light, dark)
  }

  private static let darkPrefix = "dark-"

  /// The usual colours, with others in the place of some.
  ///
  /// Words on a button are black or white, whichever is read better, where an accent is given and they are not.
  ///
  /// - Parameter colors: Colours as CSS writes them, by their roles: `accent`, and `dark-accent` for the dark.
  /// - Throws: `.invalidTheme` for a role or a colour that is none, and for colours that cannot be read on each other.
  public init(_ colors: [String: String]) throws(PagesError) {
    var (light, dark) = (Self.usualLight, Self.usualDark)
    for (name, text) in colors.sorted(by: { $0.key < $1.key }) {
      let isDark = name.hasPrefix(Self.darkPrefix)
      guard let role = Role(rawValue: isDark ? String(name.dropFirst(Self.darkPrefix.count)) : name) else {
        let known = Self.names
        throw PagesError(
          .invalidTheme,
          "\(quoted(name)) is no colour of a theme",
          fix: "give some of \(known.joined(separator: ", "))\(didYouMean(name, among: known))"
        )
      }
      let color: Color
      do throws(PagesError) { color = try Color(text) } catch { throw error.at(name) }
      if isDark { dark[role] = color } else { light[role] = color }
    }
    let onAccent = Role.onAccent.rawValue
    if colors[onAccent] == nil, colors[Role.accent.rawValue] != nil { Self.chooseOnAccent(&light) }
    if colors[Self.darkPrefix + onAccent] == nil, colors[Self.darkPrefix + Role.accent.rawValue] != nil {
      Self.chooseOnAccent(&dark)
    }
    try Self.check(light, "")
    try Self.check(dark, Self.darkPrefix)
    self.init(light: light, dark: dark)
  }

  /// The names that colours are given by.
  public static var names: [String] {
    Role.allCases.map(\.rawValue) + Role.allCases.map { darkPrefix + $0.rawValue }
  }

  private static func chooseOnAccent(_ colors: inout [Role: Color]) {
    guard let accent = colors[.accent] else { return }
    let (black, white) = (Color(0, 0, 0), Color(255, 255, 255))
    colors[.onAccent] = accent.contrast(on: black) > accent.contrast(on: white) ? black : white
  }

  /// What is read on what.
  static let readings: [(Role, on: Role)] = [
    (.text, .background), (.text, .surface), (.muted, .background), (.muted, .surface),
    (.accent, .background), (.accent, .surface), (.onAccent, .accent),
  ]

  private static func check(_ colors: [Role: Color], _ prefix: String) throws(PagesError) {
    for (role, ground) in readings {
      guard let color = colors[role], let other = colors[ground] else { continue }
      let contrast = color.contrast(on: other)
      guard contrast < 4.5 else { continue }
      throw PagesError(
        .invalidTheme,
        "the \(prefix)\(role.rawValue) \(color) on the \(prefix)\(ground.rawValue) \(other) has a contrast of \(Self.text(of: contrast))",
        fix: "WCAG's AA asks for 4.5, so take a darker or a lighter one"
      )
    }
  }

  /// With two digits, rounded down: 4.49 is not 4.5.
  private static func text(of contrast: Double) -> String {
    let hundredths = Int(contrast * 100)
    let fraction = hundredths % 100
    return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)"
  }

  /// The colours as variables of CSS.
  public var css: String {
    ":root{\(Self.variables(light))}\n@media (prefers-color-scheme:dark){:root{\(Self.variables(dark))}}\n"
  }

  private static func variables(_ colors: [Role: Color]) -> String {
    Role.allCases.compactMap { role in colors[role].map { "--\(role.rawValue):\($0)" } }.joined(
      separator: ";"
    )
  }

  private static let usualLight: [Role: Color] = [
    .background: Color(0xF7, 0xF5, 0xF1), .surface: Color(0xFF, 0xFF, 0xFF), .text: Color(0x1C, 0x1B, 0x22),
    .muted: Color(0x5D, 0x5B, 0x66), .border: Color(0xD9, 0xD5, 0xCC), .accent: Color(0x0B, 0x6B, 0x5E),
    .onAccent: Color(0xFF, 0xFF, 0xFF),
  ]

  private static let usualDark: [Role: Color] = [
    .background: Color(0x13, 0x14, 0x19), .surface: Color(0x1E, 0x20, 0x27), .text: Color(0xF2, 0xF1, 0xEE),
    .muted: Color(0xB0, 0xB0, 0xBA), .border: Color(0x3D, 0x3F, 0x4A), .accent: Color(0x56, 0xD0, 0xB8),
    .onAccent: Color(0x06, 0x21, 0x1C),
  ]
}
