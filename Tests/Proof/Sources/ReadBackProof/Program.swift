import PriceTag
import ProofSupport

/// Reads every display back.
@main struct Program {
  static func main() async {
    let widths = PriceStyle.Width.allCases.map { width in
      ("\(width)", { try await ReadBack(proof: $0).everyDisplayMeansItsPrice(width: width) })
        as (String, (Proof) async throws -> Void)
    }
    await Proof.run(
      widths + [
        ("styles", { try await ReadBack(proof: $0).trimmedFractionsAllSignsAndOtherDigits() }),
        ("not-displayed", { try await ReadBack(proof: $0).whatIsNotDisplayedIsNotRead() }),
        ("symbols", { try await ReadBack(proof: $0).everySymbolMeansItsCurrency() }),
        ("short-symbols", { try await ReadBack(proof: $0).aShortSymbolMeansTheCurrencyItIsClearFor() }),
      ]
    )
  }
}
