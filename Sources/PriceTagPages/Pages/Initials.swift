/// What pages show instead of a missing picture: the initial of a product or of the shop, as SVG in the theme's colors.
extension StorePages {
  /// The path of the icon of the browser's tab, for a shop without a logo.
  static let iconPath = "assets/icon.svg"

  /// The icon: the initial of the shop's name; for a shop without a name, the color only.
  var icon: String {
    let (accent, onAccent) = (shop.theme.light[.accent], shop.theme.light[.onAccent])
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 200" font-family="system-ui, sans-serif" font-weight="650">\
      <rect width="200" height="200" rx="40" fill="\(accent?.description ?? "")"/>\
      <g fill="\(onAccent?.description ?? "")">\(Self.centered(Self.initial(of: shop.name ?? "") ?? ""))</g></svg>
      """
  }

  /// Returns the initial of a name as HTML: its first letter or digit, or else its first character; `nil` for an empty name.
  static func initial(of name: String) -> String? {
    (name.first { $0.isLetter || $0.isNumber } ?? name.first).map { pageText(String($0)) }
  }

  /// Returns an initial as the picture of a product. The style sheet has its color. Screen readers omit it.
  static func pattern(of initial: String) -> String {
    "<svg class=\"pattern\" viewBox=\"0 0 400 300\" aria-hidden=\"true\">\(centered(initial))</svg>"
  }

  /// Returns an initial in the middle of a picture, where it does not depend on the direction of the page.
  private static func centered(_ initial: String) -> String {
    "<text x=\"50%\" y=\"50%\" font-size=\"140\" text-anchor=\"middle\" dominant-baseline=\"central\">\(initial)</text>"
  }
}
