import PriceTag
import PriceTagCatalog

/// Reads a golden line by line: a wrong header ends it, a wrong line is set aside.
struct GoldenReader {
  /// So many lines that are none make a file that is no golden.
  private static let mostProblems = 100_000

  /// The header behind the title.
  private var head: [GoldenHeader.Line] = []
  private var hasTitle = false
  private var hasColumns = false
  private var lastNumber = 1
  private var lines: [DisplayLine] = []
  private var problems: [(line: Int, error: DriftError)] = []

  private init() {}

  /// Header, lines in order, and what is set aside, each at its line of a place.
  static func read(
    _ file: CatalogFile,
    _ place: String
  ) throws(DriftError) -> (GoldenHeader, [DisplayLine], [DriftError]) {
    var reader = GoldenReader()
    var failure: DriftError?
    do throws(CatalogError) {
      try file.forEachLine { (bytes, number) throws(CatalogError) in
        do throws(DriftError) { try reader.take(bytes, number) } catch {
          failure = error
          throw CatalogError(.malformedFile, error.problem, fix: error.fix)
        }
      }
    } catch {
      if let failure { throw failure }
      guard error.code == .tooLarge else { throw DriftError(.unreadableFile, error) }
      throw GoldenHeader.noGolden(error.problem).at(error.place)
    }
    let header = try reader.header()
    let lines = reader.sortedLines()
    let problems = reader.problems.sorted { $0.line < $1.line }
    return (header, lines, problems.map { $0.error.at("\(place), line \($0.line)") })
  }

  private mutating func take(_ bytes: UnsafeBufferPointer<UInt8>, _ number: Int) throws(DriftError) {
    lastNumber = number
    let text = String(validating: bytes, as: UTF8.self)
    if hasColumns { return try takeDisplay(text, bytes, number) }
    guard hasTitle else {
      try GoldenHeader.checkTitle(text ?? "", number)
      hasTitle = true
      return
    }
    guard let text else { throw GoldenHeader.malformed("the line is not UTF-8", number) }
    if text.utf8.first == UInt8(ascii: "#") {
      head.append(GoldenHeader.Line(text: text, number: number))
    } else if text == GoldenHeader.columns {
      hasColumns = true
    } else {
      throw GoldenHeader.malformed(
        isOfMerge(text)
          ? "the line is of a merge that was not resolved"
          : "the line is neither a \"# name: value\" nor the columns of this version",
        number
      )
    }
  }

  private mutating func takeDisplay(
    _ text: String?,
    _ bytes: UnsafeBufferPointer<UInt8>,
    _ number: Int
  ) throws(DriftError) {
    do throws(DriftError) {
      guard let text else {
        throw DriftError(.malformedLine, "the line is not UTF-8", fix: "record the golden again")
      }
      _ = try RecordedDisplay(line: text)
      lines.append(DisplayLine(text, number: number))
    } catch {
      problems.append((number, error))
      if problems.count > Self.mostProblems {
        throw GoldenHeader.noGolden("more than \(Self.mostProblems) lines are none").at("line \(number)")
      }
      // What tells of which display it is makes that one neither gone nor new.
      let line = DisplayLine(
        text ?? String(decoding: bytes, as: UTF8.self),
        number: number,
        isSetAside: true
      )
      if line.key.fields.count == 3 { lines.append(line) }
    }
  }

  private func header() throws(DriftError) -> GoldenHeader {
    if !hasTitle { try GoldenHeader.checkTitle("", 1) }
    guard hasColumns else {
      throw GoldenHeader.malformed("the golden ends before the names of its columns", lastNumber)
    }
    return try GoldenHeader(lines: head)
  }

  /// The lines by their keys, each display once.
  private mutating func sortedLines() -> [DisplayLine] {
    if zip(lines, lines.dropFirst()).allSatisfy({ $0.key < $1.key }) { return lines }
    lines.sort { first, second in
      if first.key != second.key { return first.key < second.key }
      return (first.isSetAside ? 1 : 0, first.number ?? 0) < (second.isSetAside ? 1 : 0, second.number ?? 0)
    }
    var sorted: [DisplayLine] = []
    for line in lines {
      guard let known = sorted.last, known.key == line.key else {
        sorted.append(line)
        continue
      }
      if line.isSetAside { continue }
      let error = DriftError(
        .malformedLine,
        "the display stands twice, on line \(known.number ?? 0) too",
        fix: "remove one, or record the golden again"
      )
      problems.append((line.number ?? 0, error))
    }
    return sorted
  }
}

/// Whether a line is one that git leaves where two versions were not merged.
func isOfMerge(_ line: String) -> Bool {
  ["<<<<<<<", "|||||||", "=======", ">>>>>>>"].contains { line.utf8.starts(with: $0.utf8) }
}
