import PriceTag

/// The formatters of all rows so far, by the storefront, price locale, currency, date and form of a row.
///
/// The cache has two generations of a limited number of entries, so input with ever new values cannot fill the memory.
/// An entry that is used moves to the recent generation. When that is full, it replaces the previous one.
final class FormatterCache {
  /// The formatter of a row, or the reason why it has none.
  private typealias Entry = Result<CachedFormatter, RowProblem>

  private let options: BatchOptions
  private var recent: [[UInt8]: Entry] = [:]
  private var previous: [[UInt8]: Entry] = [:]
  private static let maximumGenerationCount = 1024
  /// Longer keys are not stored.
  private static let maximumKeyByteCount = 256
  /// The key of the current row, in memory that is reused.
  private var key: [UInt8] = []

  /// The storefronts of the locale data; `nil` if the data cannot be read, which a lookup reports.
  private let storefronts: StorefrontSet?

  /// The number of stored formatters.
  var count: Int { recent.count + previous.count }

  init(_ options: BatchOptions) {
    self.options = options
    storefronts = options.localeData.storefrontIdentifiers.map(StorefrontSet.init)
  }

  /// Returns the formatter of a row.
  func formatter(_ fields: RecognizedFields) throws(RowProblem) -> CachedFormatter {
    if let problem = unknownStorefront(fields) { throw problem }
    key.removeAll(keepingCapacity: true)
    for field in [RowField.storefront, .priceLocale, .currency, .at, .writtenAs] {
      let value = fields[field]
      key.append(value.kind.rawValue)
      key.append(value.escapes.rawValue)
      withUnsafeBytes(of: UInt32(truncatingIfNeeded: value.count)) { key.append(contentsOf: $0) }
      key.append(contentsOf: value.bytes)
    }
    if let entry = recent[key] { return try entry.get() }
    let entry = previous[key] ?? makeEntry(fields)
    if recent.count == Self.maximumGenerationCount {
      previous = recent
      recent = [:]
    }
    if key.count < Self.maximumKeyByteCount { recent[key] = entry }
    return try entry.get()
  }

  /// Returns the problem of a row that has an unknown storefront and no currency, else `nil`.
  ///
  /// Such rows do not use the cache: random storefronts would replace all its entries.
  @inline(__always)
  func unknownStorefront(
    _ storefront: UnsafeBufferPointer<UInt8>,
    _ currency: UnsafeBufferPointer<UInt8>
  ) -> RowProblem? {
    guard currency.isEmpty, !storefront.isEmpty, let storefronts, !storefronts.mayContain(storefront) else {
      return nil
    }
    return RowProblem(unknownStorefront: String(decoding: storefront, as: UTF8.self), options.localeData)
  }

  private func unknownStorefront(_ fields: RecognizedFields) -> RowProblem? {
    guard fields[.storefront].isPlainText, fields[.priceLocale].kind == .absent, fields[.at].kind == .absent,
      fields[.currency].kind == .absent
    else { return nil }
    return unknownStorefront(fields[.storefront].bytes, UnsafeBufferPointer(start: nil, count: 0))
  }

  private func makeEntry(_ fields: RecognizedFields) -> Entry {
    do throws(RowProblem) {
      let origin = PriceOrigin(
        storefront: try fields.string(.storefront),
        priceLocale: try fields.string(.priceLocale),
        currency: try fields.string(.currency),
        at: try fields.string(.at)
      )
      var style = options.style
      if let form = try fields.string(.writtenAs) {
        do throws(PriceTagError) { style.writtenAs = try PriceStyle.WrittenAs(form) } catch {
          throw RowProblem(error, field: RowField.writtenAs.name)
        }
      }
      do throws(PriceTagError) {
        let formatter = try origin.formatter(in: options.localeData, on: options.day, style: style)
        if options.fields.contains(.spoken) { try formatter.checkSpokenForms() }
        var unitPriceFormatter = formatter
        if style.notation != .standard, options.fields.contains(.unitPrice) {
          style.notation = .standard
          unitPriceFormatter = try origin.formatter(in: options.localeData, on: options.day, style: style)
        }
        return .success(CachedFormatter(formatter, unitPriceFormatter: unitPriceFormatter))
      } catch { throw RowProblem(error, field: nil) }
    } catch { return .failure(error) }
  }
}
