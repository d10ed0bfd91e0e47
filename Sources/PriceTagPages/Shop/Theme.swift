import PriceTag
import PriceTagSystem
import PriceTagText

/// The colors of a site in light and dark mode.
///
///     let theme = try Theme(["accent": "#8a2be2", "dark-accent": "#c9a0ff"])
///     theme.css     // ":root{--background:#f7f5f1;…}"
///
/// All text has a contrast of at least 4.5 to its background, as WCAG 2.2 AA requires. A theme with less is an error.
/// Borders of controls have the color `muted`, which therefore exceeds the 3 that they require.
///
/// A color that is given for light mode only is adapted to dark mode: it keeps its hue, and gets the lightness that the
/// contrasts require.
public struct Theme: Hashable, Sendable {
  /// The use of a color.
  public enum Role: String, Hashable, Sendable, CaseIterable {
    /// The background of the page.
    case background
    /// The background of products and tables.
    case surface
    /// Text and prices.
    case text
    /// Secondary text.
    case muted
    /// Borders.
    case border
    /// Links and buttons.
    case accent
    /// Text on buttons.
    case onAccent = "on-accent"
  }

  /// The default theme.
  public static let standard = Theme(light: standardLight, dark: standardDark)

  /// The colors in light mode.
  public let light: [Role: Color]
  /// The colors in dark mode.
  public let dark: [Role: Color]

  private init(light: [Role: Color], dark: [Role: Color]) {
    (self.light, self.dark) = (light, dark)
  }

  private static let darkPrefix = "dark-"

  /// Creates a theme from the standard one, with some colors replaced.
  ///
  /// If `accent` is replaced and `on-accent` is not, text on buttons is black or white, whichever has more contrast.
  /// A color that is replaced in light mode only is derived for dark mode.
  ///
  /// - Parameter colors: Colors in CSS notation by role, such as `accent`, or `dark-accent` for dark mode.
  /// - Throws: `.invalidTheme` for an unknown role, a malformed color, or a contrast below 4.5.
  public init(_ colors: [String: String]) throws(PagesError) {
    var (light, dark) = (Self.standardLight, Self.standardDark)
    for (name, text) in colors.sorted(by: { $0.key < $1.key }) {
      let isDark = name.hasPrefix(Self.darkPrefix)
      guard let role = Role(rawValue: isDark ? String(name.dropFirst(Self.darkPrefix.count)) : name) else {
        let known = Self.names
        throw PagesError(
          .invalidTheme,
          "unknown theme color \(quoted(name))",
          fix: "use one of \(known.joined(separator: ", "))\(didYouMean(name, among: known))"
        )
      }
      let color: Color
      do throws(PagesError) { color = try Color(text) } catch { throw error.at(name) }
      if isDark { dark[role] = color } else { light[role] = color }
    }
    let onAccent = Role.onAccent.rawValue
    if colors[onAccent] == nil, colors[Role.accent.rawValue] != nil { Self.chooseOnAccent(&light) }
    let given = Set(Role.allCases.filter { colors[$0.rawValue] != nil })
    let givenDark = Set(Role.allCases.filter { colors[Self.darkPrefix + $0.rawValue] != nil })
    Self.derive(&dark, from: light, given.subtracting(givenDark))
    if !givenDark.contains(.onAccent), !givenDark.union(given).isDisjoint(with: [.accent, .onAccent]) {
      Self.chooseOnAccent(&dark)
    }
    try Self.check(light, "")
    try Self.check(dark, Self.darkPrefix)
    self.init(light: light, dark: dark)
  }

  /// The names of all colors: `accent`, `dark-accent`, and so on.
  public static var names: [String] {
    Role.allCases.map(\.rawValue) + Role.allCases.map { darkPrefix + $0.rawValue }
  }

  private static func chooseOnAccent(_ colors: inout [Role: Color]) {
    guard let accent = colors[.accent] else { return }
    let (black, white) = (Color(0, 0, 0), Color(255, 255, 255))
    colors[.onAccent] = accent.contrast(on: black) > accent.contrast(on: white) ? black : white
  }

  // MARK: Dark mode

  /// Replaces dark colors by ones that are derived from the light colors of some roles.
  private static func derive(_ dark: inout [Role: Color], from light: [Role: Color], _ roles: Set<Role>) {
    // Backgrounds first, because they decide the lightness of the others.
    for role in Role.allCases where roles.contains(role) {
      guard let color = light[role] else { continue }
      var derived = PerceivedColor(color)
      switch role {
      case .background, .surface:
        // A background that is dark already suits dark mode.
        if derived.lightness < darkestLightness { break }
        derived.lightness = role == .background ? 0.19 : 0.25
        derived.chroma = min(derived.chroma, 0.025)
      case .border:
        if roles.contains(.background), let background = light[.background].map({ PerceivedColor($0) }),
          background.lightness < darkestLightness
        {
          break
        }
        derived.lightness = 0.38
        derived.chroma = min(derived.chroma, 0.03)
      case .text: derived.lightness = max(derived.lightness, 0.95)
      case .muted: derived.lightness = max(derived.lightness, 0.76)
      case .accent: derived.lightness = max(derived.lightness, 0.68)
      case .onAccent: continue
      }
      if role == .text || role == .muted { derived.chroma = min(derived.chroma, 0.03) }
      let isBackground = role == .background || role == .surface || role == .border
      let backgrounds = isBackground ? [] : [dark[.background], dark[.surface]].compactMap(\.self)
      dark[role] = readable(derived, on: backgrounds)
    }
  }

