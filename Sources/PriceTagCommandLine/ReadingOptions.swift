import ArgumentParser
import PriceTag
import PriceTagCatalog
import PriceTagCatalogFormats
import PriceTagText

/// The path of an input: `-` is standard input.
package func inputPath(_ argument: String) -> String { argument == "-" ? "/dev/stdin" : argument }

/// What files mean that do not say it themselves.
package struct ReadingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The format, where ending and contents do not say (\(CatalogFormat.allCases.map(\.rawValue).joined(separator: ", "))).",
      valueName: "format"
    )
  )
  package var from: CatalogFormat?

  @Option(
    help: ArgumentHelp(
      "The storefront of prices that name none; a file that names another one has its prices rejected.",
      valueName: "id"
    ),
    completion: .custom { _, _, _ in LocaleData.embedded.storefronts.map(\.id) }
  )
  package var pricesOf: String?

  @Option(
    help: ArgumentHelp(
      "Read a StoreKit configuration's prices as those of this storefront, whatever storefront the file names.",
      valueName: "id"
    ),
    completion: .custom { _, _, _ in LocaleData.embedded.storefronts.map(\.id) }
  )
  package var reinterpretAs: String?

  @Option(
    help: ArgumentHelp("The language of texts that name none, as Stripe's do.", valueName: "tag")
  )
  package var textsIn: String?

  package init() {}

  package func validate() throws {
    guard pricesOf == nil || reinterpretAs == nil else {
      throw ValidationError(
        "--prices-of is for files that name no storefront, and --reinterpret-as for files that name one: give one of them"
      )
    }
  }
}

extension CatalogFormat: ExpressibleByArgument {}
