import PriceTag
import PriceTagSystem
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
  func readFields(_ layout: RowLayout) throws(RowProblem) {
    try checkRecord(layout)
    storeFields(layout)
  }

  private func storeFields(_ layout: RowLayout) {
    for (index, column) in layout.columnOfField.enumerated() {
      if column >= 0 { fields[index] = csv.value(column) }
    }
  }

  @inline(__always)
  private func checkRecord(_ layout: RowLayout) throws(RowProblem) {
    if csv.count > BlockReader.maximumRowByteCount { throw .tooLong(csv.count) }
    if let problem = csv.problem { throw problem }
    guard csv.fieldCount == layout.columns.count else {
      throw RowProblem(
        .wrongFieldCount,
        "the record has \(counted(csv.fieldCount, "field")), and the header has \(layout.columns.count)",
        fix: "write one field per column, and quote a field that has a delimiter or a line break"
      )
    }
  }

  @inline(__always)
  private func format(_ layout: RowLayout) throws(RowProblem) {
    try checkRecord(layout)
    if canUseFastPath, let columns = layout.simple, let simple = csv.simpleRow(columns),
      let (unownedWriter, amount) = pricing.simplePrice(simple), formatSimple(amount, unownedWriter)
    {
      return
    }
    storeFields(layout)
    let (formatter, amount) = try pricing.price(fields)
    let isCopied = layout.appended.count == outputFields.count && formats.delimiter == formats.inputDelimiter
    try write(layout, amount, formatter, isCopied: isCopied)
  }

  /// Formats a simple row. Returns false, and writes no output, if the fast path cannot write the price.
  @inline(__always)
  private func formatSimple(_ amount: Amount, _ unownedWriter: UnownedPriceWriter) -> Bool {
    // The delimiter, two quotes and a line end.
    let start = out.reserve(csv.count + unownedWriter.capacity + 5)
    memcpy(start, csv.start, csv.count)
    var end = start + csv.count
    end.pointee = formats.delimiter
    // Most prices have a comma, so that they need quotes.
    let text = end + 2
    let count = unownedWriter.write(amount, to: text)
    guard count >= 0 else { return false }
    // A price with a quote or a line break is not on the fast path.
    if memchr(text, Int32(formats.delimiter), count) == nil {
      memmove(end + 1, text, count)
      end += 1 + count
    } else {
      end[1] = UInt8(ascii: "\"")
      text[count] = UInt8(ascii: "\"")
      end = text + count + 1
    }
    out.add(end - start)
    endRow()
    return true
  }

  /// Copies the line end of the record. The last record may lack it.
  @inline(__always)
  private func endRow() {
    out.append(csv.start + csv.count, csv.lineEndCount)
    if csv.lineEndCount == 0 || csv.start[csv.count + csv.lineEndCount - 1] != 0x0A { out.append(0x0A) }
  }

  /// Writes a row.
  ///
  /// - Parameter isCopied: Whether all fields of the record are copied as they are.
  @inline(__always)
  func write(
    _ layout: RowLayout,
    _ amount: RowAmount,
    _ formatter: CachedFormatter,
    isCopied: Bool
  ) throws(RowProblem) {
    switch formats.output {
    case .csv:
      if isCopied { out.append(csv.start, csv.count) } else { try writeFields(layout, amount, formatter) }
      for field in layout.appended {
        out.append(formats.delimiter)
        try writer.write(field, of: amount, formatter, to: out)
      }
      endRow()
    case .jsonl:
      for column in layout.replaced.indices {
        out.append(layout.keys[column])
        if let replaced = layout.replaced[column] {
          try writer.write(replaced, of: amount, formatter, to: out)
        } else {
          out.append(UInt8(ascii: "\""))
          out.append(value(layout.sources[column]), as: .jsonl, delimiter: formats.delimiter)
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
      let source = layout.sources[column]
      if let replaced = layout.replaced[column] {
        try writer.write(replaced, of: amount, formatter, to: out)
      } else if formats.delimiter == formats.inputDelimiter, source != RowLayout.storefront {
        let field = csv.field(source == RowLayout.cell ? cellColumn : source)
        out.append(field.start, field.count)
      } else {
        out.append(value(source), as: .csv, delimiter: formats.delimiter)
      }
    }
  }

  @inline(__always)
  private func value(_ source: Int) -> FieldValue {
    if source >= 0 { return csv.value(source) }
    return source == RowLayout.cell ? csv.value(cellColumn) : fields[.storefront]
  }
}
