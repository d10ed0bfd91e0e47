import Foundation
import PriceTag
import PriceTagBatch
import ProofSupport

/// Compares a batch of random rows with ICU: all locales, all currencies, many amounts.
///
/// The full proof has a million rows, and the usual one a hundred thousand.
struct BatchComparison {
  let proof: Proof
  private var rowCount: Int { proof.isFull ? 1_000_000 : 100_000 }
  /// The seed of the random rows, which differs in each run. To repeat a run, set PROOF_SEED to the seed in its output.
  static let seed =
    ProcessInfo.processInfo.environment["PROOF_SEED"].flatMap { UInt64($0) }
    ?? UInt64.random(in: 0..<1_000_000)

  func compareRandomRows(output: BatchFormat) throws {
    let locales = proof.locales
    let currencies = Proof.currencies
    let perLocale = rowCount / locales.count + 1
    var numbers = SeededNumbers(seed: Self.seed)
    var (compared, mismatches) = (0, [String]())
    for locale in locales {
      // Each locale has a few currencies, each with many amounts.
      let some = currencies.shuffled(using: &numbers).prefix(12)
      var rows = ""
      var expected: [String] = []
      let references = try some.map { currency in
        try require(
          Reference(PriceStyle().skeleton(currency), locale.replacing("-", with: "_")),
          "ICU rejects \(locale) \(currency)"
        )
      }
      for index in 0..<perLocale {
        let place = index % some.count
        let currency = some[some.startIndex + place]
        let digits = Int.random(in: 0...currency.standardDisplay.digits, using: &numbers)
        let size = Int.random(in: 0...62, using: &numbers)
        let amount = try Amount(
          minorUnits: Int64.random(in: -(1 << size)...(1 << size), using: &numbers),
          exponent: digits
        )
        let field = index.isMultiple(of: 3) ? amount.description : "\"\(amount)\""
        rows += "{\"priceLocale\":\"\(locale)\",\"currency\":\"\(currency.code)\",\"amount\":\(field)}\n"
        let text = try require(
          references[place].format(amount.description),
          "ICU does not format \(locale) \(currency) \(amount)"
        )
        expected.append(String(decoding: text, as: UTF8.self))
      }
      var options = BatchOptions()
      options.jobs = 2
      options.output = output
      let (text, rejects) = try Batch(options).format(rows)
      mismatches += rejects.map(\.description)
      let prices = Self.prices(text, output)
      compared += prices.count
      for (price, reference) in zip(prices, expected) where price != reference {
        mismatches.append("\(locale): \(price), ICU \(reference)")
      }
      if prices.count != expected.count {
        mismatches.append("\(locale): \(prices.count) rows of \(expected.count)")
      }
    }
    print("proof, rows to \(output): \(compared) comparisons, \(mismatches.count) mismatches")
    Proof.expect(mismatches.isEmpty, "\(mismatches.prefix(10))")
    Proof.expect(compared >= rowCount, "\(compared) rows of \(rowCount)")
  }

  /// Returns the text after the last key or delimiter of each line. ICU's prices contain no escapes and no line ends.
  private static func prices(_ text: String, _ format: BatchFormat) -> [String] {
    let lines = text.utf8.split(separator: 0x0A)
    switch format {
    case .jsonl:
      let key = Array("\"display\":\"".utf8)
      return lines.map { line in
        let bytes = Array(line)
        let start = bytes.indices.last { bytes[$0...].starts(with: key) } ?? 0
        return String(decoding: bytes[(start + key.count)...].dropLast(2), as: UTF8.self)
      }
    case .csv:
      return lines.dropFirst().map { line in
        let field = Substring(line.split(separator: 0x2C, maxSplits: 3, omittingEmptySubsequences: false)[3])
        guard field.hasPrefix("\"") else { return String(field) }
        return String(field.dropFirst().dropLast()).replacing("\"\"", with: "\"")
      }
    }
  }
}
