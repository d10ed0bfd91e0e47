import PriceTag
import PriceTagSystem
import PriceTagText

/// The columns of a sheet that has the prices of each storefront in a column of its own.
final class WideLayout: Sendable {
  /// A column with the prices of a storefront.
  struct Store: Sendable {
    let column: Int
    let name: String
    /// The code of the storefront, in UTF-8.
    let storefront: [UInt8]
  }

  /// The amount that the cells are.
  let field: RowField
  /// The columns of storefronts, in the order of the header.
  let stores: [Store]
  /// The columns that are copied to each row.
  let copied: [Int]
  /// The columns of the output: those that are copied, then `storefront` and the field.
  let output: RowLayout

  /// Returns `nil` if the options map no column to a storefront.
  ///
  /// - Parameters:
  ///   - names: The names in the header, which has all columns of the options.
  ///   - columnOfField: For each recognized `RowField`, the index of its column, or -1.
  init?(_ names: [String], _ columnOfField: [Int], _ options: BatchOptions) {
    stores = options.columns.compactMap { column in
      guard let id = column.storefront, let index = names.firstIndex(of: column.name) else { return nil }
      let storefront = (try? Storefront(id, in: options.localeData))?.id ?? id
      return Store(column: index, name: column.name, storefront: Array(storefront.utf8))
    }.sorted { $0.column < $1.column }
    guard let field = options.columns.first(where: { $0.storefront != nil })?.field else { return nil }
    self.field = field
    // An output field that the header has is replaced after the other columns.
    var omitted = Set(stores.map(\.column))
    omitted.formUnion(options.outputFields.map { columnOfField[$0.rawValue] })
    copied = names.indices.filter { !omitted.contains($0) }
    let columns = copied.map { names[$0] } + [RowField.storefront, field].map(\.name)
    let sources = copied + [RowLayout.storefront, RowLayout.cell]
    output = RowLayout(columns: columns.map { Array($0.utf8) }, sources: sources, options)
  }
}

// Records of a wide sheet.
extension RowWorker {
  /// Formats the records of the block, each as one row for each storefront of which it has a price.
  ///
  /// - Parameters:
  ///   - start: The offset of the first record.
  ///   - lines: The number of lines before it.
  ///   - commit: Writes the rows so far, after every few hundred kilobytes: a record may become much larger than the block.
  func processWide(
    _ layout: RowLayout,
    _ wide: WideLayout,
    from start: Int,
    afterLines lines: Int,
    commit: () throws(BatchError) -> Void
  ) throws(BatchError) {
    removeResults()
    if let byteCount = block.longRowByteCount {
      rejectLongRow(byteCount)
    } else if start < block.count {
      csv.begin(block.bytes + start, block.count - start)
      while csv.next() {
        do throws(RowProblem) {
          try readFields(layout)
        } catch {
          rowCount += 1
          reject(error, csv.start, csv.count, line: lines + csv.line)
          continue
        }
        for store in wide.stores {
          format(store, wide, line: lines + csv.line)
          if out.count + rejectedByteCount >= BlockReader.blockByteCount {
            try commit()
            removeResults()
          }
        }
      }
      lineCount = lines + csv.lineCount
    }
    try commit()
  }

  /// Formats one price of a record. An empty cell has none.
  private func format(_ store: WideLayout.Store, _ wide: WideLayout, line: Int) {
    let cell = csv.value(store.column)
    guard cell.kind != .absent else {
      emptyCellCount += 1
      return
    }
    rowCount += 1
    let start = out.count
    storefrontText.removeAll()
    storefrontText.append(store.storefront)
    fields[.storefront] = FieldValue(
      start: storefrontText.start,
      count: storefrontText.count,
      kind: .text,
      escapes: .none
    )
    (fields[wide.field], cellColumn) = (cell, store.column)
    do throws(RowProblem) {
      let (formatter, amount) = try pricing.price(fields)
      try write(wide.output, amount, formatter, isCopied: false)
    } catch {
      out.truncate(to: start)
      reject(error, csv.start, csv.count, line: line, column: store.name)
    }
  }
}
