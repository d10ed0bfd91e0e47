import PriceTag
import PriceTagText

/// The columns of CSV: from the header of CSV input, or from the first row of JSON input.
struct RowLayout: Sendable {
  /// The names of the columns, in order.
  let columns: [[UInt8]]
  /// For each recognized `RowField`, the index of its column, or -1.
  let columnOfField: [Int]
  /// For each column, the output field that replaces it; `nil` for a column that is copied.
  let replaced: [RowField?]
  /// The output fields that are written after the columns.
  let appended: [RowField]
  /// For JSON output, the bytes before the value of each column: `{"id":` and `,"amount":`.
  let keys: [[UInt8]]
  /// For CSV input, the column that each column is copied from, or that of the current storefront's name or prices.
  let sources: [Int]
  /// The columns of a simple row; `nil` if rows have other recognized columns, or the output is more than its price.
  let simple: SimpleRow.Places?
  /// The columns of storefronts; `nil` if each record is one row.
  private(set) var wide: WideLayout?

  /// The sources of a wide sheet's row that are not columns of their own.
  static let (storefront, cell) = (-1, -2)

  init(columns: [[UInt8]], sources: [Int]? = nil, _ options: BatchOptions) {
    (self.columns, self.sources) = (columns, sources ?? Array(columns.indices))
    let outputFields = options.outputFields
    let names = columns.map { String(decoding: $0, as: UTF8.self) }
    columnOfField = RowField.recognized(outputFields).map { field in
      options.inputName(of: field).flatMap { names.firstIndex(of: $0) } ?? -1
    }
    var replaced: [RowField?] = Array(repeating: nil, count: columns.count)
    var appended: [RowField] = []
    for field in outputFields {
      let column = columnOfField[field.rawValue]
      if column >= 0 { replaced[column] = field } else { appended.append(field) }
    }
    (self.replaced, self.appended) = (replaced, appended)
    let columnOfField = columnOfField
    simple =
      appended == [.display] && outputFields == appended
      ? SimpleRow.Places { columnOfField[$0.rawValue] } : nil
    keys = names.enumerated().map { index, name in
      Array("\(index == 0 ? "{" : ",")\(PriceTagText.json(name)):".utf8)
    }
  }

  /// Writes the header of all columns and appended fields, without a line end.
  func writeHeader(to out: OutputBuffer, delimiter: UInt8) {
    for (index, name) in columns.enumerated() {
      if index > 0 { out.append(delimiter) }
      // Quoted, or a reader would take the start of the name for a byte order mark.
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

  /// Writes the header of the appended fields.
  func writeAppendedHeader(to out: OutputBuffer, delimiter: UInt8) {
    for field in appended {
      out.append(delimiter)
      out.append(field.name)
    }
  }
}

extension RowLayout {
  /// Creates the layout of CSV input.
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
      throw malformed("the header is invalid: \(problem)", fix)
    }
    let columns = (0..<reader.fieldCount).map { Array(reader.value($0).text.utf8) }
    var seen: Set<[UInt8]> = []
    for column in columns where !seen.insert(column).inserted {
      throw malformed(
        "the column \(quoted(String(decoding: column, as: UTF8.self))) appears twice",
        "rename one"
      )
    }
    self.init(columns: columns, options)
    if !options.overwrites,
      let existing = options.outputFields.first(where: { columnOfField[$0.rawValue] >= 0 })
    {
      throw BatchError(
        .fieldExists,
        "the input already has the column \(quoted(existing.name))",
        fix: "rename the column, or allow replacing it (--overwrite)",
        place: place
      )
    }
    let names = columns.map { String(decoding: $0, as: UTF8.self) }
    func renaming(_ name: String) -> String {
      let match = closestMatch(to: name, among: names.filter { $0 != name })
      return match.map { "rename the column \(quoted($0)) to \(quoted(name))" }
        ?? "add it, or map another column to it (--map)"
    }
    if let delimiter = Self.likelyDelimiter(names) {
      throw malformed(
        "the header has one column, \(quoted(names.first ?? ""))",
        "set the delimiter (--delimiter \(delimiter))"
      )
    }
    for column in options.columns where !names.contains(column.name) {
      throw malformed(
        "the column \(quoted(column.name)) is missing, which is mapped to \(column.field.name)",
        closestMatch(to: column.name, among: names).map { "did you mean \(quoted($0))?" }
          ?? "map a column of the header"
      )
    }
    if let wide = WideLayout(names, columnOfField, options) {
      self.wide = wide
      // Of two amounts of a row, one has no currency: that of which storefront?
      let others = [RowField.storefront, .amount, .amountMinor, .amountMicros, .amountTo].filter { has($0) }
      let added = [RowField.storefront, wide.field].map(\.name)
      let name =
        others.first?.name ?? wide.copied.lazy.map { names[$0] }.first(where: added.contains)
      if let name {
        throw malformed(
          "the column \(quoted(name)) is beside the columns of storefronts",
          "rename it, or do not map columns to storefronts"
        )
      }
    } else if !has(.amount, .amountMinor, .amountMicros) {
      throw malformed(
        "the column \"amount\" (or amountMinor, amountMicros) is missing",
        "\(renaming("amount"))\(Self.catalogHint(names))"
      )
    } else if !has(.storefront), !has(.priceLocale) || !has(.currency) {
      throw malformed(
        "the column \"storefront\" is missing",
        "\(renaming("storefront")), or add both priceLocale and currency"
      )
    }
    for field in options.outputFields {
      guard let source = field.source, !has(source) else { continue }
      throw malformed(
        "the column \(quoted(source.name)) is missing, which \(field.name) is computed from",
        "\(renaming(source.name)), or do not request \(field.name)"
      )
    }
  }

  private func has(_ fields: RowField...) -> Bool { fields.contains { columnOfField[$0.rawValue] >= 0 } }

  /// The delimiter that the only column of a header contains, as a value of `--delimiter`.
  private static func likelyDelimiter(_ names: [String]) -> String? {
    guard names.count == 1, let name = names.first else { return nil }
    return [(",", "','"), (";", "';'"), ("\t", "tab")].first { name.contains($0.0) }?.1
  }

  private static func catalogHint(_ names: [String]) -> String {
    names.contains("productIdentifier") || names.contains("Product ID")
      ? ", or pass --storefronts all if the file is a catalog" : ""
  }
}
