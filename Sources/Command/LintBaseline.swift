import PriceTagStringFiles
import PriceTagStrings
import PriceTagSystem
import PriceTagText

/// The findings that a project has accepted: one line each, with the rule, the file, the key, the language and a digest of
/// the text.
///
/// A finding whose text has changed is no longer in the baseline. Paths are relative to the folder of the baseline, however
/// they are given.
struct LintBaseline {
  /// The first line of the file.
  private static let heading = #"{"format":"pricetag strings baseline","version":1}"#
  private static let maximumByteCount = 64 << 20

  /// How often each line occurs.
  private var counts: [String: Int] = [:]
  private let path: String
  /// The relative paths of files, by their paths as given.
  private var paths: [String: String] = [:]

  /// Creates a baseline to be written.
  init(_ findings: [LintFinding], path: String) {
    self.path = path
    for finding in findings { counts[line(finding), default: 0] += 1 }
  }

  /// Reads a baseline.
  ///
  /// - Throws: An error that names the line, if the file is not one that `write()` has written.
  init(contentsOf path: String) throws(StringsError) {
    self.path = path
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
      .map { $0.last == 0x0D ? $0.dropLast() : $0 }
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
      guard Self.members(of: Array(line)) != nil,
        previous.utf8.lexicographicallyPrecedes(text.utf8) || previous == text
      else {
        throw damaged(index + 1, "the entry is damaged, or the entries are not sorted")
      }
      previous = text
      counts[text, default: 0] += 1
    }
  }

  /// Returns the rule and the file of an entry; `nil` if it is damaged.
  private static func members(of line: [UInt8]) -> (rule: LintFinding.Rule, file: String)? {
    guard case .object(let object)? = try? JSONReader.value(of: line),
      object.members.map(\.key) == ["rule", "file", "key", "language", "text"],
      let rule = LintFinding.Rule(rawValue: object["rule"]?.literal ?? ""),
      let file = object["file"]?.literal, object["text"]?.literal?.utf8.count == 32
    else { return nil }
    return (rule, file)
  }

  private mutating func line(_ finding: LintFinding) -> String {
    var digest = ContentDigest()
    digest.add(finding.text)
    return jsonObject([
      ("rule", json(finding.rule.rawValue)), ("file", json(relativePath(finding.file))),
      ("key", json(finding.key)),
      ("language", json(finding.language)), ("text", json(digest.text)),
    ])
  }

  /// Returns the path of a file relative to the baseline's folder.
  private mutating func relativePath(_ path: String) -> String {
    if let known = paths[path] { return known }
    let relative = OutputFile.relativePath(of: path, from: self.path)
    paths[path] = relative
    return relative
  }

  /// Removes a finding from the baseline, and returns whether it was there.
  mutating func take(_ finding: LintFinding) -> Bool {
    let line = line(finding)
    guard let count = counts[line], count > 0 else { return false }
    counts[line] = count - 1
    return true
  }

  /// Returns the entries that no longer occur, sorted: those not taken whose rule was applied, and whose file was checked
  /// and compared, or does not exist.
  mutating func stale(_ report: StringsLint.Report, ignoring ignored: Set<LintFinding.Rule>) -> [String] {
    let checked = Set(
      report.checkedFiles.subtracting(report.filesWithoutDevelopment).map { relativePath($0) }
    )
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
    return lines.filter { line in
      guard let (rule, file) = Self.members(of: Array(line.utf8)), !ignored.contains(rule) else {
        return false
      }
      return checked.contains(file) || access(folder + file, F_OK) != 0
    }
  }

  private var lines: [String] {
    counts.flatMap { Array(repeating: $0.key, count: $0.value) }
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Writes the entries, sorted.
  func write() throws {
    let text = ([Self.heading] + lines).joined(separator: "\n") + "\n"
    let output = try OutputFile(path)
    output.write(text)
    try output.finish()
  }
}
