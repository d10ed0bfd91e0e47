import ArgumentParser
import PriceTag
import PriceTagCommandLine
import PriceTagText

/// `pricetag format`: amounts in, one display per line out.
struct FormatCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "format",
    abstract: "Write amounts as a store writes them, one per line.",
    discussion: """
      Examples:
        pricetag format --storefront JPN 1200                       ￥1,200
        pricetag format --locale de-CH --currency CHF 1234.50       CHF 1’234.50
        pricetag format --storefront USA --width name 1             1.00 US dollars
        pricetag format --storefront USA --sign accounting -5       ($5.00)
        pricetag format --storefront BGR --at 2025-12-31 5          BGN 5.00

      An amount is decimal text in ASCII digits. One that cannot be displayed exactly is an error, unless --rounding \
      names a mode.
      """
  )

  @Option(
    help: ArgumentHelp("The store: its currency and price locale.", valueName: "id"),
    completion: .custom { _, _, _ in LocaleData.embedded.storefronts.map(\.id) }
  )
  var storefront: String?

  @Option(help: ArgumentHelp("The price locale, BCP 47; wins over the storefront's.", valueName: "tag"))
  var locale: String?

  @Option(
    help: ArgumentHelp(
      "The currency, ISO 4217; beside a storefront it must be the store's.",
      valueName: "code"
    )
  )
  var currency: String?

  @OptionGroup(title: "Style") var style: StyleOptions
  @OptionGroup(title: "Locale data") var data: LocaleDataOptions

  @Flag(help: "Write a JSON object per line, with spoken form, parts and direction.")
  var json = false

  @Argument(help: ArgumentHelp("Amounts, such as 1234.50.", valueName: "amount"))
  var amounts: [String]

  /// What the options ask for.
  var request: FormatRequest {
    FormatRequest(
      storefront: storefront,
      locale: locale,
      currency: currency,
      style: style.style,
      localeData: data.localeData,
      date: data.at,
      writesJSON: json,
      amounts: amounts
    )
  }

  func validate() throws {
    guard request.hasOrigin else {
      throw ValidationError("give --storefront, or both --locale and --currency")
    }
  }

  func run() throws {
    let code = try request.run()
    if code != 0 { throw ExitCode(code) }
  }
}
