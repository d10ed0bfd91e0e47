import ArgumentParser
import PriceTag
import PriceTagPages
import PriceTagText

/// What pages say of a shop, and how they look.
package struct ShopOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("What the shop is called (default: the reader's word for a store).", valueName: "name")
  )
  package var shop: String?

  @Option(help: ArgumentHelp("The shop's logo: a web address, or a path in the site.", valueName: "address"))
  package var logo: String?

  @Option(
    help: ArgumentHelp(
      "Where the site will be served, for search engines: canonical addresses and sitemap.xml need it.",
      valueName: "https://…"
    )
  )
  package var url: String?

  @Option(
    help: ArgumentHelp(
      "Where the buttons lead, with {product}, {storefront} and {language} in it (default: a script of the shop's takes them).",
      valueName: "https://…"
    )
  )
  package var checkout: String?

  @Option(
    help: ArgumentHelp(
      "Colours, as name=#rrggbb,…: \(Theme.Role.allCases.map(\.rawValue).joined(separator: ", ")), and the same with dark- before them.",
      valueName: "colours"
    )
  )
  package var theme: [String] = []

  @Option(
    help: ArgumentHelp("A folder of Mustache templates that replace the embedded ones.", valueName: "dir"),
    completion: .directory
  )
  package var templates: String?

  @Option(
    help: ArgumentHelp(
      "A folder of the shop's own files, such as pictures, to be part of the site.",
      valueName: "dir"
    ),
    completion: .directory
  )
  package var assets: String?

  package init() {}

  /// The shop that the options say.
  package func made() throws -> Shop {
    try Shop(name: shop, logo: logo, url: url, checkout: checkout, theme: Theme(Self.colors(theme)))
  }

  /// The colours of a theme, by their names.
  package static func colors(_ theme: [String]) throws -> [String: String] {
    var colors: [String: String] = [:]
    for part in theme.flatMap({ $0.split(separator: ",") }) {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard pair.count == 2 else {
        throw ValidationError("\(quoted(part)) is no colour of a theme: give one such as accent=#8a2be2")
      }
      guard colors.updateValue(String(pair[1]), forKey: String(pair[0])) == nil else {
        throw ValidationError("--theme names \(quoted(pair[0])) twice: give it one colour")
      }
    }
    return colors
  }
}
