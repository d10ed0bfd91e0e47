import PriceTag
import ProofSupport

/// Compares the core's displays with ICU's.
@main struct Program {
  static func main() async {
    let widths = PriceStyle.Width.allCases.map { width in
      ("\(width)", { try await ExhaustiveComparison(proof: $0).everyLocaleAndCurrency(width: width) })
        as (String, (Proof) async throws -> Void)
    }
    await Proof.run(
      widths + [
        ("storefronts", { try await ExhaustiveComparison(proof: $0).everyStorefront() }),
        ("full-names", { try await ExhaustiveComparison(proof: $0).noLocaleRepeatsACurrency() }),
        ("styles", { try await ExhaustiveComparison(proof: $0).trimmedFractionsAndOtherSigns() }),
        ("rounding", { try await ExhaustiveComparison(proof: $0).everyRoundingMode() }),
        ("default-locales", { try await ExhaustiveComparison(proof: $0).theProcesssLocaleChangesNothing() }),
      ]
    )
  }
}
