import CJSON
import PriceTag

/// The formats of the input and the output.
struct RowFormats: Sendable {
  let input: BatchFormat
  let output: BatchFormat
  /// The delimiter of CSV input.
  let inputDelimiter: UInt8
  /// The delimiter of CSV output.
  let delimiter: UInt8

  init(input: BatchFormat, inputDelimiter: UInt8 = UInt8(ascii: ","), _ options: BatchOptions) {
    (self.input, self.inputDelimiter) = (input, inputDelimiter)
    output = options.output ?? input
    delimiter = options.outputDelimiter ?? (input == .csv ? inputDelimiter : UInt8(ascii: ","))
  }
}

/// Formats the rows of a block. Used by one thread.
final class RowWorker {
  /// A rejected row, with its line in the block.
  struct Pending {
    let line: Int
    let byte: Int
    let problem: RowProblem
    /// The field with the problem, by its name in the input; `nil` if the problem is in the row.
    let field: String?
    let row: [UInt8]
    /// Whether `line` is the number of the row in a JSON array.
    let isInArray: Bool
  }

  let block = Block(capacity: BlockReader.blockByteCount)
  /// The output, before compression.
  let out = OutputBuffer(capacity: 2 * BlockReader.blockByteCount)
  private(set) var rejects: [Pending] = []
  @exclusivity(unchecked) var rowCount = 0
  /// The number of lines of the block; of a JSON array, the number of rows.
  @exclusivity(unchecked) var lineCount = 0
  /// The number of empty cells in columns of storefronts.
  var emptyCellCount = 0
  /// About the number of bytes that `rejects` takes.
  private(set) var rejectedByteCount = 0
  /// The storefront of the current row of a wide sheet.
  let storefrontText = OutputBuffer(capacity: 16)
  /// The column with the price of that row.
  @exclusivity(unchecked) var cellColumn = 0

  let options: BatchOptions
  let formats: RowFormats
  let outputFields: [RowField]
  let pricing: RowPricing
  let writer: PriceWriter
  /// The writer of the other forms of a price, which `writer` uses.
  private let forms: PriceForms?
  let fields: RecognizedFields
  let json: JSONRowReader
  let csv: CSVRowReader
  /// The columns of CSV. `nil` if input and output are JSON, and before the first row of JSON input is formatted.
  @exclusivity(unchecked) var layout: RowLayout?
  /// For each `RowField`, the bytes before its value in JSON: `,"display":`.
  let appendedKeys = allAppendedKeys
  private static let allAppendedKeys = RowField.allCases.map { ConstantBytes(",\"\($0.name)\":") }
  /// The byte after each row of JSON output.
  @exclusivity(unchecked) var rowEnd: UInt8 = 0x0A
  /// Writes a replacement for a rejected row; `nil` to collect rejected rows in `rejects`.
  var writeInPlace: ((Pending, OutputBuffer) -> Void)?
  /// The bytes before the text of `display` in JSON.
  let displayStart = (",\"display\":\"" as StaticString)
  /// Whether rows are copied, without forms that need further fields, and amounts have a decimal point.
  let canUseFastPath: Bool
  private let deflater: Deflater?
  private let compressed: OutputBuffer?

  init(_ options: BatchOptions, _ formats: RowFormats, _ layout: RowLayout?) throws(BatchError) {
    (self.options, self.formats, self.layout) = (options, formats, layout)
    outputFields = options.outputFields
    let recognized = RowField.recognized(outputFields)
    fields = RecognizedFields(count: recognized.count)
    canUseFastPath =
      !outputFields.contains(where: \.isForm) && !options.usesDecimalComma && formats.output == formats.input
      && (formats.output == .jsonl || formats.delimiter == formats.inputDelimiter)
    pricing = RowPricing(options)
    forms =
      outputFields.contains(where: \.isForm) ? PriceForms(fields, convertsUnits: options.convertsUnits) : nil
    writer = PriceWriter(format: formats.output, delimiter: formats.delimiter, forms: forms)
    json = try JSONRowReader(recognized, options)
    csv = CSVRowReader(delimiter: formats.inputDelimiter)
    deflater = options.compresses ? try Deflater() : nil
    compressed = options.compresses ? OutputBuffer(capacity: BlockReader.blockByteCount) : nil
  }

  deinit { fields.deallocate() }

  /// The output, compressed if requested.
  var output: OutputBuffer { compressed ?? out }

  /// Formats the rows of the block.
  ///
  /// - Parameters:
  ///   - start: The offset of the first row to format.
  ///   - lines: The number of lines before it.
  func process(from start: Int = 0, afterLines lines: Int = 0) {
    removeResults()
    lineCount = lines
    if let byteCount = block.longRowByteCount {
      rejectLongRow(byteCount)
    } else if start < block.count {
      switch formats.input {
      case .jsonl: processJSON(start)
      case .csv: processCSV(start)
      }
    }
    if block.isArray { lineCount = rowCount }
  }

  /// Removes the output, the rejects and the counts.
  func removeResults() {
    out.removeAll()
    rejects.removeAll(keepingCapacity: true)
    (rowCount, lineCount, emptyCellCount, rejectedByteCount) = (0, 0, 0, 0)
  }

  /// Compresses the output if requested.
  func compress() {
    guard let deflater, let compressed else { return }
    if out.count == 0 { compressed.removeAll() } else { deflater.deflate(out, to: compressed) }
  }

  func rejectLongRow(_ byteCount: Int) {
    rowCount = 1
    lineCount += block.longRowLineCount
    reject(.tooLong(byteCount), UnsafePointer(block.bytes), byteCount, line: 0, isLong: true)
  }

  func reject(
    _ problem: RowProblem,
    _ bytes: UnsafePointer<UInt8>,
    _ count: Int,
    line: Int,
    isLong: Bool = false,
    column: String? = nil
  ) {
    var storedCount =
      isLong || count > BatchReject.maximumByteCount ? min(count, BatchReject.excerptByteCount) : count
    // An excerpt does not end within a character.
    if storedCount < count { storedCount -= Self.partialCharacterCount(bytes, storedCount) }
    let pending = Pending(
      line: block.isArray ? rowCount - 1 : line,
      byte: block.byteOffset + (bytes - UnsafePointer(block.bytes)),
      problem: problem,
      field: column ?? options.inputName(of: problem),
      row: Array(UnsafeBufferPointer(start: bytes, count: storedCount)),
      isInArray: block.isArray
    )
    rejectedByteCount += storedCount + 2 * MemoryLayout<Pending>.stride
    if let writeInPlace { writeInPlace(pending, out) } else { rejects.append(pending) }
  }

  /// Returns the number of bytes at the end that are the start of an incomplete character.
  private static func partialCharacterCount(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int {
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
      "the row is larger than \(BlockReader.maximumRowByteCount >> 20) MB (\(byteCount) bytes)",
      fix: "write one price per row, and end each row with a line feed"
    )
  }
}
