import PriceTag
import PriceTagCatalog
import PriceTagStrings
import PriceTagText

/// What a shop's pages say of the shop itself.
///
///     let shop = try Shop(name: "Rocket Garage", logo: "images/logo.svg", url: "https://shop.example/")
public struct Shop: Sendable {
  /// What it is called; `nil` for the reader's word for a store.
  public let name: String?
  /// The address of its logo: http, https, or a path within the site.
  public let logo: String?
  /// Where the site is served, with `/` at the end: search engines want whole addresses. `nil` leaves them out.
  public let url: String?
  /// Where a product is paid, with `{product}`, `{storefront}` and `{language}` in the place of these; `nil` where a
  /// script of the shop's takes the buttons.
  public let checkout: String?
  /// The colours.
  public let theme: Theme

  /// A shop of its facts.
  ///
  /// - Throws: `.invalidShop` for an empty name, and for addresses other than http and https.
  public init(
    name: String? = nil,
    logo: String? = nil,
    url: String? = nil,
    checkout: String? = nil,
    theme: Theme = .usual
  ) throws(PagesError) {
    if let name, name.allSatisfy(\.isWhitespace) {
      throw PagesError(.invalidShop, "the shop's name is empty", fix: "give one, or none")
    }
    if let logo, !ImageAddress.isSafe(logo) {
      throw PagesError(
        .invalidShop,
        "\(quoted(logo)) is no address of a logo",
        fix: "give an http or https address, or a path within the site, such as images/logo.svg"
      )
    }
    if let url, !Self.isWeb(url) || url.contains(where: { "?#{}".contains($0) }) {
      throw PagesError(
        .invalidShop,
        "\(quoted(url)) is no address of a site",
        fix: "give one such as https://shop.example/"
      )
    }
    if let checkout, !Self.isCheckout(checkout) {
      throw PagesError(
        .invalidShop,
        "\(quoted(checkout)) is no address of a checkout",
        fix: "give one such as https://pay.example/?product={product}&storefront={storefront}"
      )
    }
    (self.name, self.logo, self.checkout, self.theme) = (name, logo, checkout, theme)
    self.url = url.map { $0.hasSuffix("/") ? $0 : $0 + "/" }
  }

  private static func isWeb(_ address: String) -> Bool {
    let lowered = address.lowercased()
    guard let scheme = ["https://", "http://"].first(where: lowered.hasPrefix) else { return false }
    let host = address.dropFirst(scheme.count).prefix { !"/?#".contains($0) }
    return ImageAddress.isSafe(address) && !host.isEmpty && !host.contains("@")
      && address.utf8.allSatisfy { $0 < 0x80 && !"\"<>`^|".utf8.contains($0) }
  }

  private static let placeholders = ["{product}", "{storefront}", "{language}"]

  private static func isCheckout(_ address: String) -> Bool {
    let filled = placeholders.reduce(address) { $0.replacing($1, with: "x") }
    // Whose host is a product's identifier is nobody's.
    let isFixed = address.prefix { $0 != "{" }.dropFirst("https://".count).contains { "/?".contains($0) }
    return isWeb(filled) && !filled.contains { "{}".contains($0) }
      && (isFixed || !address.contains("{"))
  }

  /// Where a product is paid.
  func checkout(of product: String, _ storefront: Storefront, _ language: UILanguage) -> String? {
    checkout.map { address in
      // None of them has a character that an address has to escape, but a colon in an identifier, which it may hold.
      zip(Self.placeholders, [product, storefront.id, language.identifier]).reduce(address) {
        $0.replacing($1.0, with: $1.1)
      }
    }
  }

  /// What it is called for readers of a language.
  func name(in language: PageLanguage) -> String { name ?? language.word("store") }
}
