import PriceTag
import PriceTagCatalog

/// Reads a golden file line by line. An invalid header is an error, an invalid line is rejected.
struct GoldenFileReader {
  /// A file with more invalid lines than this is not a golden file.
  private static let maximumProblemCount = 100_000

  /// The lines between the title and the column names.
  private var headerLines: [GoldenFileHeader.Line] = []
  private var hasTitle = false
  private var hasColumns = false
  private var lastNumber = 1
  private var lines: [DisplayLine] = []
  private var problems: [(line: Int, error: DriftError)] = []

  private init() {}

  /// Returns the header, the sorted lines, and the problems with their places.
  static func read(
    _ file: CatalogFile,
    _ place: String
  ) throws(DriftError) -> (GoldenFileHeader, [DisplayLine], [DriftError]) {
    var reader = GoldenFileReader()
    var failure: DriftError?
    do throws(CatalogError) {
      try file.forEachLine { (bytes, number) throws(CatalogError) in
        do throws(DriftError) { try reader.read(bytes, number) } catch {
          failure = error
          throw CatalogError(.malformedFile, error.problem, fix: error.fix)
        }
      }
    } catch {
      if let failure { throw failure }
      guard error.code == .tooLarge else { throw DriftError(.unreadableFile, error) }
      throw GoldenFileHeader.notAGoldenFile(error.problem).at(error.place)
    }
    let header = try reader.header()
    let lines = reader.sortedLines()
    let problems = reader.problems.sorted { $0.line < $1.line }
    return (header, lines, problems.map { $0.error.at("\(place), line \($0.line)") })
  }

  private mutating func read(_ bytes: UnsafeBufferPointer<UInt8>, _ number: Int) throws(DriftError) {
    lastNumber = number
    let text = String(validating: bytes, as: UTF8.self)
    if hasColumns { return try readDisplay(text, bytes, number) }
    guard hasTitle else {
      try GoldenFileHeader.checkTitle(text ?? "", number)
      hasTitle = true
      return
    }
    guard let text else { throw GoldenFileHeader.malformed("the line is not UTF-8", number) }
    if text.utf8.first == UInt8(ascii: "#") {
      headerLines.append(GoldenFileHeader.Line(text: text, number: number))
    } else if text == GoldenFileHeader.columns {
      hasColumns = true
    } else {
      throw GoldenFileHeader.malformed(
        isConflictMarker(text)
          ? "the line is a merge conflict marker"
          : "the line is neither a header line \"# name: value\" nor the column names of this version",
        number
      )
    }
  }

  private mutating func readDisplay(
    _ text: String?,
    _ bytes: UnsafeBufferPointer<UInt8>,
    _ number: Int
  ) throws(DriftError) {
    do throws(DriftError) {
      guard let text else {
        throw DriftError(.malformedLine, "the line is not UTF-8", fix: "record the golden file again")
      }
      _ = try RecordedDisplay(line: text)
      lines.append(DisplayLine(text, number: number))
    } catch {
      problems.append((number, error))
      if problems.count > Self.maximumProblemCount {
        throw GoldenFileHeader.notAGoldenFile(
          "the file has more than \(Self.maximumProblemCount) invalid lines"
        ).at("line \(number)")
      }
      // If the line identifies a display, that display is reported neither as gone nor as new.
      let line = DisplayLine(
        text ?? String(decoding: bytes, as: UTF8.self),
        number: number,
        isRejected: true
      )
      if line.key.fields.count == 3 { lines.append(line) }
    }
  }

  private func header() throws(DriftError) -> GoldenFileHeader {
    if !hasTitle { try GoldenFileHeader.checkTitle("", 1) }
    guard hasColumns else {
      throw GoldenFileHeader.malformed("the file ends before its column names", lastNumber)
    }
    return try GoldenFileHeader(lines: headerLines)
  }

  /// Returns the lines sorted by key, without duplicates.
  private mutating func sortedLines() -> [DisplayLine] {
    if zip(lines, lines.dropFirst()).allSatisfy({ $0.key < $1.key }) { return lines }
    lines.sort { first, second in
      if first.key != second.key { return first.key < second.key }
      return (first.isRejected ? 1 : 0, first.number ?? 0) < (second.isRejected ? 1 : 0, second.number ?? 0)
    }
    var sorted: [DisplayLine] = []
    for line in lines {
      guard let first = sorted.last, first.key == line.key else {
        sorted.append(line)
        continue
      }
      if line.isRejected { continue }
      let error = DriftError(
        .malformedLine,
        "the display appears twice, first on line \(first.number ?? 0)",
        fix: "remove one, or record the golden file again"
      )
      problems.append((line.number ?? 0, error))
    }
    return sorted
  }
}

/// Returns whether a line is a conflict marker that git writes into a file.
func isConflictMarker(_ line: String) -> Bool {
  ["<<<<<<<", "|||||||", "=======", ">>>>>>>"].contains { line.utf8.starts(with: $0.utf8) }
}
