import ArgumentParser
import PriceTag
import PriceTagCatalog
import PriceTagPages
import PriceTagText

/// The name and look of a shop's pages.
package struct ShopOptions: ParsableArguments {
  @Option(help: .setting(.shop, "name")) package var shop: String?
  @Option(help: .setting(.logo, "url")) package var logo: String?
  @Option(help: .setting(.url, "https://…")) package var url: String?
  @Option(help: .setting(.checkout, "https://…")) package var checkout: String?
  @Option(help: .setting(.theme, "colors")) package var theme: [String] = []
  @Option(help: .setting(.templates, "dir"), completion: .directory) package var templates: String?
  @Option(help: .setting(.assets, "dir"), completion: .directory) package var assets: String?
  @Option(help: .setting(.kernel, "dir"), completion: .directory) package var kernel: String?
  @Flag(help: .setting(.taxLabels)) package var taxLabels = false
  @Option(help: .setting(.taxIncluded, "true|false|unknown")) package var taxIncluded: TaxInclusion?
  @Option(help: .setting(.unitPrices, "mode")) package var unitPrices: RoundingMode?
  @Option(help: .setting(.pageSize, "count")) package var pageSize: Int?
  @Option(help: .setting(.offers, "kinds")) package var offers: [String] = []
  @Flag(help: .setting(.announceIncreases)) package var announceIncreases = false
  @Option(help: .setting(.hero, "product")) package var hero: String?
  @Flag(help: .setting(.priceDate)) package var priceDate = false
  @Option(help: .setting(.strings, "dir"), completion: .directory) package var strings: String?
  @Option(help: .setting(.contact, "url")) package var contact: String?
  @Option(help: .setting(.imprint, "https://…")) package var imprint: String?
  @Option(help: .setting(.privacy, "https://…")) package var privacy: String?
  @Option(help: .setting(.terms, "https://…")) package var terms: String?

  package init() {}

  package func validate() throws {
    let allowed = Shop.allowedProductsPerPage
    guard let pageSize, !allowed.contains(pageSize) else { return }
    throw ValidationError(
      "--page-size must be a number from \(allowed.lowerBound) to \(allowed.upperBound), not \(pageSize)"
    )
  }

  /// Creates the shop.
  package func makeShop() throws -> Shop {
    try Shop(
      name: shop,
      logo: logo,
      url: url,
      checkout: checkout,
      theme: Theme(Self.colors(theme)),
      showsTaxLabels: taxLabels,
      productsPerPage: pageSize ?? Shop.defaultProductsPerPage,
      shownOffers: Self.shownOffers(offers),
      announcesIncreases: announceIncreases,
      showsPriceDate: priceDate,
      hero: hero,
      legalLinks: [Shop.LegalLink.contact: contact, .imprint: imprint, .privacy: privacy, .terms: terms]
        .compactMapValues { $0 }
    )
  }

  /// Returns the kinds of offers of `--offers`.
  package static func shownOffers(_ names: [String]) throws -> Set<CatalogOffer.Kind> {
    let names = names.flatMap { $0.split(separator: ",").map(String.init) }
    if names.isEmpty { return [.introductory] }
    if names == ["none"] { return [] }
    let shown: [CatalogOffer.Kind] = [.introductory, .promotional, .winBack]
    return Set(
      try names.map { name in
        guard let kind = shown.first(where: { $0.rawValue == name }) else {
          let all = shown.map(\.rawValue) + ["none"]
          throw ValidationError(
            "\(quoted(name)) is not a kind of offers that pages show; use \(all.joined(separator: ", "))"
          )
        }
        return kind
      }
    )
  }

  /// Returns the colors of `--theme`, by name.
  package static func colors(_ theme: [String]) throws -> [String: String] {
    var colors: [String: String] = [:]
    for part in theme.flatMap({ $0.split(separator: ",") }) {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard pair.count == 2 else {
        throw ValidationError(
          "\(quoted(part)) is not a theme color; write name=#rrggbb, such as accent=#8a2be2"
        )
      }
      guard colors.updateValue(String(pair[1]), forKey: String(pair[0])) == nil else {
        throw ValidationError("the theme color \(quoted(pair[0])) appears twice; remove one")
      }
    }
    return colors
  }
}
