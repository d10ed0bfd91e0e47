import PriceTag

// Rows that are read from CSV.
extension RowWorker {
  func processCSV(_ start: Int) {
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
      if column >= 0 { fields[index] = csv.value(column) }
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
          out.append(UInt8(ascii: "\""))
          out.append(csv.value(column), as: .jsonl, delimiter: formats.delimiter)
          out.append(UInt8(ascii: "\""))
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
        let field = csv.field(column)
        out.append(field.start, field.count)
      } else {
        out.append(csv.value(column), as: .csv, delimiter: formats.delimiter)
      }
    }
  }
}
