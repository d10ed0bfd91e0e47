import PriceTag
import PriceTagCatalog
import PriceTagStrings
import PriceTagText

/// The name, the addresses, and the theme of a shop.
///
///     let shop = try Shop(name: "Rocket Garage", logo: "images/logo.svg", url: "https://shop.example/")
public struct Shop: Sendable {
  /// The shop's name; `nil` for the word "Store" in the shopper's language.
  public let name: String?
  /// The address of the logo: an http or https address, or a path within the site.
  public let logo: String?
  /// The address of the site, with `/` at the end. Search engines need absolute addresses; without it pages have none.
  public let url: String?
  /// The address of the checkout, with the placeholders `{product}`, `{storefront}`, `{language}`, and `{quantity}`; `nil`
  /// if a script of the shop handles the buttons.
  public let checkout: String?
  /// The colors of the pages.
  public let theme: Theme
  /// Whether pages state below each price whether it includes tax, where this is known.
  public let showsTaxLabels: Bool
  /// The maximum number of products on a page of a list. A store with more products has category pages and a search.
  public let productsPerPage: Int

  /// The number of products on a page of a list, unless a shop sets another one.
  public static let defaultProductsPerPage = 48
  /// The numbers of products that a page of a list may have.
  public static let allowedProductsPerPage = 4...500
  /// The kinds of offers that pages show, each with the people that it is for.
  public let shownOffers: Set<CatalogOffer.Kind>
  /// Whether pages announce the increase of a price, also to search engines.
  public let announcesIncreases: Bool
  /// Whether pages with prices state the date of the prices.
  public let showsPriceDate: Bool
  /// The identifier of the product that is large on the pages of stores that sell it; `nil` for the first one that costs
  /// something.
  public let hero: String?
  /// The links in the footer of every page.
  public let legalLinks: [LegalLink: String]

  /// A link in the footer of every page.
  public enum LegalLink: String, Hashable, Sendable, CaseIterable {
    /// How to reach the shop.
    case contact
    /// Who runs the shop.
    case imprint
    /// The privacy policy.
    case privacy
    /// The terms of use.
    case terms

    /// The key of the link's label.
    var key: String {
      switch self {
      case .contact: "contact"
      case .imprint: "legal_notice"
      case .privacy: "privacy_policy"
      case .terms: "terms_of_use"
      }
    }
  }

  /// Creates a shop.
  ///
  /// - Parameters:
  ///   - name: The shop's name; `nil` for the word "Store" in the shopper's language.
  ///   - logo: The address of the logo: an http or https address, or a path within the site.
  ///   - url: The address of the site.
  ///   - checkout: The address of the checkout, with the placeholders `{product}`, `{storefront}`, `{language}`, and
  ///     `{quantity}`, which is 1 unless a page has a field for it.
  ///   - theme: The colors of the pages.
  ///   - showsTaxLabels: Whether pages state below each price whether it includes tax ("incl. VAT", "plus tax"), where
  ///     the product, the request or the storefront's data says so.
  ///   - productsPerPage: The maximum number of products on a page of a list, from 4 to 500.
  ///   - shownOffers: The kinds of offers that pages show. Offers to current and former subscribers are shown on the
  ///     product's own page only. An offer with a code cannot be shown.
  ///   - announcesIncreases: Whether pages announce the increase of a price, with the first day of the new price, also to
  ///     search engines.
  ///   - showsPriceDate: Whether pages with prices state the date of the prices ("Prices as of November 23, 2026"). Pages
  ///     then differ from one date to the next even if no price does.
  ///   - hero: The identifier of the product that is first and large on the pages of stores that sell it; `nil` for the
  ///     first one that costs something. The page of a store with more products than a page of a list has no hero.
  ///   - legalLinks: The links in the footer of every page: http or https addresses; for the contact also a `mailto:` or
  ///     `tel:` address.
  /// - Throws: `.invalidShop` for an empty name, an invalid address, an invalid number of products, offers with a code, or
  ///   a malformed product identifier.
  public init(
    name: String? = nil,
    logo: String? = nil,
    url: String? = nil,
    checkout: String? = nil,
    theme: Theme = .standard,
    showsTaxLabels: Bool = false,
    productsPerPage: Int = Self.defaultProductsPerPage,
    shownOffers: Set<CatalogOffer.Kind> = [.introductory],
    announcesIncreases: Bool = false,
    showsPriceDate: Bool = false,
    hero: String? = nil,
    legalLinks: [LegalLink: String] = [:]
  ) throws(PagesError) {
    guard Self.allowedProductsPerPage.contains(productsPerPage) else {
      throw .invalidShop(
        "a page cannot list \(productsPerPage) products",
        fix:
          "use a number from \(Self.allowedProductsPerPage.lowerBound) to \(Self.allowedProductsPerPage.upperBound)"
      )
    }
    if let name, name.allSatisfy(\.isWhitespace) {
      throw .invalidShop("the shop's name is empty", fix: "write a name, or omit it")
    }
    if let logo, !ImageAddress.isSafe(logo) {
      throw .invalidShop(
        "\(quoted(logo)) is not an address of a logo",
        fix: "use an http or https address, or a path within the site such as images/logo.svg"
      )
    }
    if let url, !Self.isWeb(url) || url.contains(where: { "?#{}".contains($0) }) {
      throw .invalidShop(
        "\(quoted(url)) is not an address of a site",
        fix: "use an address such as https://shop.example/"
      )
    }
    if let checkout, !Self.isCheckout(checkout) {
      throw .invalidShop(
        "\(quoted(checkout)) is not an address of a checkout",
        fix: "use an address such as https://pay.example/?product={product}&storefront={storefront}"
      )
    }
    guard !shownOffers.contains(.code) else {
      throw .invalidShop(
        "offers with a code cannot be shown",
        fix: "show introductory, promotional or win-back offers"
      )
    }
    if let hero, !ProductIdentifier.isWellFormed(hero) {
      throw .invalidShop(
        "the hero \(quoted(hero)) is not a product identifier",
        fix: "use the identifier of a product of the catalog"
      )
    }
    for link in LegalLink.allCases {
      guard let address = legalLinks[link], !Self.isLegalAddress(address, link) else { continue }
      throw .invalidShop(
        "\(quoted(address)) is not an address of the link \(quoted(link.rawValue))",
        fix:
          "use an address such as \(link == .contact ? "mailto:info@shop.example" : "https://shop.example/\(link)")"
      )
    }
    (self.showsPriceDate, self.hero, self.legalLinks) = (showsPriceDate, hero, legalLinks)
    (self.shownOffers, self.announcesIncreases) = (shownOffers, announcesIncreases)
    (self.name, self.logo, self.checkout, self.theme) = (name, logo, checkout, theme)
    (self.showsTaxLabels, self.productsPerPage) = (showsTaxLabels, productsPerPage)
    self.url = url.map { $0.hasSuffix("/") ? $0 : $0 + "/" }
  }

