import ArgumentParser
import PriceTag
import PriceTagCommandLine
import PriceTagText

/// `pricetag format` formats amounts for a storefront.
struct FormatCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "format",
    abstract: "Format prices for a storefront.",
    discussion: """
      Prints one price per line. An amount is a decimal number in ASCII digits. An amount with more decimals than the \
      currency displays is an error, unless --rounding allows rounding.

      Examples:
        pricetag format --storefront JPN 1200                       ￥1,200
        pricetag format --locale de-CH --currency CHF 1234.50       CHF 1’234.50
        pricetag format --storefront USA --width name 1             1.00 US dollars
        pricetag format --storefront USA --sign accounting -5       ($5.00)
        pricetag format --storefront BGR --at 2025-12-31 5          BGN 5.00
        pricetag format --storefront DEU 0.99 --to 4.99             0,99–4,99 €
        pricetag format --storefront USA --grouping never 1234      $1234.00

      Exit codes: 0 all amounts were formatted; 1 no amount was formatted; 2 the command line is wrong; 3 some amounts \
      were rejected.
      """
  )

  @Option(
    help: ArgumentHelp(
      "The storefront, such as USA or US. It determines the currency and the price locale.",
      valueName: "id"
    ),
    completion: .custom { _, _, _ in LocaleData.embedded.storefronts.map(\.id) }
  )
  var storefront: String?

  @Option(
    help: ArgumentHelp(
      "The price locale, BCP 47. It takes precedence over the storefront's.",
      valueName: "tag"
    )
  )
  var locale: String?

  @Option(
    help: ArgumentHelp(
      "The currency, ISO 4217. With --storefront, it must be the storefront's currency.",
      valueName: "code"
    )
  )
  var currency: String?

  @Option(
    help: ArgumentHelp(
      "The upper bound of a range, which starts at the only amount.",
      valueName: "amount"
    )
  )
  var to: String?

  @OptionGroup(title: "Style") var style: StyleOptions
  @OptionGroup(title: "Locale data") var data: LocaleDataOptions

  @Flag(help: "Print one JSON object per line, with spoken form, parts and direction.")
  var json = false

  @Argument(help: ArgumentHelp("The amounts, such as 1234.50.", valueName: "amount"))
  var amounts: [String]

  /// The request of the options.
  var request: FormatRequest {
    FormatRequest(
      storefront: storefront,
      locale: locale,
      currency: currency,
      style: style.style,
      localeData: data.localeData,
      date: data.at,
      writesJSON: json,
      amounts: amounts,
      upperAmount: to
    )
  }

  func validate() throws {
    guard request.hasOrigin else {
      throw ValidationError("the option --storefront is missing; add it, or add both --locale and --currency")
    }
    guard request.hasOneLowerBound else {
      throw ValidationError(
        "the option --to cannot be combined with \(amounts.count) amounts; pass one amount, the lower bound of the range"
      )
    }
  }

  func run() throws {
    let code = try request.run()
    if code != 0 { throw ExitCode(code) }
  }
}
