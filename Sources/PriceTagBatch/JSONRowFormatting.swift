import CJSON
import PriceTag
import PriceTagSystem
import PriceTagText

// JSON rows.
extension RowWorker {
  func processJSON(_ start: Int) {
    json.begin(block.bytes + start, block.count - start)
    let lines = lineCount
    while let row = json.next() {
      rowCount += 1
      let start = out.count
      do throws(RowProblem) {
        try format(row)
      } catch {
        out.truncate(to: start)
        var count = row.count
        if count > 0, row.bytes[count - 1] == 0x0D { count -= 1 }
        reject(error, row.bytes, count, line: lines + row.line)
      }
    }
    lineCount = lines + json.lineCount
  }

  @inline(__always)
  private func format(_ row: CJSONRow) throws(RowProblem) {
    if row.count > BlockReader.maximumRowByteCount { throw .tooLong(row.count) }
    if row.problem != CJSONProblemNone { throw .found(in: row) }
    if canUseFastPath, let simple = json.simpleRow(row) {
      if outputFields.count == 1 {
        if let (unownedWriter, amount) = pricing.simplePrice(simple), formatSimple(row, amount, unownedWriter)
        {
          return
        }
      } else if let (formatter, amount) = pricing.simpleAmount(simple) {
        return try write(row, RowAmount(amount: amount), formatter)
      }
      if let problem = pricing.unknownStorefront(simple) { throw problem }
    }
    try formatGeneral(row)
  }

  /// Formats a simple row. Returns false, and writes no output, if the fast path cannot write the price.
  @inline(__always)
  private func formatSimple(_ row: CJSONRow, _ amount: Amount, _ unownedWriter: UnownedPriceWriter) -> Bool {
    let start = out.reserve(row.count + displayStart.utf8CodeUnitCount + unownedWriter.capacity + 2)
    memcpy(start, row.bytes, row.values_end)
    var end = start + row.values_end
    memcpy(end, displayStart.utf8Start, displayStart.utf8CodeUnitCount)
    end += displayStart.utf8CodeUnitCount
    let count = unownedWriter.write(amount, to: end)
    guard count >= 0 else { return false }
    end += count
    end.pointee = UInt8(ascii: "\"")
    end += 1
    for index in row.values_end..<row.count {
      end.pointee = row.bytes[index]
      end += 1
    }
    end.pointee = rowEnd
    out.add(end + 1 - start)
    return true
  }

  private func formatGeneral(_ row: CJSONRow) throws(RowProblem) {
    json.fill(fields, row)
    var isReplacing = false
    for field in outputFields where json.member(field, row) != nil {
      guard options.overwrites else { throw .exists(field) }
      isReplacing = true
    }
    let (formatter, amount) = try pricing.price(fields)
    switch formats.output {
    case .jsonl where isReplacing: try replace(row, amount, formatter)
    case .jsonl: try write(row, amount, formatter)
    case .csv: try writeRecord(row, amount, formatter)
    }
  }

  /// Copies a row, and appends all output fields.
  private func write(_ row: CJSONRow, _ amount: RowAmount, _ formatter: CachedFormatter) throws(RowProblem) {
    out.append(row.bytes, row.values_end)
    for field in outputFields { try append(field, amount, formatter) }
    finish(row)
  }

  func append(_ field: RowField, _ amount: RowAmount, _ formatter: CachedFormatter) throws(RowProblem) {
    out.append(appendedKeys[field.rawValue])
    try writer.write(field, of: amount, formatter, to: out)
  }

  /// Copies the rest of the row after the last value, and ends the line.
  @inline(__always)
  private func finish(_ row: CJSONRow) {
    let end = row.values_end
    out.append(row.bytes + end, row.count - end)
    out.append(rowEnd)
  }

  /// Writes a row that already has output fields: replaces their values, and appends the other output fields.
  private func replace(
    _ row: CJSONRow,
    _ amount: RowAmount,
    _ formatter: CachedFormatter
  ) throws(RowProblem) {
    let bytes = row.bytes
    var copied = 0
    let existing = outputFields.compactMap { field in json.member(field, row).map { (field, member: $0) } }
    for (field, member) in existing.sorted(by: { $0.member < $1.member }) {
      let value = row.members[member]
      let quote = value.kind == CJSONKindString ? 1 : 0
      let start = Int(value.value_start) - quote
      out.append(bytes + copied, start - copied)
      try writer.write(field, of: amount, formatter, to: out)
      copied = start + Int(value.value_count) + 2 * quote
    }
    out.append(bytes + copied, row.values_end - copied)
    for field in outputFields where json.member(field, row) == nil { try append(field, amount, formatter) }
    finish(row)
  }

  /// Writes a JSON row as a CSV record.
  private func writeRecord(
    _ row: CJSONRow,
    _ amount: RowAmount,
    _ formatter: CachedFormatter
  ) throws(RowProblem) {
    let layout: RowLayout
    if let existing = self.layout {
      layout = existing
    } else {
      layout = RowLayout(columns: json.keys(row), options)
      layout.writeHeader(to: out, delimiter: formats.delimiter)
      out.append(0x0A)
    }
    try json.arrange(row, layout.columns)
    for (column, replaced) in layout.replaced.enumerated() {
      if column > 0 { out.append(formats.delimiter) }
      if let replaced {
        try writer.write(replaced, of: amount, formatter, to: out)
      } else {
        let value = json.value(row, column)
        if value.kind != .absent { try append(value) }
      }
    }
    for field in layout.appended {
      out.append(formats.delimiter)
      try writer.write(field, of: amount, formatter, to: out)
    }
    out.append(0x0A)
    // Stored only here: a rejected row does not define the columns.
    self.layout = layout
  }

  /// Appends a value as a CSV field.
  private func append(_ value: FieldValue) throws(RowProblem) {
    if value.escapes == .none { return out.appendCSV(value.start, value.count, delimiter: formats.delimiter) }
    let place = out.count
    let textCount = value.unescape(to: out.reserve(value.count))
    guard memchr(out.start + place, 0, textCount) == nil else {
      throw RowProblem(
        .nulByte,
        "a value contains a NUL character, which CSV cannot represent",
        fix: #"remove \u0000, or write JSON Lines"#
      )
    }
    out.add(textCount)
    out.finishText(from: place, as: .csv, delimiter: formats.delimiter)
  }
}

extension RowProblem {
  fileprivate static func exists(_ field: RowField) -> RowProblem {
    RowProblem(
      .fieldExists,
      "the row already has the field \(quoted(field.name))",
      fix: "rename the field, or allow replacing it (--overwrite)",
      field: field.name
    )
  }
}
