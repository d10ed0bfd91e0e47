import CJSON
import PriceTag

/// Writes the output fields of a price, as JSON values or CSV fields.
package struct PriceWriter {
  let format: BatchFormat
  let delimiter: UInt8
  /// Writes the other forms of a price; `nil` if none is requested. The worker owns it, so that a field is written without
  /// counting references.
  unowned(unsafe) let forms: PriceForms?

  package init(format: BatchFormat, delimiter: UInt8, forms: PriceForms? = nil) {
    (self.format, self.delimiter, self.forms) = (format, delimiter, forms)
  }

  /// Writes one field of a price or range.
  package func write(
    _ field: RowField,
    of amounts: RowAmount,
    _ formatter: CachedFormatter,
    to out: OutputBuffer
  ) throws(RowProblem) {
    if field.isForm { return try writeForm(field, amounts, formatter, to: out) }
    let amount = amounts.amount
    if format == .jsonl, amounts.upper == nil {
      if field == .html, writeHTML(amount, formatter, to: out) { return }
      if field == .parts, writeParts(amount, formatter, to: out) { return }
    }
    let isText = format == .jsonl && field != .parts
    if isText { out.append(UInt8(ascii: "\"")) }
    let place = out.count
    if let upper = amounts.upper {
      try writeRange(field, amount, upper, formatter, to: out)
    } else {
      try writePrice(field, amount, formatter, to: out)
    }
    if field != .parts || format == .csv { out.finishText(from: place, as: format, delimiter: delimiter) }
    if isText { out.append(UInt8(ascii: "\"")) }
  }

  /// Writes another form of a price: text, or null in JSON and nothing in CSV if the row does not have it.
  @inline(never)
  private func writeForm(
    _ field: RowField,
    _ amounts: RowAmount,
    _ formatter: CachedFormatter,
    to out: OutputBuffer
  ) throws(RowProblem) {
    guard let text = try forms?.text(field, amounts, formatter) else {
      if format == .jsonl { out.append("null") }
      return
    }
    if format == .jsonl { return out.appendJSONString(text) }
    let place = out.count
    out.append(text)
    out.finishText(from: place, as: .csv, delimiter: delimiter)
  }

  @inline(__always)
  private func writePrice(
    _ field: RowField,
    _ amount: Amount,
    _ formatter: CachedFormatter,
    to out: OutputBuffer
  ) throws(RowProblem) {
    do throws(PriceTagError) {
      switch field {
      case .display: try writeDisplay(amount, formatter, to: out)
      case .isolated:
        out.append("\u{2068}")
        try writeDisplay(amount, formatter, to: out)
        out.append("\u{2069}")
      case .spoken: try writeSpoken(amount, formatter, to: out)
      case .html: out.append(try formatter.formatter.format(amount).html)
      case .parts: out.append(partsOf: try formatter.formatter.format(amount))
      default: break
      }
    } catch { throw RowProblem(error, field: "amount") }
  }

  /// Writes one field of a range. ICU formats it, so this is much slower than a price.
  @inline(never)
  private func writeRange(
    _ field: RowField,
    _ low: Amount,
    _ high: Amount,
    _ formatter: CachedFormatter,
    to out: OutputBuffer
  ) throws(RowProblem) {
    do throws(PriceTagError) {
      let range = try formatter.formatter.format(from: low, to: high)
      switch field {
      case .display: out.append(range.text)
      case .isolated: out.append(range.isolated)
      case .spoken: out.append(range.spoken)
      case .html: out.append(range.html)
      case .parts: out.append(partsOf: range)
      default: break
      }
    } catch {
      let isLow = (try? formatter.formatter.format(low)) == nil
      throw RowProblem(error, field: (isLow ? RowField.amount : .amountTo).name)
    }
  }

  @inline(__always)
  private func writeDisplay(_ amount: Amount, _ formatter: CachedFormatter, to out: OutputBuffer)
    throws(PriceTagError)
  {
    let writer = formatter.unownedWriter
    let count = writer.write(amount, to: out.reserve(writer.capacity))
    if count >= 0 { out.add(count) } else { try write(amount, formatter.formatter, to: out) }
  }

  /// Writes HTML as a JSON string, without a `FormattedPrice`; returns false, and writes nothing, if it cannot.
  private func writeHTML(_ amount: Amount, _ formatter: CachedFormatter, to out: OutputBuffer) -> Bool {
    let writer = formatter.unownedWriter
    let place = out.count
    out.append(formatter.htmlStarts[writer.direction(of: amount) == .leftToRight ? 0 : 1])
    let text = out.reserve(writer.capacity)
    let count = writer.write(amount, to: text)
    guard count >= 0, !cjson_needs_escapes(text, count, true) else {
      out.truncate(to: place)
      return false
    }
    out.add(count)
    out.append("</bdi>\"" as StaticString)
    return true
  }

  /// Writes parts as JSON, without a `FormattedPrice`; returns false, and writes nothing, if it cannot.
  private func writeParts(_ amount: Amount, _ formatter: CachedFormatter, to out: OutputBuffer) -> Bool {
    let writer = formatter.unownedWriter
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: writer.capacity) { buffer in
      guard var text = buffer.baseAddress else { return false }
      let count = writer.write(amount, to: text)
      guard count >= 0, !cjson_needs_escapes(text, count, true) else { return false }
      var separator = UInt8(ascii: "[")
      let starts = Self.partStarts
      writer.forEachPart(of: amount) { type, count in
        out.append(separator)
        out.append(starts[type])
        out.append(text, count)
        out.append("\"}" as StaticString)
        text += count
        separator = UInt8(ascii: ",")
      }
      out.append(UInt8(ascii: "]"))
      return true
    }
  }

  /// The JSON before the text of a part, by its type.
  private static let partStarts = UnownedPriceWriter.partTypes.map {
    ConstantBytes("{\"type\":\"\($0.rawValue)\",\"value\":\"")
  }

  private func write(
    _ amount: Amount,
    _ formatter: PriceFormatter,
    to out: OutputBuffer
  ) throws(PriceTagError) {
    let capacity = formatter.maximumUTF8Count
    let buffer = UnsafeMutableBufferPointer(start: out.reserve(capacity), count: capacity)
    out.add(try formatter.write(amount, into: buffer))
  }

  private func writeSpoken(_ amount: Amount, _ formatter: CachedFormatter, to out: OutputBuffer)
    throws(PriceTagError)
  {
    if let writer = formatter.spokenWriter {
      let count = writer.writeWithPlurals(amount, to: out.reserve(writer.capacity))
      if count >= 0 { return out.add(count) }
    }
    if let spoken = formatter.spoken {
      do throws(PriceTagError) {
        return try write(amount, spoken, to: out)
      } catch {
        // An amount without a spoken form is written as displayed, as in `FormattedPrice.spoken`.
      }
    }
    try writeDisplay(amount, formatter, to: out)
  }
}

extension OutputBuffer {
  /// Appends the parts of a price as JSON: `[{"type":"symbol","value":"$"},…]`.
  package func append(partsOf price: FormattedPrice) {
    var text = price.text
    append(UInt8(ascii: "["))
    text.withUTF8 { bytes in
      for (index, part) in price.partRanges.enumerated() {
        append(index == 0 ? "{\"type\":\"" : ",{\"type\":\"")
        append(part.type.rawValue)
        append("\",\"value\":\"")
        if let start = bytes.baseAddress, part.range.upperBound <= bytes.count {
          appendJSON(start + part.range.lowerBound, part.range.count)
        }
        append("\"}")
      }
    }
    append(UInt8(ascii: "]"))
  }
}