  /// The lightness below which a background suits dark mode.
  private static let darkestLightness = 0.4

  /// Returns a color whose contrast to all backgrounds is at least 4.5: the color itself, or the closest lighter one, or
  /// else the closest darker one. Otherwise it returns the color itself.
  private static func readable(_ color: PerceivedColor, on backgrounds: [Color]) -> Color {
    let original = color.color
    var candidates = [original]
    for direction in [0.01, -0.01] {
      var candidate = color
      while (0...1).contains(candidate.lightness + direction) {
        candidate.lightness += direction
        candidates.append(candidate.color)
      }
      candidates.append(direction > 0 ? Color(255, 255, 255) : Color(0, 0, 0))
    }
    return candidates.first { candidate in
      backgrounds.allSatisfy { candidate.contrast(on: $0) >= minimumContrast }
    } ?? original
  }

  /// The contrast that WCAG 2.2 AA requires of text.
  static let minimumContrast = 4.5

  // MARK: Contrast

  /// The pairs of a text color and its background whose contrast is checked.
  private static let textPairs: [(Role, on: Role)] = [
    (.text, .background), (.text, .surface), (.muted, .background), (.muted, .surface),
    (.accent, .background), (.accent, .surface), (.onAccent, .accent),
  ]

  private static func check(_ colors: [Role: Color], _ prefix: String) throws(PagesError) {
    for (role, background) in textPairs {
      guard let color = colors[role], let other = colors[background] else { continue }
      let contrast = color.contrast(on: other)
      guard contrast < minimumContrast else { continue }
      throw PagesError(
        .invalidTheme,
        "the \(prefix)\(role.rawValue) \(color) on the \(prefix)\(background.rawValue) \(other) has a contrast of \(Self.text(of: contrast)), WCAG AA requires 4.5",
        fix: "choose a darker or lighter color"
      )
    }
  }

  /// Returns a contrast with two decimals, rounded down so that 4.499 does not read as 4.50.
  private static func text(of contrast: Double) -> String {
    let hundredths = Int(contrast * 100)
    let fraction = hundredths % 100
    return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)"
  }

  /// The colors as CSS variables.
  public var css: String {
    ":root{\(Self.variables(light))}\n@media (prefers-color-scheme:dark){:root{\(Self.variables(dark))}}\n"
  }

  private static func variables(_ colors: [Role: Color]) -> String {
    var variables = Role.allCases.compactMap { role in colors[role].map { "--\(role.rawValue):\($0)" } }
    if let hover = hover(colors) { variables.append("--hover:\(hover)") }
    if let tint = tint(colors) { variables.append("--tint:\(tint)") }
    return variables.joined(separator: ";")
  }

  /// Returns the background of a button under the pointer: the accent with some of the text's color, as far as the text on
  /// it remains readable.
  static func hover(_ colors: [Role: Color]) -> Color? {
    mixed(.text, into: .accent, [.onAccent], colors)
  }

  /// Returns the background of offers and quiet buttons: the surface with some of the accent, as far as all text on it
  /// remains readable.
  static func tint(_ colors: [Role: Color]) -> Color? {
    mixed(.accent, into: .surface, [.text, .muted, .accent], colors)
  }

  /// Returns a color with as much of another one as is possible while texts on it remain readable.
  private static func mixed(_ role: Role, into base: Role, _ texts: [Role], _ colors: [Role: Color])
    -> Color?
  {
    guard let color = colors[role], let base = colors[base] else { return nil }
    let texts = texts.compactMap { colors[$0] }
    return stride(from: 12, to: 0, by: -1).lazy.map { color.mixed(percent: $0, into: base) }
      .first { mixture in texts.allSatisfy { $0.contrast(on: mixture) >= minimumContrast } } ?? base
  }

  private static let standardLight: [Role: Color] = [
    .background: Color(0xF7, 0xF5, 0xF1), .surface: Color(0xFF, 0xFF, 0xFF), .text: Color(0x1C, 0x1B, 0x22),
    .muted: Color(0x5D, 0x5B, 0x66), .border: Color(0xD9, 0xD5, 0xCC), .accent: Color(0x0B, 0x6B, 0x5E),
    .onAccent: Color(0xFF, 0xFF, 0xFF),
  ]

  private static let standardDark: [Role: Color] = [
    .background: Color(0x13, 0x14, 0x19), .surface: Color(0x1E, 0x20, 0x27), .text: Color(0xF2, 0xF1, 0xEE),
    .muted: Color(0xB0, 0xB0, 0xBA), .border: Color(0x3D, 0x3F, 0x4A), .accent: Color(0x56, 0xD0, 0xB8),
    .onAccent: Color(0x06, 0x21, 0x1C),
  ]
}
