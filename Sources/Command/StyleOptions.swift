import ArgumentParser
import PriceTag

extension PriceStyle.Width: ExpressibleByArgument {}
extension PriceStyle.Zeros: ExpressibleByArgument {}
extension PriceStyle.Sign: ExpressibleByArgument {}
extension PriceStyle.Grouping: ExpressibleByArgument {}
extension PriceStyle.Notation: ExpressibleByArgument {}
extension PriceStyle.Qualifier: ExpressibleByArgument {}

/// The options that determine the price locale and the currency.
struct StoreOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The storefront, such as USA or US. It determines the currency and the price locale.",
      valueName: "id"
    ),
    completion: .storefronts
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
      "The currency, ISO 4217 or custom. With --storefront, it must be one that the storefront charges.",
      valueName: "code"
    )
  )
  var currency: String?

  var origin: PriceOrigin { PriceOrigin(storefront: storefront, priceLocale: locale, currency: currency) }

  func validate() throws {
    guard storefront != nil || (locale != nil && currency != nil) else {
      throw ValidationError("the option --storefront is missing; add it, or add both --locale and --currency")
    }
  }
}

/// The style options of all verbs that format prices.
struct StyleOptions: ParsableArguments {
  @Option(
    help: """
      The form of the currency: the usual, shortest, formal, variant or unambiguous symbol, the ISO 4217 code, the name, \
      or no currency.
      """
  )
  var width: PriceStyle.Width = .standard

  @Option(help: "Whether to keep or trim decimals that are all zero.")
  var zeros: PriceStyle.Zeros = .keep

  @Option(help: "Which amounts have a sign, and whether negative amounts have the locale's accounting form.")
  var sign: PriceStyle.Sign = .auto

  @Option(
    help: """
      The number of decimals: standard or cash (CLDR's), minor-units (ISO 4217's), 0 to 18, or a minimum and a maximum \
      such as 0-2 (default: standard).
      """,
    completion: .list(["standard", "cash", "minor-units", "0-2"] + (0...4).map(String.init)),
    transform: { try PriceStyle.Digits($0) }
  )
  var digits: PriceStyle.Digits = .standard

  @Option(
    help: "The rounding mode for decimals that are not displayed. With exact, such an amount is an error."
  )
  var rounding: RoundingMode = .exact

  @Option(
    help: """
      Which numbers have groups of digits: those of the locale (auto), all from four digits on, those whose first group \
      has two digits, or none.
      """
  )
  var grouping: PriceStyle.Grouping = .auto

  @Option(
    help: ArgumentHelp(
      "The digits: a decimal numbering system of CLDR, such as latn, arab or deva (default: that of the price locale).",
      valueName: "name"
    ),
    completion: .list(["latn", "arab", "arabext", "beng", "deva"]),
    transform: { try PriceStyle.numberingSystem($0) }
  )
  var numbering: String?

  @Option(
    help:
      "All digits of large amounts, or CLDR's compact form: $1.2M, or with --width name 1.2 million US dollars."
  )
  var notation: PriceStyle.Notation = .standard

  @Option(
    help: "The mark of an amount that is not the exact price: none, about (~$5.00) or at least ($5.00+)."
  )
  var qualifier: PriceStyle.Qualifier = .none

  @OptionGroup var form: FormOption

  func validate() throws {
    do { try style.checkConsistency() } catch { throw ValidationError("\(error)") }
  }

  var style: PriceStyle {
    PriceStyle(
      width: width,
      zeros: zeros,
      sign: sign,
      digits: digits,
      rounding: rounding,
      grouping: grouping,
      numberingSystem: numbering,
      notation: notation,
      qualifier: qualifier,
      writtenAs: form.writtenAs
    )
  }
}

/// The option of all verbs that write prices.
struct FormOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Who decides how a price is written: icu, or store-web for the form of the store's web pages; where it depends on \
      the language of the page, store-web:LANGUAGE (default: icu).
      """,
      valueName: "form"
    ),
    completion: .list(["icu", "store-web", "store-web:en"]),
    transform: { try PriceStyle.WrittenAs($0) }
  )
  var writtenAs: PriceStyle.WrittenAs = .icu
}
