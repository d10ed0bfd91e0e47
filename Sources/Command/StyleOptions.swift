import ArgumentParser
import PriceTag

extension PriceStyle.Width: ExpressibleByArgument {}
extension PriceStyle.Zeros: ExpressibleByArgument {}
extension PriceStyle.Sign: ExpressibleByArgument {}
extension RoundingMode: ExpressibleByArgument {}

/// The style flags, the same wherever prices are formatted.
struct StyleOptions: ParsableArguments {
  @Option(help: "How the currency is named.")
  var width: PriceStyle.Width = .standard

  @Option(help: "Whether a fraction of zeros is written.")
  var zeros: PriceStyle.Zeros = .keep

  @Option(help: "When a sign is written, and how.")
  var sign: PriceStyle.Sign = .auto

  @Option(
    help: ArgumentHelp("Digits after the decimal point: standard, cash or 0 to 18.", valueName: "digits"),
    completion: .list(["standard", "cash"] + (0...4).map(String.init)),
    transform: { text in
      do { return try PriceStyle.Digits(text) } catch { throw ValidationError("\(error)") }
    }
  )
  var digits: PriceStyle.Digits = .standard

  @Option(help: "What happens to digits that are not displayed; exact refuses them.")
  var rounding: RoundingMode = .exact

  var style: PriceStyle {
    PriceStyle(width: width, zeros: zeros, sign: sign, digits: digits, rounding: rounding)
  }
}
