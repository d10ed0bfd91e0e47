import Foundation
import PriceTag
import PriceTagReading
import ProofSupport

/// Compares what changed prices are read as with `Tests/Proof/read_reference.py`, a reader in Python that follows the rules of
/// `docs/reading.md`.
struct Mutations {
  let proof: Proof

  /// The number of texts of a formatter: ten million in the full proof.
  private var countPerFormatter: Int { proof.isFull ? 14_300 : 1000 }

  private static let styles = [
    PriceStyle(), PriceStyle(width: .iso), PriceStyle(sign: .accounting), PriceStyle(width: .narrow),
  ]

  private static let script = URL(filePath: #filePath).appending(path: "../../../read_reference.py")
    .standardized

  func compare() async throws {
    let all = LocaleData.embedded.storefronts.map(\.id)
    let storefronts = all.indices.filter { proof.isFull || $0.isMultiple(of: 8) }.map { all[$0] }
    let found = try await proof.collect(storefronts) { id, index in
      var lines = Data()
      var numbers = SeededNumbers(seed: UInt64(index))
      for style in Self.styles {
        let formatter = try PriceFormatter(storefront: Storefront(id), style: style)
        var form = try WrittenForm(formatter)
        let reader = PriceReader(formatter)
        for _ in 0..<countPerFormatter {
          let text = try Self.text(of: formatter, &numbers)
          form.reads.append([text, Self.amount(reader, text, .strict), Self.amount(reader, text, .lenient)])
        }
        lines += try JSONEncoder().encode(form) + Data("\n".utf8)
      }
      return try Self.compared(lines)
    }
    let sum = { (index: Int) in found.map { $0.counts[index] }.reduce(0, +) }
    print(
      "proof, mutations: \(sum(0)) texts, \(sum(1)) read leniently, \(sum(2)) differences from the reference"
    )
    Proof.expect(sum(2) == 0, "\(found.flatMap(\.differences).prefix(10))")
    Proof.expect(sum(0) == storefronts.count * Self.styles.count * countPerFormatter, "texts are missing")
    Proof.expect(sum(1) > sum(0) / 20, "too few texts are prices")
  }

  /// Returns the amount in the formatter's own currency; `nil` for a text that is not one.
  private static func amount(_ reader: PriceReader, _ text: String, _ strictness: PriceReader.Strictness)
    -> String?
  {
    guard let price = try? reader.read(text, strictness), price.currency == reader.formatter.currency else {
      return nil
    }
    return price.amount.description
  }

  /// Runs the reference, and returns its counts (texts, prices, differences) and the differences.
  private static func compared(_ lines: Data) throws -> (counts: [Int], differences: [Substring]) {
    let file = FileManager.default.temporaryDirectory.appending(path: "pricetag-\(UUID().uuidString).jsonl")
    try lines.write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let (process, output) = (Process(), Pipe())
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", script.path]
    process.standardInput = try FileHandle(forReadingFrom: file)
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let printed = text.split(separator: "\n")
    let counts = printed.last?.split(separator: " ").compactMap { Int($0) } ?? []
    return (try require(counts.count == 3 ? counts : nil, "the reference failed"), printed.dropLast())
  }

  // MARK: Texts

  private static let separators = [
    ".", ",", "'", "\u{2019}", " ", "\u{A0}", "\u{202F}", "\u{2009}", "\u{66B}", "\u{66C}", "\u{B7}", "_",
    "\u{FF0C}",
    "\u{FF0E}",
  ]
  private static let symbols = [
    "$", "€", "£", "\u{A5}", "\u{FFE5}", "\u{FF04}", "CHF", "USD", "kr", "R", "-", "\u{2212}", "+", "(", ")",
    "\u{200E}",
    "\u{200F}", "\u{61C}", "\u{200B}", "\u{202E}", "%", "K",
  ]

  /// Returns a price with one to three changes: a part that is deleted, swapped, inserted or replaced.
  private static func text(of formatter: PriceFormatter, _ numbers: inout SeededNumbers) throws -> String {
    let limit = (1...numbers.number(1...12)).reduce(1) { limit, _ in limit * 10 }
    let minorUnits = Int64(numbers.number(0...limit)) * (numbers.isOne(in: 4) ? -1 : 1)
    let amount = try Amount(minorUnits: minorUnits, exponent: formatter.display.digits)
    var scalars = Array(try formatter.string(for: amount).unicodeScalars)
    let digits = (0...9).map(String.init) + ["\u{665}", "\u{967}", "\u{FF15}"]
    for _ in 0..<numbers.pick([1, 1, 1, 2, 3]) where !scalars.isEmpty {
      let place = numbers.number(0...scalars.count - 1)
      let inserted = numbers.pick(
        [digits, Self.separators, Self.symbols, [formatter.currency.code, String(scalars[place])]][
          numbers.number(0...3)
        ]
      )
      switch numbers.number(0...4) {
      case 0: scalars.remove(at: place)
      case 1: scalars.swapAt(place, numbers.number(0...scalars.count - 1))
      case 2: scalars.insert(contentsOf: inserted.unicodeScalars, at: numbers.number(0...scalars.count))
      default: scalars.replaceSubrange(place...place, with: inserted.unicodeScalars)
      }
    }
    return String(String.UnicodeScalarView(scalars))
  }

  /// How a formatter writes prices, learned from what it writes, and what texts were read as.
  private struct WrittenForm: Encodable {
    let formatter: String
    let names: [String]
    let digits: String
    let fraction: Int
    var group = ""
    let decimal: String
    var sizes = [3, 3]
    /// The number of digits from which the integer has groups.
    var minimum = 99
    let positive: [String]
    let negative: [String]
    /// Each text with the amounts that a strict and a lenient reader read.
    var reads: [[String?]] = []

    init(_ formatter: PriceFormatter) throws {
      self.formatter = "\(formatter.locale) \(formatter.currency) \(formatter.style)"
      let ten = try formatter.format("9876543210").parts
      digits = String(ten.filter { $0.type == .integer }.map(\.value).joined().reversed())
      fraction = formatter.display.digits
      let one = try formatter.format("1").parts
      names = [formatter.currency.code] + one.filter { $0.type == .symbol }.map(\.value)
      for count in 1...13 {
        let parts = try formatter.format(Amount(decimal: "1" + String(repeating: "0", count: count - 1)))
          .parts
        guard let separator = parts.first(where: { $0.type == .group }) else { continue }
        minimum = min(minimum, count)
        group = separator.value
        let counts = parts.filter { $0.type == .integer }.map(\.value.unicodeScalars.count)
        sizes = [counts.last ?? 3, counts.count > 2 ? counts[counts.count - 2] : counts.last ?? 3]
      }
      func sides(_ parts: [FormattedPrice.Part]) throws -> [String] {
        let first = try require(parts.firstIndex { $0.type == .integer }, "no digits")
        let last = try require(parts.lastIndex { [.integer, .fraction].contains($0.type) }, "no digits")
        return [parts[..<first], parts[(last + 1)...]].map { $0.map(\.value).joined() }
      }
      positive = try sides(one)
      negative = try sides(formatter.format("-1").parts)
      let integer = try require(one.lastIndex { $0.type == .integer }, "no digits")
      let end = one.firstIndex { $0.type == .fraction } ?? integer + 1
      decimal = one[(integer + 1)..<end].map(\.value).joined()
    }
  }
}
