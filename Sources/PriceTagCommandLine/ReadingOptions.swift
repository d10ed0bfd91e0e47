import ArgumentParser
import PriceTag
import PriceTagCatalog
import PriceTagCatalogFormats
import PriceTagText

/// Returns the path of an input. `-` is standard input.
package func inputPath(_ argument: String) -> String { argument == "-" ? "/dev/stdin" : argument }

/// Facts about input files that the files do not state.
package struct ReadingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The format of the files (default: detected from name and contents).",
      valueName: "format"
    )
  )
  package var from: CatalogFormat?

  @Option(
    help: ArgumentHelp(
      "The storefront of prices in files that name no storefront. Prices of a file that names another one are rejected.",
      valueName: "id"
    ),
    completion: .custom { _, _, _ in LocaleData.embedded.storefronts.map(\.id) }
  )
  package var pricesOf: String?

  @Option(
    help: ArgumentHelp(
      "The storefront as which to read the prices of a StoreKit configuration, instead of the one that the file names.",
      valueName: "id"
    ),
    completion: .custom { _, _, _ in LocaleData.embedded.storefronts.map(\.id) }
  )
  package var reinterpretAs: String?

  @Option(
    help: ArgumentHelp(
      "The language of texts in files that name no language, such as Stripe's.",
      valueName: "tag"
    )
  )
  package var textsIn: String?

  package init() {}

  package func validate() throws {
    guard pricesOf == nil || reinterpretAs == nil else {
      throw ValidationError(
        "--prices-of and --reinterpret-as cannot be combined; remove one"
      )
    }
  }
}

extension CatalogFormat: ExpressibleByArgument {}
