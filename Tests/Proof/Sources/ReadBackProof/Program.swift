import PriceTag
import ProofSupport

/// Reads every formatted price back, and compares readings of changed prices with a reference.
@main struct Program {
  static func main() async {
    let widths = PriceStyle.Width.allCases.map { width -> Proof.Check in
      ("\(width)", { try await ReadBack(proof: $0).readEveryDisplay(width: width) })
    }
    let others: [Proof.Check] = [
      ("styles", { try await ReadBack(proof: $0).readOtherStyles() }),
      ("not-displayed", { try await ReadBack(proof: $0).readRoundedAndUnsigned() }),
      ("symbols", { try await ReadBack(proof: $0).readEverySymbol() }),
      ("short-symbols", { try await ReadBack(proof: $0).readShortSymbols() }),
      ("mutations", { try await Mutations(proof: $0).compare() }),
    ]
    await Proof.run(widths + others)
  }
}
