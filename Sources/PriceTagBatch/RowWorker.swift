import CJSON
import PriceTag

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

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
  private(set) var rowCount = 0
  /// How many line feeds the block has.
  private(set) var lineCount = 0

  private let options: BatchOptions
  private let formats: RowFormats
  private let written: [RowField]
  private let pricing: RowPricing
  private let writer: PriceWriter
  private let fields = KnownFields()
  private let json: JSONRowReader
  private let csv: CSVRecordReader
  /// The columns; `nil` from JSON to JSON, and until the first row of JSON gave them.
  private(set) var layout: RowLayout?
  /// What stands before each written value in JSON: `,"display":`.
  private let appendedKeys: [[UInt8]]
  /// What stands before the text of `display` in JSON.
  private let displayStart = (",\"display\":\"" as StaticString)
  /// Whether `display` is all that is written, and to JSON.
  private let writesUsualRows: Bool
  private let deflater: Deflater?
  private let compressed: OutputBuffer?

  init(_ options: BatchOptions, _ formats: RowFormats, _ layout: RowLayout?) throws(BatchError) {
    (self.options, self.formats, self.layout) = (options, formats, layout)
    written = options.written
    writesUsualRows = written == [.display] && formats.output == .jsonl
    pricing = RowPricing(options)
    writer = PriceWriter(format: formats.output, delimiter: formats.delimiter)
    json = try JSONRowReader()
    csv = CSVRecordReader(delimiter: options.delimiter)
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

  private func setAside(
    _ problem: RowProblem,
    _ bytes: UnsafePointer<UInt8>,
    _ count: Int,
    line: Int,
    isLong: Bool = false
  ) {
    var kept = isLong || count > BatchReject.mostBytes ? min(count, BatchReject.keptBytes) : count
    // Not within a character.
    if kept < count { kept -= Self.partialCharacter(bytes, kept) }
    setAside.append(
      Pending(
        line: line,
        byte: block.byteOffset + (bytes - UnsafePointer(block.bytes)),
        problem: problem,
        row: Array(UnsafeBufferPointer(start: bytes, count: kept))
      )
    )
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

  // MARK: From JSON

  private func processJSON(_ start: Int) {
    json.begin(block.bytes + start, block.count - start)
    let lines = lineCount
    while let row = json.next() {
      rowCount += 1
      let place = out.count
      do throws(RowProblem) {
        try format(row)
      } catch {
        out.cut(to: place)
        var count = row.count
        if count > 0, row.bytes[count - 1] == 0x0D { count -= 1 }
        setAside(error, row.bytes, count, line: lines + row.line)
      }
    }
    lineCount = lines + json.lineCount
  }

  @inline(__always)
  private func format(_ row: CJSONRow) throws(RowProblem) {
    if row.count > BlockReader.mostRowBytes { throw .tooLong(row.count) }
    if row.problem != CJSONProblemNone { throw RowProblem(row) }
    if writesUsualRows, let usual = json.usual(row), let (stamper, amount) = pricing.usualPrice(usual),
      formatUsual(row, amount, stamper)
    {
      return
    }
    try formatOther(row)
  }

  /// Formats what nearly every row is; false, and nothing, for any other.
  @inline(__always)
  private func formatUsual(_ row: CJSONRow, _ amount: Amount, _ stamper: PriceStamper) -> Bool {
    let start = out.room(for: row.count + displayStart.utf8CodeUnitCount + stamper.capacity + 2)
    memcpy(start, row.bytes, row.values_end)
    var end = start + row.values_end
    memcpy(end, displayStart.utf8Start, displayStart.utf8CodeUnitCount)
    end += displayStart.utf8CodeUnitCount
    let count = stamper.write(amount, to: end)
    guard count >= 0 else { return false }
    end += count
    end.pointee = UInt8(ascii: "\"")
    end += 1
    for index in row.values_end..<row.count {
      end.pointee = row.bytes[index]
      end += 1
    }
    end.pointee = 0x0A
    out.add(end + 1 - start)
    return true
  }

  private func formatOther(_ row: CJSONRow) throws(RowProblem) {
    json.fill(fields, row)
    var isReplacing = false
    for field in written where json.member(field, row) != nil {
      guard options.overwrites else { throw .exists(field) }
      isReplacing = true
    }
    let (route, amount) = try pricing.price(fields)
    switch formats.output {
    case .jsonl where isReplacing: try replace(row, amount, route)
    case .jsonl:
      out.append(row.bytes, row.values_end)
      for field in written { try append(field, amount, route) }
      finish(row)
    case .csv: try writeRecord(row, amount, route)
    }
  }

  private func append(_ field: RowField, _ amount: Amount, _ route: PriceRoute) throws(RowProblem) {
    out.append(appendedKeys[field.rawValue])
    try writer.write(field, of: amount, route, to: out)
  }

  /// Copies what stands behind the object's last value, and ends the line.
  @inline(__always)
  private func finish(_ row: CJSONRow) {
    let end = row.values_end
    out.append(row.bytes + end, row.count - end)
    out.append(0x0A)
  }

  /// Writes a row of which fields are there already: each in its place, and the others behind the last.
  private func replace(
    _ row: CJSONRow,
    _ amount: Amount,
    _ route: PriceRoute
  ) throws(RowProblem) {
    let bytes = row.bytes
    var copied = 0
    let there = written.compactMap { field in json.member(field, row).map { (field, member: $0) } }
    for (field, member) in there.sorted(by: { $0.member < $1.member }) {
      let value = row.members[member]
      let quote = value.kind == CJSONKindString ? 1 : 0
      let start = Int(value.value_start) - quote
      out.append(bytes + copied, start - copied)
      try writer.write(field, of: amount, route, to: out)
      copied = start + Int(value.value_count) + 2 * quote
    }
    out.append(bytes + copied, row.values_end - copied)
    for field in written where json.member(field, row) == nil { try append(field, amount, route) }
    finish(row)
  }

  /// Writes a row of JSON as a record of CSV.
  private func writeRecord(
    _ row: CJSONRow,
    _ amount: Amount,
    _ route: PriceRoute
  ) throws(RowProblem) {
    let layout: RowLayout
    if let known = self.layout {
      layout = known
    } else {
      layout = RowLayout(columns: json.keys(row), written: written)
      layout.writeHeader(to: out, delimiter: formats.delimiter)
      out.append(0x0A)
    }
    try json.arrange(row, layout.columns)
    for (column, replaced) in layout.replaced.enumerated() {
      if column > 0 { out.append(formats.delimiter) }
      if let replaced {
        try writer.write(replaced, of: amount, route, to: out)
      } else {
        let value = json.value(row, column)
        if value.kind != .absent { try append(value) }
      }
    }
    for field in layout.appended {
      out.append(formats.delimiter)
      try writer.write(field, of: amount, route, to: out)
    }
    out.append(0x0A)
    // Only now, for a row that is set aside gives no columns.
    self.layout = layout
  }

  /// Appends a value as a field of CSV.
  private func append(_ value: FieldValue) throws(RowProblem) {
    if value.escapes == .none { return out.appendCSV(value.start, value.count, delimiter: formats.delimiter) }
    let place = out.count
    let textCount = value.unescape(to: out.room(for: value.count))
    guard memchr(out.start + place, 0, textCount) == nil else {
      throw RowProblem(
        .nulByte,
        "a value has a zero, and CSV cannot have one",
        fix: #"leave \u0000 out, or write JSON Lines"#
      )
    }
    out.add(textCount)
    out.finishText(from: place, as: .csv, delimiter: formats.delimiter)
  }

  // MARK: From CSV

  private func processCSV(_ start: Int) {
    guard let layout else { return }
    csv.begin(block.bytes + start, block.count - start)
    let lines = lineCount
    while csv.next() {
      rowCount += 1
      let place = out.count
      do throws(RowProblem) {
        try format(layout)
      } catch {
        out.cut(to: place)
        setAside(error, csv.start, csv.count, line: lines + csv.line)
      }
    }
    lineCount = lines + csv.lineCount
  }

  @inline(__always)
  private func format(_ layout: RowLayout) throws(RowProblem) {
    if csv.count > BlockReader.mostRowBytes { throw .tooLong(csv.count) }
    if let problem = csv.problem { throw problem }
    guard csv.fieldCount == layout.columns.count else {
      throw RowProblem(
        .wrongFieldCount,
        "the record has \(csv.fieldCount) fields, and the header \(layout.columns.count)",
        fix: "give a field for each column, and put one with a delimiter or line break into quotes"
      )
    }
    for (index, column) in layout.known.enumerated() {
      if column >= 0 { fields[index] = csv.fields[column].value }
    }
    let (route, amount) = try pricing.price(fields)
    switch formats.output {
    case .csv:
      if layout.appended.count == written.count, formats.delimiter == options.delimiter {
        out.append(csv.start, csv.count)
      } else {
        try writeFields(layout, amount, route)
      }
      for field in layout.appended {
        out.append(formats.delimiter)
        try writer.write(field, of: amount, route, to: out)
      }
      out.append(csv.start + csv.count, csv.lineEndCount)
      // The last record may have none.
      if csv.lineEndCount == 0 || csv.start[csv.count + csv.lineEndCount - 1] != 0x0A { out.append(0x0A) }
    case .jsonl:
      for column in layout.replaced.indices {
        out.append(layout.keys[column])
        if let replaced = layout.replaced[column] {
          try writer.write(replaced, of: amount, route, to: out)
        } else {
          appendJSON(csv.fields[column].value)
        }
      }
      for field in layout.appended { try append(field, amount, route) }
      out.append(UInt8(ascii: "}"))
      out.append(0x0A)
    }
  }

  /// Writes the record's fields one by one, for some are replaced, or another delimiter stands between them.
  private func writeFields(
    _ layout: RowLayout,
    _ amount: Amount,
    _ route: PriceRoute
  ) throws(RowProblem) {
    for column in layout.replaced.indices {
      if column > 0 { out.append(formats.delimiter) }
      if let replaced = layout.replaced[column] {
        try writer.write(replaced, of: amount, route, to: out)
      } else if formats.delimiter == options.delimiter {
        out.append(csv.fields[column].start, csv.fields[column].count)
      } else {
        let value = csv.fields[column].value
        let place = out.count
        out.add(value.unescape(to: out.room(for: value.count)))
        out.finishText(from: place, as: .csv, delimiter: formats.delimiter)
      }
    }
  }

  /// Appends a value as a string of JSON.
  @inline(__always)
  private func appendJSON(_ value: FieldValue) {
    out.append(UInt8(ascii: "\""))
    let place = out.count
    out.add(value.unescape(to: out.room(for: value.count)))
    out.finishText(from: place, as: .jsonl, delimiter: formats.delimiter)
    out.append(UInt8(ascii: "\""))
  }
}

extension RowProblem {
  fileprivate static func tooLong(_ byteCount: Int) -> RowProblem {
    RowProblem(
      .rowTooLong,
      "the row has \(byteCount) bytes, and at most \(BlockReader.mostRowBytes >> 20) MB are read",
      fix: "write a price a row, and end each with a line feed"
    )
  }

  fileprivate static func exists(_ field: RowField) -> RowProblem {
    RowProblem(
      .fieldExists,
      "the row has \(quoted(field.name.description)) already",
      fix: "rename it, or say that it is to be replaced (--overwrite)",
      field: field.name.description
    )
  }
}
