import PriceTagBatch
import ProofSupport

/// Compares the formatted prices of batches with ICU's.
@main struct Program {
  static func main() async {
    print("PROOF_SEED=\(BatchComparison.seed)")
    await Proof.run(
      BatchFormat.allCases.map { output -> Proof.Check in
        (output.rawValue, { try BatchComparison(proof: $0).compareRandomRows(output: output) })
      }
    )
  }
}
