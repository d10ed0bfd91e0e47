import ArgumentParser
import PriceTag
import PriceTagCatalog
import PriceTagPages
import PriceTagText

/// The name and look of a shop's pages.
package struct ShopOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The name of the shop (default: the word for a store in the page's language).",
      valueName: "name"
    )
  )
  package var shop: String?

  @Option(
    help: ArgumentHelp(
      "The logo of the shop: a URL, or a path in the site (default: none).",
      valueName: "url"
    )
  )
  package var logo: String?

  @Option(
    help: ArgumentHelp(
      "The URL of the site. Canonical URLs and sitemap.xml need it (default: none).",
      valueName: "https://…"
    )
  )
  package var url: String?

  @Option(
    help: ArgumentHelp(
      "The URL of the buy buttons, with {product}, {storefront}, {language} and {quantity} in it (default: none; a script of the shop handles the buttons).",
      valueName: "https://…"
    )
  )
  package var checkout: String?

  @Option(
    help: ArgumentHelp(
      "Colors of the pages, as name=#rrggbb,…: \(Theme.Role.allCases.map(\.rawValue).joined(separator: ", ")); the prefix dark- sets them for dark mode.",
      valueName: "colors"
    )
  )
  package var theme: [String] = []

  @Option(
    help: ArgumentHelp(
      "A folder of Mustache templates that replace the embedded templates.",
      valueName: "dir"
    ),
    completion: .directory
  )
  package var templates: String?

  @Option(
    help: ArgumentHelp(
      "A folder of files to copy into the site, such as pictures.",
      valueName: "dir"
    ),
    completion: .directory
  )
  package var assets: String?

  @Option(
    help: ArgumentHelp(
      "The folder with the kernel for browsers, pricetag.js and pricetag.wasm: product pages get a field for the quantity, whose total the browser computes (default: none).",
      valueName: "dir"
    ),
    completion: .directory
  )
  package var kernel: String?

  @Flag(
    help: "State below each price whether it includes tax, in storefronts where this is known (default: off)."
  )
  package var taxLabels = false

  @Option(
    help: ArgumentHelp(
      "Show the price per unit of a product's content below its price, rounded by this mode (default: no unit prices).",
      valueName: "mode"
    )
  )
  package var unitPrices: RoundingMode?

  @Option(
    help: ArgumentHelp(
      "The number of products on a page of a list, from 4 to 500. A store with more products has pages for its categories, and a search (default: 48).",
      valueName: "count"
    )
  )
  package var pageSize: Int?

  @Option(
    help: ArgumentHelp(
      "The offers that pages show, with whom they are for: introductory, promotional, win-back, separated by commas, or none (default: introductory).",
      valueName: "kinds"
    )
  )
  package var offers: [String] = []

  @Flag(
    help: "Announce scheduled increases of prices, on pages and to search engines (default: off)."
  )
  package var announceIncreases = false

  @Option(
    help: ArgumentHelp(
      "The product that is first and large on store pages, in stores that sell it and show all products on one page (default: the first product that costs something).",
      valueName: "product"
    )
  )
  package var hero: String?

  @Flag(
    help: "State the date of the prices in the footer of pages, which then change every day (default: off)."
  )
  package var priceDate = false

  @Option(
    help: ArgumentHelp(
      "A folder of messages of the shop's own for templates, as en-US.json, de.json, … (default: none).",
      valueName: "dir"
    ),
    completion: .directory
  )
  package var strings: String?

  @Option(
    help: ArgumentHelp(
      "The contact in the footer of pages: a web, mailto: or tel: address (default: none).",
      valueName: "url"
    )
  )
  package var contact: String?

  @Option(
    help: ArgumentHelp(
      "The URL of the legal notice in the footer of pages (default: none).",
      valueName: "https://…"
    )
  )
  package var imprint: String?

  @Option(
    help: ArgumentHelp(
      "The URL of the privacy policy in the footer of pages (default: none).",
      valueName: "https://…"
    )
  )
  package var privacy: String?

  @Option(
    help: ArgumentHelp(
      "The URL of the terms of use in the footer of pages (default: none).",
      valueName: "https://…"
    )
  )
  package var terms: String?

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
