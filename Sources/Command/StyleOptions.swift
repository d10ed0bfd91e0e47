import ArgumentParser
import PriceTag

extension PriceStyle.Width: ExpressibleByArgument {}
extension PriceStyle.Zeros: ExpressibleByArgument {}
extension PriceStyle.Sign: ExpressibleByArgument {}
extension RoundingMode: ExpressibleByArgument {}

/// The style options of all verbs that format prices.
struct StyleOptions: ParsableArguments {
  @Option(
    help: "The form of the currency: the usual symbol, the shortest symbol, the ISO 4217 code, or the name."
  )
  var width: PriceStyle.Width = .standard

  @Option(help: "Whether to keep or trim decimals that are all zero.")
  var zeros: PriceStyle.Zeros = .keep

  @Option(help: "Which amounts have a sign: negative ones, negative ones in accounting style, all, or none.")
  var sign: PriceStyle.Sign = .auto

  @Option(
    help: ArgumentHelp(
      "The number of decimals: standard or cash for those of the currency, or 0 to 18 (default: standard).",
      valueName: "digits"
    ),
    completion: .list(["standard", "cash"] + (0...4).map(String.init)),
    transform: { text in
      do { return try PriceStyle.Digits(text) } catch { throw ValidationError("\(error)") }
    }
  )
  var digits: PriceStyle.Digits = .standard

  @Option(
    help: "The rounding mode for decimals that are not displayed. With exact, such an amount is an error."
  )
  var rounding: RoundingMode = .exact

  var style: PriceStyle {
    PriceStyle(width: width, zeros: zeros, sign: sign, digits: digits, rounding: rounding)
  }
}
