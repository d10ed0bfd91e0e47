import PriceTag
import PriceTagText

// CSV rows.
extension RowWorker {
  func processCSV(_ start: Int) {
    guard let layout else { return }
    csv.begin(block.bytes + start, block.count - start)
    let lines = lineCount
    while csv.next() {
      rowCount += 1
      let start = out.count
      do throws(RowProblem) {
        try format(layout)
      } catch {
        out.truncate(to: start)
        reject(error, csv.start, csv.count, line: lines + csv.line)
      }
    }
    lineCount = lines + csv.lineCount
  }

  /// Checks the record, and stores its recognized fields.
  @inline(__always)
  func readFields(_ layout: RowLayout) throws(RowProblem) {
    if csv.count > BlockReader.maximumRowByteCount { throw .tooLong(csv.count) }
    if let problem = csv.problem { throw problem }
    guard csv.fieldCount == layout.columns.count else {
      throw RowProblem(
        .wrongFieldCount,
        "the record has \(counted(csv.fieldCount, "field")), and the header has \(layout.columns.count)",
        fix: "write one field per column, and quote a field that has a delimiter or a line break"
      )
    }
    for (index, column) in layout.columnOfField.enumerated() {
      if column >= 0 { fields[index] = csv.value(column) }
    }
  }

  @inline(__always)
  private func format(_ layout: RowLayout) throws(RowProblem) {
    try readFields(layout)
    let (formatter, amount) = try pricing.price(fields)
    switch formats.output {
    case .csv:
      if layout.appended.count == outputFields.count, formats.delimiter == formats.inputDelimiter {
        out.append(csv.start, csv.count)
      } else {
        try writeFields(layout, amount, formatter)
      }
      for field in layout.appended {
        out.append(formats.delimiter)
        try writer.write(field, of: amount, formatter, to: out)
      }
      appendLineEnd()
    case .jsonl:
      for column in layout.replaced.indices {
        out.append(layout.keys[column])
        if let replaced = layout.replaced[column] {
          try writer.write(replaced, of: amount, formatter, to: out)
        } else {
          out.append(UInt8(ascii: "\""))
          out.append(csv.value(column), as: .jsonl, delimiter: formats.delimiter)
          out.append(UInt8(ascii: "\""))
        }
      }
      for field in layout.appended { try append(field, amount, formatter) }
      out.append(UInt8(ascii: "}"))
      out.append(0x0A)
    }
  }

  /// Writes the fields of a record one by one, because some are replaced or the output has another delimiter.
  private func writeFields(
    _ layout: RowLayout,
    _ amount: RowAmount,
    _ formatter: CachedFormatter
  ) throws(RowProblem) {
    for column in layout.replaced.indices {
      if column > 0 { out.append(formats.delimiter) }
      if let replaced = layout.replaced[column] {
        try writer.write(replaced, of: amount, formatter, to: out)
      } else {
        appendField(column)
      }
    }
  }

  /// Copies the line end of the record, or appends one.
  @inline(__always)
  func appendLineEnd() {
    out.append(csv.start + csv.count, csv.lineEndCount)
    // The last record may lack a line end.
    if csv.lineEndCount == 0 || csv.start[csv.count + csv.lineEndCount - 1] != 0x0A { out.append(0x0A) }
  }

  /// Copies a field of a record, in quotes if the delimiter of the output requires them.
  @inline(__always)
  func appendField(_ column: Int) {
    if formats.delimiter == formats.inputDelimiter {
      let field = csv.field(column)
      out.append(field.start, field.count)
    } else {
      out.append(csv.value(column), as: .csv, delimiter: formats.delimiter)
    }
  }
}
