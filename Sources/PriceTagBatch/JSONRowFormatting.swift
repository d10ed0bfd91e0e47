import CJSON
import PriceTag
import PriceTagText

// Rows that are read from JSON.
extension RowWorker {
  func processJSON(_ start: Int) {
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
    if row.problem != CJSONProblemNone { throw .found(in: row) }
    if writesUsualRows, let usual = json.usual(row) {
      if let (stamper, amount) = pricing.usualPrice(usual), formatUsual(row, amount, stamper) { return }
      if let problem = pricing.unknownStorefront(usual) { throw problem }
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
    end.pointee = rowEnd
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

  func append(_ field: RowField, _ amount: Amount, _ route: PriceRoute) throws(RowProblem) {
    out.append(appendedKeys[field.rawValue])
    try writer.write(field, of: amount, route, to: out)
  }

  /// Copies what stands behind the object's last value, and ends the line.
  @inline(__always)
  private func finish(_ row: CJSONRow) {
    let end = row.values_end
    out.append(row.bytes + end, row.count - end)
    out.append(rowEnd)
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
}

extension RowProblem {
  fileprivate static func exists(_ field: RowField) -> RowProblem {
    RowProblem(
      .fieldExists,
      "the row has \(quoted(field.name.description)) already",
      fix: "rename it, or say that it is to be replaced (--overwrite)",
      field: field.name.description
    )
  }
}
