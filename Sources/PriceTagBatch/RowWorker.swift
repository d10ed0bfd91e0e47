import CJSON
import PriceTag

/// How rows are read and written.
struct RowFormats: Sendable {
  let input: BatchFormat
  let output: BatchFormat
  /// What stands between the fields of CSV that is written.
  let delimiter: UInt8

  init(input: BatchFormat, _ options: BatchOptions) {
    self.input = input
    output = options.output ?? input
    delimiter = options.outputDelimiter ?? (input == .csv ? options.delimiter : UInt8(ascii: ","))
  }
}

/// Formats the rows of a block: one thread's.
final class RowWorker {
  /// A row that was set aside, where it stands in the block.
  struct Pending {
    let line: Int
    let byte: Int
    let problem: RowProblem
    let row: [UInt8]
  }

  let block = Block(capacity: BlockReader.blockByteCount)
  /// What was made of the block.
  let out = OutputBuffer(capacity: 2 * BlockReader.blockByteCount)
  private(set) var setAside: [Pending] = []
  var rowCount = 0
  /// How many line feeds the block has.
  var lineCount = 0

  let options: BatchOptions
  let formats: RowFormats
  let written: [RowField]
  let pricing: RowPricing
  let writer: PriceWriter
  let fields = KnownFields()
  let json: JSONRowReader
  let csv: CSVRowReader
  /// The columns; `nil` from JSON to JSON, and until the first row of JSON gave them.
  var layout: RowLayout?
  /// What stands before each written value in JSON: `,"display":`.
  let appendedKeys: [[UInt8]]
  /// What ends each row of JSON that is written.
  var rowEnd: UInt8 = 0x0A
  /// Writes, in the place of a row that is set aside, what stands for it; `nil` where such rows are collected.
  var writeInPlace: ((Pending, OutputBuffer) -> Void)?
  /// What stands before the text of `display` in JSON.
  let displayStart = (",\"display\":\"" as StaticString)
  /// Whether `display` is all that is written, and to JSON.
  let writesUsualRows: Bool
  private let deflater: Deflater?
  private let compressed: OutputBuffer?

  init(_ options: BatchOptions, _ formats: RowFormats, _ layout: RowLayout?) throws(BatchError) {
    (self.options, self.formats, self.layout) = (options, formats, layout)
    written = options.written
    writesUsualRows = written == [.display] && formats.output == .jsonl
    pricing = RowPricing(options)
    writer = PriceWriter(format: formats.output, delimiter: formats.delimiter)
    json = try JSONRowReader()
    csv = CSVRowReader(delimiter: options.delimiter)
    appendedKeys = RowField.allCases.map { Array(",\"\($0.name)\":".utf8) }
    deflater = options.compresses ? try Deflater() : nil
    compressed = options.compresses ? OutputBuffer(capacity: BlockReader.blockByteCount) : nil
  }

  deinit { fields.deallocate() }

  /// What is to be written of the block.
  var output: OutputBuffer { compressed ?? out }

  /// Formats the block's rows, but for those before a place.
  func process(from start: Int = 0, afterLines lines: Int = 0) {
    out.removeAll()
    setAside.removeAll(keepingCapacity: true)
    (rowCount, lineCount) = (0, lines)
    if let byteCount = block.longRowByteCount {
      setLongRowAside(byteCount)
    } else if start < block.count {
      switch formats.input {
      case .jsonl: processJSON(start)
      case .csv: processCSV(start)
      }
    }
  }

  /// Compresses what was made, where that was asked for.
  func compress() {
    guard let deflater, let compressed else { return }
    if out.count == 0 { compressed.removeAll() } else { deflater.deflate(out, to: compressed) }
  }

  private func setLongRowAside(_ byteCount: Int) {
    rowCount = 1
    lineCount += block.longRowLineCount
    setAside(.tooLong(byteCount), UnsafePointer(block.bytes), byteCount, line: 0, isLong: true)
  }

  func setAside(
    _ problem: RowProblem,
    _ bytes: UnsafePointer<UInt8>,
    _ count: Int,
    line: Int,
    isLong: Bool = false
  ) {
    var kept = isLong || count > BatchReject.mostBytes ? min(count, BatchReject.keptBytes) : count
    // Not within a character.
    if kept < count { kept -= Self.partialCharacter(bytes, kept) }
    let pending = Pending(
      line: line,
      byte: block.byteOffset + (bytes - UnsafePointer(block.bytes)),
      problem: problem,
      row: Array(UnsafeBufferPointer(start: bytes, count: kept))
    )
    if let writeInPlace { writeInPlace(pending, out) } else { setAside.append(pending) }
  }

  /// How many bytes at the end are the start of a character that is cut.
  private static func partialCharacter(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int {
    for length in 1..<4 where length <= count {
      let byte = bytes[count - length]
      if byte & 0xC0 == 0x80 { continue }
      let needed = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
      return needed > length ? length : 0
    }
    return 0
  }
}

extension RowProblem {
  static func tooLong(_ byteCount: Int) -> RowProblem {
    RowProblem(
      .rowTooLong,
      "the row has \(byteCount) bytes, and at most \(BlockReader.mostRowBytes >> 20) MB are read",
      fix: "write a price a row, and end each with a line feed"
    )
  }
}
