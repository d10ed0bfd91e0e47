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
        pricetag format --storefront DEU --content "0.75 L" 5.25    7,00 €/l
        pricetag format --storefront USA --installments 4 100   4 payments of $25.00

      Exit codes: 0 all amounts were formatted; 1 no amount was formatted; 2 the command line is wrong; 3 some amounts \
      were rejected.
      """
  )

  @OptionGroup var store: StoreOptions

  @Option(
    help: ArgumentHelp(
      "The upper bound of a range, which starts at the only amount.",
      valueName: "amount"
    )
  )
  var to: String?

  @Option(help: "The content of the product, such as 0.75 L or 6x330ml. Prints the price per reference unit.")
  var content: String?

  @Option(
    help: ArgumentHelp(
      "The reference unit of --content, such as kg or 100ml (default: that of the content's unit).",
      valueName: "reference"
    )
  )
  var per: String?

  @Flag(help: "Convert between metric and US customary units for the unit price.")
  var convertUnits = false

  @Option(
    help: ArgumentHelp(
      "Prints a text of this number of payments, of which the last one makes the sum exact.",
      valueName: "number"
    )
  )
  var installments: Int?

  @Option(
    help: ArgumentHelp(
      "The UI language of the text of --installments, and of a price per piece, BCP 47 (default: that of the store).",
      valueName: "tag"
    )
  )
  var language: String?

  @Flag(help: "Fail for a language without UI strings, instead of using the default language of the store.")
  var strictLanguage = false

  @OptionGroup(title: "Style") var style: StyleOptions
  @OptionGroup(title: "Locale data") var data: LocaleDataOptions

  @Flag(help: "Print one JSON object per line, with spoken form, parts and direction.")
  var json = false

  @Argument(help: ArgumentHelp("The amounts, such as 1234.50.", valueName: "amount"))
  var amounts: [String]

  /// The request of the options.
  var request: FormatRequest {
    FormatRequest(
      storefront: store.storefront,
      locale: store.locale,
      currency: store.currency,
      style: style.style,
      localeData: data.source.localeData,
      pack: data.source.pack,
      day: data.at,
      writesJSON: json,
      amounts: amounts,
      upperAmount: to,
      content: content,
      reference: per,
      convertsUnits: convertUnits,
      installments: installments,
      language: language,
      isLanguageStrict: strictLanguage
    )
  }

  func validate() throws {
    if let conflict = request.conflict { throw ValidationError(conflict) }
  }

  func run() throws {
    let code = try request.run()
    if code != 0 { throw ExitCode(code) }
  }
}
