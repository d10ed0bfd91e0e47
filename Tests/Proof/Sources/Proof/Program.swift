import PriceTag
import ProofSupport

/// Compares the core's displays with ICU's.
@main struct Program {
  static func main() async {
    let widths = PriceStyle.Width.allCases.map { width -> Proof.Check in
      ("\(width)", { try await ExhaustiveComparison(proof: $0).everyLocaleAndCurrency(width: width) })
    }
    let others: [Proof.Check] = [
      ("storefronts", { try await ExhaustiveComparison(proof: $0).everyStorefront() }),
      ("full-names", { try await ExhaustiveComparison(proof: $0).noLocaleRepeatsACurrency() }),
      ("styles", { try await ExhaustiveComparison(proof: $0).trimmedFractionsAndOtherSigns() }),
      ("rounding", { try await ExhaustiveComparison(proof: $0).everyRoundingMode() }),
      ("default-locales", { try await ExhaustiveComparison(proof: $0).theProcesssLocaleChangesNothing() }),
    ]
    await Proof.run(widths + others)
  }
}
