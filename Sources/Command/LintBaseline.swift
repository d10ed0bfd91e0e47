import PriceTagStringFiles
import PriceTagStrings
import PriceTagSystem
import PriceTagText

/// The findings that a project has accepted: one line each, with the rule, the file, the key, the language and a digest of
/// the text.
///
/// A finding whose text has changed is no longer in the baseline.
struct LintBaseline {
  /// The first line of the file.
  private static let heading = #"{"format":"pricetag strings baseline","version":1}"#
  private static let maximumByteCount = 64 << 20

  /// How often each line occurs.
  private var counts: [String: Int] = [:]

  init(_ findings: [LintFinding]) {
    for finding in findings { counts[Self.line(finding), default: 0] += 1 }
  }

  /// Reads a baseline.
  ///
  /// - Throws: An error that names the line, if the file is not one that `write(to:)` has written.
  init(contentsOf path: String) throws(StringsError) {
    let bytes: [UInt8]
    do throws(RegularFile.Failure) {
      bytes = try RegularFile.bytes(of: path, limit: Self.maximumByteCount)
    } catch {
      throw StringsError(
        .unreadableFile,
        "cannot read the baseline: \(error.reason)",
        fix: error.fix,
        place: printable(path)
      )
    }
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    func damaged(_ number: Int, _ problem: String) -> StringsError {
      StringsError(
        .malformedFile,
        problem,
        fix: "write the baseline again with --write-baseline",
        place: "\(printable(path)), line \(number)"
      )
    }
    guard lines.first?.elementsEqual(Self.heading.utf8) == true else {
      throw damaged(1, "the file is not a baseline of pricetag strings lint")
    }
    guard lines.last?.isEmpty == true else { throw damaged(lines.count, "the baseline is cut off") }
    var previous = ""
    for (index, line) in lines.enumerated().dropFirst().dropLast() {
      let text = String(decoding: line, as: UTF8.self)
      guard Self.isLine(Array(line)), previous.utf8.lexicographicallyPrecedes(text.utf8) || previous == text
      else {
        throw damaged(index + 1, "the entry is damaged, or the entries are not sorted")
      }
      previous = text
      counts[text, default: 0] += 1
    }
  }

  private static func isLine(_ bytes: [UInt8]) -> Bool {
    guard case .object(let object)? = try? JSONReader.value(of: bytes) else { return false }
    return object.members.map(\.key) == ["rule", "file", "key", "language", "text"]
      && LintFinding.Rule(rawValue: object["rule"]?.literal ?? "") != nil
      && object["text"]?.literal?.utf8.count == 32
  }

  private static func line(_ finding: LintFinding) -> String {
    var digest = ContentDigest()
    digest.add(finding.text)
    let file = finding.file.hasPrefix("./") ? String(finding.file.dropFirst(2)) : finding.file
    return jsonObject([
      ("rule", json(finding.rule.rawValue)), ("file", json(file)), ("key", json(finding.key)),
      ("language", json(finding.language)), ("text", json(digest.text)),
    ])
  }

  /// Removes a finding from the baseline, and returns whether it was there.
  mutating func take(_ finding: LintFinding) -> Bool {
    let line = Self.line(finding)
    guard let count = counts[line], count > 0 else { return false }
    counts[line] = count - 1
    return true
  }

  /// The entries that have not been taken, sorted.
  var remaining: [String] { lines }

  private var lines: [String] {
    counts.flatMap { Array(repeating: $0.key, count: $0.value) }
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Writes the entries, sorted.
  func write(to path: String) throws {
    let text = ([Self.heading] + lines).joined(separator: "\n") + "\n"
    let output = try OutputFile(path)
    output.write(text)
    try output.finish()
  }
}