  /// The path of the site on its host: `/`, or `/shop/` if the address of the site is `https://example.com/shop/`.
  var rootPath: String {
    guard let url, let scheme = url.firstRange(of: "://"),
      let slash = url[scheme.upperBound...].firstIndex(of: "/")
    else { return "/" }
    return String(url[slash...])
  }

  private static func isLegalAddress(_ address: String, _ link: LegalLink) -> Bool {
    let schemes = ["mailto:", "tel:"]
    guard link == .contact, let scheme = schemes.first(where: address.lowercased().hasPrefix) else {
      return isWeb(address)
    }
    return address.utf8.count > scheme.utf8.count
      && address.utf8.allSatisfy { (0x21..<0x7F).contains($0) && !"\"<>`^|\\{}".utf8.contains($0) }
  }

  private static func isWeb(_ address: String) -> Bool {
    let lowered = address.lowercased()
    guard let scheme = ["https://", "http://"].first(where: lowered.hasPrefix) else { return false }
    let host = address.dropFirst(scheme.count).prefix { !"/?#".contains($0) }
    return ImageAddress.isSafe(address) && !host.isEmpty && !host.contains("@")
      && address.utf8.allSatisfy { $0 < 0x80 && !"\"<>`^|".utf8.contains($0) }
  }

  /// The placeholder for the quantity, which a browser replaces too.
  static let quantityPlaceholder = "{quantity}"
  private static let placeholders = ["{product}", "{storefront}", "{language}", quantityPlaceholder]

  private static func isCheckout(_ address: String) -> Bool {
    let filled = placeholders.reduce(address) { $0.replacing($1, with: "x") }
    // A placeholder in the host could send shoppers to any site.
    let hasFixedHost = address.prefix { $0 != "{" }.dropFirst("https://".count).contains { "/?".contains($0) }
    return isWeb(filled) && !filled.contains { "{}".contains($0) }
      && (hasFixedHost || !address.contains("{"))
  }

  /// Whether a customer can buy several of a product at a time: whether the checkout, or the shop's script, receives the
  /// quantity.
  var acceptsQuantity: Bool { checkout?.contains(Self.quantityPlaceholder) ?? true }

  /// Returns the checkout address of a product.
  func checkout(
    of product: String,
    _ storefront: Storefront,
    _ language: UILanguage,
    quantity: String = "1"
  ) -> String? {
    checkout.map { address in
      // Their characters need no escaping. A product identifier may contain a colon, which an address allows.
      let values = [product, storefront.id, language.identifier, quantity]
      var (filled, rest) = ("", address[...])
      while let start = rest.utf8.firstIndex(of: UInt8(ascii: "{")) {
        filled += rest[..<start]
        rest = rest[start...]
        let placeholder = zip(Self.placeholders, values).first { rest.hasPrefix($0.0) }
        filled += placeholder?.1 ?? "{"
        rest = rest.dropFirst(placeholder?.0.count ?? 1)
      }
      return filled + rest
    }
  }

  /// Returns the last day of a product's price, if pages state it: the end of a reduction, or the day before an announced
  /// increase.
  func shownLastDay(of product: Product) -> CalendarDate? {
    product.reductionLastDay ?? (announcedIncrease(of: product) != nil ? product.priceLastDay : nil)
  }

  /// Returns the increase of a product's price that pages announce.
  func announcedIncrease(of product: Product) -> Product.ScheduledPrice? {
    announcesIncreases ? product.scheduledIncrease : nil
  }

  /// Returns the product that is large on a store page; `nil` if none of its cards costs something, but a subscription in
  /// a comparison does.
  ///
  /// - Parameters:
  ///   - cards: The products of the page that have cards.
  ///   - products: All products of the page.
  func hero(among cards: [Product], of products: [Product]) -> Product? {
    func costs(_ product: Product) -> Bool { product.price.amount != .zero }
    return cards.first { $0.identifier == hero } ?? cards.first(where: costs)
      ?? (products.contains(where: costs) ? nil : cards.first)
  }

  /// Returns the shop's name on pages in a language.
  func name(in language: PageLanguage) -> String { name ?? language.word("store") }
}
