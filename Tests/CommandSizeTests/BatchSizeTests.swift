import CommandLineTools
import Foundation
import SeededNumbers
import Testing

/// The memory of a batch does not grow with its input: a million rows, or ten million with `make soak`.
@Suite struct BatchSizeTests {
  private static let rowCount = ComparisonShare.isFull ? 10_000_000 : 1_000_000

  /// A Python program that runs a command, and prints the peak of its memory, which the system knows after the end.
  private static let measuring = """
    import resource, subprocess, sys
    status = subprocess.call(sys.argv[1:])
    print("status", status, "peak", resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=sys.stderr)
    """

  /// Runs a batch with limited memory, and returns its peak in KB.
  private func run(_ rows: Int, _ row: String, _ flags: String, start: String = "", end: String = "") throws
    -> (
      outcome: CommandLineTool.Outcome, peak: Int
    )
  {
    let outcome = try CommandLineTool.shell(
      """
      (printf '\(start)'; yes '\(row)' | head -\(rows); printf '\(end)') | (
        ulimit -S -d 131072
        python3 -c '\(Self.measuring)' pricetag batch - --jobs 2 \(flags)
      ) 2>&1 | tail -2
      """
    )
    let words = outcome.output.split(whereSeparator: \.isWhitespace)
    return (outcome, words.last.flatMap { Int($0) } ?? Int.max)
  }

  static let cases: [(name: String, row: String, flags: String)] = [
    ("rows", #"{"storefront":"JPN","amount":"1200","id":"com.example.level1"}"#, "-o /dev/null"),
    (
      "other fields, as CSV", #"{"storefront":"JPN","amount":"1200","id":"com.example.level1"}"#,
      "--fields spoken,html --to csv -o /dev/null"
    ),
    ("rejected rows", #"{"storefront":"USX","amount":"1"}"#, "--rejects /dev/null >/dev/null"),
  ]

  @Test(arguments: cases)
  func usesConstantMemory(name: String, row: String, flags: String) throws {
    let few = try run(10_000, row, flags)
    let many = try run(Self.rowCount, row, flags)
    #expect(many.outcome.output.contains("rows: \(Self.rowCount) read"), "\(many.outcome.report)")
    #expect(many.peak < 64 << 10, "\(name): \(many.peak) KB")
    #expect(many.peak < few.peak + (8 << 10), "\(name): \(few.peak) KB, then \(many.peak) KB")
  }

  @Test func usesConstantMemoryForArray() throws {
    let row = #"{"storefront":"JPN","amount":"1200","id":"com.example.level1"}"#
    let array = try run(Self.rowCount, row + ",", "-o /dev/null", start: "[", end: row + "]")
    #expect(array.outcome.output.contains("rows: \(Self.rowCount + 1) read"), "\(array.outcome.report)")
    #expect(array.peak < 64 << 10, "\(array.peak) KB")
  }

  @Test func usesConstantMemoryForWideSheet() throws {
    let columns = (0..<100).map { "JP\($0)" }.joined(separator: ",")
    let mapped = ["JPN", "USA", "DEU", "FRA", "GBR"].enumerated().map { "--map JP\($0)=amount@\($1)" }
    let cells = Array(repeating: "1200", count: 100).joined(separator: ",")
    let flags = mapped.joined(separator: " ") + " -o /dev/null"
    let sheet = try run(Self.rowCount / 100, cells, flags, start: columns + "\\n")
    #expect(sheet.outcome.output.contains("rows: \(Self.rowCount / 20) read"), "\(sheet.outcome.report)")
    #expect(sheet.peak < 64 << 10, "\(sheet.peak) KB")
  }
}
