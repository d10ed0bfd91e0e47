import PriceTag

/// Writes what a batch writes of a price: as values of JSON, or as fields of CSV.
struct PriceWriter {
  let format: BatchFormat
  let delimiter: UInt8

  /// Writes one field of a price.
  func write(
    _ field: RowField,
    of amount: Amount,
    _ route: PriceRoute,
    to out: OutputBuffer
  ) throws(RowProblem) {
    if field == .parts, format == .jsonl { return try out.append(parts(amount, route)) }
    if format == .jsonl { out.append(UInt8(ascii: "\"")) }
    let place = out.count
    do throws(PriceTagError) {
      switch field {
      case .display: try write(amount, route.formatter, to: out)
      case .isolated:
        out.append("\u{2068}")
        try write(amount, route.formatter, to: out)
        out.append("\u{2069}")
      case .spoken: try writeSpoken(amount, route, to: out)
      case .html: out.append(try route.formatter.format(amount).html)
      default: break
      }
    } catch { throw RowProblem(error, field: "amount") }
    if field == .parts { try out.append(parts(amount, route)) }
    out.finishText(from: place, as: format, delimiter: delimiter)
    if format == .jsonl { out.append(UInt8(ascii: "\"")) }
  }

  private func write(
    _ amount: Amount,
    _ formatter: PriceFormatter,
    to out: OutputBuffer
  ) throws(PriceTagError) {
    let capacity = formatter.maximumUTF8Count
    let room = UnsafeMutableBufferPointer(start: out.room(for: capacity), count: capacity)
    out.add(try formatter.write(amount, into: room))
  }

  private func writeSpoken(_ amount: Amount, _ route: PriceRoute, to out: OutputBuffer) throws(PriceTagError)
  {
    if let spoken = route.spoken {
      do throws(PriceTagError) {
        return try write(amount, spoken, to: out)
      } catch {
        // As `FormattedPrice.spoken`: what cannot be said is read out as it is written.
      }
    }
    try write(amount, route.formatter, to: out)
  }

  private func parts(_ amount: Amount, _ route: PriceRoute) throws(RowProblem) -> String {
    do throws(PriceTagError) {
      return try route.formatter.format(amount).partsJSON
    } catch { throw RowProblem(error, field: "amount") }
  }
}
