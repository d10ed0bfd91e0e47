import ArgumentParser
import PriceTag
import PriceTagCommandLine

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

  func validate() throws {
    if storefront == nil, locale == nil || currency == nil {
      throw ValidationError("give --storefront, or both --locale and --currency")
    }
  }

  func run() throws {
    let origin = PriceOrigin(storefront: storefront, priceLocale: locale, currency: currency)
    let formatter = try origin.formatter(in: data.load(), on: data.at, style: style.style)
    if let last = formatter.currency.lastDay, last < data.at ?? .today {
      let successor = formatter.currency.successor.map { "; \($0) replaced it" } ?? ""
      StandardError.write("pricetag: note: \(formatter.currency) was current until \(last)\(successor)\n")
    }
    var tally = Tally()
    for text in amounts {
      tally.attempt { () throws(PriceTagError) in
        let price = try formatter.format(Amount(decimal: NegativeAmount.unmarked(text)))
        StandardOutput.write((json ? price.json : price.text) + "\n")
      }
    }
    try tally.finish()
  }
}

extension FormattedPrice {
  /// Everything that is known of the price, as a JSON object.
  fileprivate var json: String {
    let parts = parts.map { "{\"type\":\"\($0.type.rawValue)\",\"value\":\(PriceTag.json($0.value))}" }
    let fields: [(String, String)] = [
      ("amount", PriceTag.json(amount.description)),
      ("displayedAmount", PriceTag.json(displayedAmount.description)),
      ("currency", PriceTag.json(currency.code)),
      ("priceLocale", PriceTag.json(locale.identifier)), ("dataLocale", PriceTag.json(locale.dataLocale)),
      ("display", PriceTag.json(text)), ("spoken", PriceTag.json(spoken)),
      ("isolated", PriceTag.json(isolated)),
      ("html", PriceTag.json(html)), ("direction", PriceTag.json(direction.rawValue)),
      ("parts", jsonArray(parts)), ("icu", PriceTag.json(versions.icu)),
      ("cldr", PriceTag.json(versions.cldr)),
    ]
    return jsonObject(fields)
  }
}
