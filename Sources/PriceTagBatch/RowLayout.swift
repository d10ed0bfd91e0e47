import PriceTag
import PriceTagText

/// The columns of CSV: those of a header that was read, or those that the first row of JSON gave.
struct RowLayout: Sendable {
  /// The names, in order.
  let columns: [[UInt8]]
  /// For each field that a batch knows, its column; -1 where there is none.
  let known: [Int]
  /// For each column, the field that is written into it in place of what is there; `nil` for what stays.
  let replaced: [RowField?]
  /// The fields that are written behind the columns.
  let appended: [RowField]
  /// For rows of JSON: what stands before each value: `{"id":` and `,"amount":`.
  let keys: [[UInt8]]

  init(columns: [[UInt8]], written: [RowField]) {
    self.columns = columns
    known = RowField.allCases.map { field in
      let name = Array(field.name.description.utf8)
      return columns.firstIndex(of: name) ?? -1
    }
    var replaced: [RowField?] = Array(repeating: nil, count: columns.count)
    var appended: [RowField] = []
    for field in written {
      let column = known[field.rawValue]
      if column >= 0 { replaced[column] = field } else { appended.append(field) }
    }
    (self.replaced, self.appended) = (replaced, appended)
    keys = columns.enumerated().map { index, name in
      let key = PriceTagText.json(String(decoding: name, as: UTF8.self))
      return Array("\(index == 0 ? "{" : ",")\(key):".utf8)
    }
  }

  /// The header of the columns and of what is appended, without a line end.
  func writeHeader(to out: OutputBuffer, delimiter: UInt8) {
    for (index, name) in columns.enumerated() {
      if index > 0 { out.append(delimiter) }
      // At a file's start it would be taken for a byte order mark.
      if index == 0, name.starts(with: [0xEF, 0xBB, 0xBF]) {
        out.append(quotedForCSV(String(decoding: name, as: UTF8.self)))
        continue
      }
      name.withUnsafeBufferPointer { bytes in
        if let base = bytes.baseAddress { out.appendCSV(base, bytes.count, delimiter: delimiter) }
      }
    }
    writeAppendedHeader(to: out, delimiter: delimiter)
  }

  /// The header of what is appended.
  func writeAppendedHeader(to out: OutputBuffer, delimiter: UInt8) {
    for field in appended {
      out.append(delimiter)
      out.append(field.name.utf8Start, field.name.utf8CodeUnitCount)
    }
  }
}

extension RowLayout {
  /// The layout of a header that was read.
  ///
  /// - Throws: `.malformedHeader`, `.fieldExists`.
  init(
    header reader: CSVRowReader,
    _ options: BatchOptions,
    name: String,
    linesBefore: Int
  ) throws(BatchError) {
    let place = "\(printable(name)), line \(linesBefore + reader.line + 1)"
    func malformed(_ problem: String, _ fix: String) -> BatchError {
      BatchError(.malformedHeader, problem, fix: fix, place: place)
    }
    if let (problem, fix) = reader.problem?.described(suggests: true) {
      throw BatchError(
        .malformedHeader,
        "the header cannot be read: \(problem)",
        fix: fix,
        place: place
      )
    }
    let columns = (0..<reader.fieldCount).map { Array(reader.value($0).text.utf8) }
    var seen: Set<[UInt8]> = []
    for column in columns where !seen.insert(column).inserted {
      throw malformed(
        "the column \(quoted(String(decoding: column, as: UTF8.self))) stands twice",
        "give each column a name of its own"
      )
    }
    self.init(columns: columns, written: options.written)
    if !options.overwrites, let there = options.written.first(where: { known[$0.rawValue] >= 0 }) {
      throw BatchError(
        .fieldExists,
        "there is a column \(quoted(there.name.description)) already",
        fix: "rename it, or say that it is to be replaced (--overwrite)",
        place: place
      )
    }
    func has(_ fields: RowField...) -> Bool { fields.contains { known[$0.rawValue] >= 0 } }
    let names = columns.map { String(decoding: $0, as: UTF8.self) }
    func nearest(_ wanted: String) -> String {
      didYouMean(wanted, among: names).replacing(" (did you mean ", with: "; is it ").replacing(
        "?)",
        with: "?"
      )
    }
    if let other = Self.otherDelimiter(names) {
      throw malformed(
        "the header is one column, \(quoted(names.first ?? ""))",
        "say what stands between the fields (--delimiter \(other))"
      )
    }
    guard has(.amount, .amountMinor, .amountMicros) else {
      throw malformed(
        "no column is called amount, amountMinor or amountMicros\(nearest("amount"))",
        "name the column of the prices so\(Self.catalogHint(names))"
      )
    }
    guard has(.storefront) || (has(.priceLocale) && has(.currency)) else {
      throw malformed(
        "no column is called storefront\(nearest("storefront"))",
        "name the column of the stores so, or give both priceLocale and currency"
      )
    }
  }

  /// What seems to stand between the fields, where the header is one column with it.
  private static func otherDelimiter(_ names: [String]) -> String? {
    guard names.count == 1, let name = names.first else { return nil }
    return [(",", "','"), (";", "';'"), ("\t", "tab")].first { name.contains($0.0) }?.1
  }

  private static func catalogHint(_ names: [String]) -> String {
    names.contains("productIdentifier") || names.contains("Product ID")
      ? "; a catalogue is formatted with --storefronts" : ""
  }
}
