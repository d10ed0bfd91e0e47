import Foundation
import ICUFormatter
import PriceTag
import ProofSupport

/// Writes vectors: prices that every host must format in the same way.
///
///     Vectors packs                prints the packs that the vectors need: a file and the arguments of `pricetag pack`
///     Vectors write FOLDER ROWS    writes FOLDER/vectors.tsv
///     Vectors check FOLDER         formats the rows with the library, from the packs in FOLDER
@main struct Program {
  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    switch (arguments.first, arguments.count) {
    case ("packs", 1):
      for pack in VectorPack.all { print(([pack.file] + pack.options).joined(separator: "\t")) }
    case ("write", 3):
      guard let rows = Int(arguments[2]), rows > 0 else { fallthrough }
      try await write(to: arguments[1], rows)
    case ("check", 2):
      var check = VectorCheck(folder: arguments[1])
      if try !check.run() { exit(1) }
    default:
      print("usage: Vectors packs | Vectors write FOLDER ROWS | Vectors check FOLDER")
      exit(2)
    }
  }

  /// The number of formatters whose rows are written together.
  private static let chunkSize = 100

  private static func write(to folder: String, _ rowCount: Int) async throws {
    let writer = VectorWriter(rowCount: rowCount)
    let chunks = stride(from: 0, to: writer.formatterCount, by: chunkSize).map {
      $0..<min($0 + chunkSize, writer.formatterCount)
    }
    let lanes = max(1, ProcessInfo.processInfo.activeProcessorCount)
    let written = try await withThrowingTaskGroup(of: [(Int, VectorLines, VectorWriter.Findings)].self) {
      group in
      for lane in 0..<lanes {
        group.addTask {
          try chunks.indices.filter { $0 % lanes == lane }.map { index in
            let (lines, findings) = try writer.rows(chunks[index])
            return (index, lines, findings)
          }
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }.sorted { $0.0 < $1.0 }
    }
    var file = writer.head
    var findings = VectorWriter.Findings()
    let failures = writer.failures()
    for (lines, found) in written.map({ ($0.1, $0.2) }) + [failures] {
      file.append(lines)
      findings.add(found)
    }
    try Data(file.bytes).write(to: URL(fileURLWithPath: folder).appendingPathComponent("vectors.tsv"))
    report(findings, writer)
  }

  /// Prints what the vectors contain, and exits with 1 if a price differs from ICU's, or if something is missing.
  private static func report(_ findings: VectorWriter.Findings, _ writer: VectorWriter) {
    func values(_ kind: String) -> Int { findings.values[kind, default: []].count }
    print(
      """
      \(findings.rows) rows: \(findings.texts) prices, \(findings.errors) errors of \(values("errors")) kinds; \
      \(values("locales")) locales, \(values("currencies")) currencies, \(values("storefronts")) storefronts, \
      \(values("styles")) styles, \(values("rounding modes")) rounding modes
      compared with ICU \(Versions.current.icu): \(findings.comparisons), \(findings.mismatches.count) mismatches
      """
    )
    for (departure, count) in findings.departures.sorted(by: { $0.key < $1.key }) {
      print("departures: \(departure): \(count)")
    }
    for mismatch in findings.mismatches.prefix(20) { print("FAILED: \(mismatch)") }
    let currencies = Set(VectorPack.currencies.map(\.code))
    let complete =
      (VectorPack.isNamed || values("locales") == VectorPack.locales.count)
      && (VectorPack.isNamed || findings.values["currencies", default: []].isSuperset(of: currencies))
      && values("storefronts") == LocaleData.embedded.storefronts.count
      && values("styles") == writer.styles.count
      && values("rounding modes") == RoundingMode.allCases.count
    if !complete {
      print(
        "FAILED: the rows do not have every locale, currency, storefront, style and rounding mode; write more rows"
      )
    }
    let isCompared = !VectorPack.isComparable || findings.comparisons * 2 >= findings.rows
    if !complete || !findings.mismatches.isEmpty || !isCompared { exit(1) }
  }
}
