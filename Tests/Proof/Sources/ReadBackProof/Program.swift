import PriceTag
import ProofSupport

/// Reads every display back.
@main struct Program {
  static func main() async {
    let widths = PriceStyle.Width.allCases.map { width -> Proof.Check in
      ("\(width)", { try await ReadBack(proof: $0).everyDisplayMeansItsPrice(width: width) })
    }
    let others: [Proof.Check] = [
      ("styles", { try await ReadBack(proof: $0).trimmedFractionsAllSignsAndOtherDigits() }),
      ("not-displayed", { try await ReadBack(proof: $0).whatIsNotDisplayedIsNotRead() }),
      ("symbols", { try await ReadBack(proof: $0).everySymbolMeansItsCurrency() }),
      ("short-symbols", { try await ReadBack(proof: $0).aShortSymbolMeansTheCurrencyItIsClearFor() }),
    ]
    await Proof.run(widths + others)
  }
}
