import PriceTag
import ProofSupport

/// Compares the core's formatted prices with ICU's.
@main struct Program {
  static func main() async {
    let widths = PriceStyle.Width.allCases.map { width -> Proof.Check in
      ("\(width)", { try await ExhaustiveComparison(proof: $0).everyLocaleAndCurrency(width: width) })
    }
    let others: [Proof.Check] = [
      ("storefronts", { try await ExhaustiveComparison(proof: $0).everyStorefront() }),
      ("full-names", { try await ExhaustiveComparison(proof: $0).writesEachCurrencyOnce() }),
      ("styles", { try await ExhaustiveComparison(proof: $0).otherStyles() }),
      ("options", { try await ExhaustiveComparison(proof: $0).everyOption() }),
      ("numbering-systems", { try await ExhaustiveComparison(proof: $0).everyNumberingSystem() }),
      ("rounding", { try await ExhaustiveComparison(proof: $0).everyRoundingMode() }),
      ("default-locales", { try await ExhaustiveComparison(proof: $0).ignoresDefaultLocale() }),
    ]
    let forms: [Proof.Check] = [
      ("ranges", { try await FormComparison(proof: $0).everyRange() }),
      ("approximations", { try await FormComparison(proof: $0).everyApproximation() }),
      ("at-least", { try await FormComparison(proof: $0).everyAtLeast() }),
      ("unit-prices", { try await FormComparison(proof: $0).everyUnitPrice() }),
      ("compact", { try await CompactComparison(proof: $0).everyLocale() }),
      ("compact-styles", { try await CompactComparison(proof: $0).otherStyles() }),
      ("compact-rounding", { try await CompactComparison(proof: $0).everyRoundingMode() }),
      ("compact-ranges", { try await CompactComparison(proof: $0).everyRange() }),
      ("custom-currencies", { try await CustomCurrencyComparison(proof: $0).everyLocale() }),
    ]
    await Proof.run(widths + others + forms)
  }
}
