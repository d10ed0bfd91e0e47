import Foundation
import PriceTag
import PriceTagBatch
import ProofSupport

/// Random rows through the batch, and ICU's own answer for each: all locales, all currencies, many amounts.
///
/// The full proof takes a million rows, the usual one a hundred thousand.
struct BatchComparison {
  let proof: Proof
  private var rowCount: Int { proof.isFull ? 1_000_000 : 100_000 }
  /// Other rows in each run. PROOF_SEED repeats those of another one, whose seed is in its output.
  static let seed =
    ProcessInfo.processInfo.environment["PROOF_SEED"].flatMap { UInt64($0) }
    ?? UInt64.random(in: 0..<1_000_000)

  func randomRowsAreICUs(output: BatchFormat) throws {
    let locales = proof.locales
    let currencies = Proof.currencies
    let perLocale = rowCount / locales.count + 1
    var numbers = SeededNumbers(seed: Self.seed)
    var (compared, mismatches) = (0, [String]())
    for locale in locales {
      // Each locale has a few of the currencies, of which each has many amounts.
      let some = currencies.shuffled(using: &numbers).prefix(12)
      var rows = ""
      var expected: [String] = []
      let references = try some.map { currency in
        try require(
          Reference(PriceStyle().skeleton(currency), locale.replacing("-", with: "_")),
          "ICU refuses \(locale) \(currency)"
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
      let displays = Self.displays(text, output)
      compared += displays.count
      for (display, reference) in zip(displays, expected) where display != reference {
        mismatches.append("\(locale): \(display), ICU \(reference)")
      }
      if displays.count != expected.count {
        mismatches.append("\(locale): \(displays.count) rows of \(expected.count)")
      }
    }
    print("proof, rows to \(output): \(compared) comparisons, \(mismatches.count) mismatches")
    Proof.expect(mismatches.isEmpty, "\(mismatches.prefix(10))")
    Proof.expect(compared >= rowCount, "\(compared) rows of \(rowCount)")
  }

  /// What stands behind the last key or delimiter of each line; no display of ICU's has an escape, or a line end.
  private static func displays(_ text: String, _ format: BatchFormat) -> [String] {
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
