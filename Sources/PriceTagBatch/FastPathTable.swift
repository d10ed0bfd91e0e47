import PriceTag
import PriceTagText

/// The formatters of rows that have a storefront, an optional currency, and neither a price locale nor a date.
///
/// A hash table with open addressing, read once for each row. Its keys are the bytes of the storefront and the currency, at
/// most four of each. A dictionary has the formatters of custom currencies with longer codes.
///
/// The array `formatters` owns the formatters. An entry refers to its formatter without a reference count, because a strong
/// reference would cost an atomic retain and release for each row. Entries are never removed or replaced, so these
/// references are valid as long as the table.
final class FastPathTable {
  /// The formatter of one storefront and currency.
  struct Entry {
    fileprivate var key: UInt64
    /// Writes prices. Valid as long as the table.
    var unownedWriter: UnownedPriceWriter
    /// Valid as long as the table.
    fileprivate var formatter: Unmanaged<CachedFormatter>
  }

  /// A storefront and a currency in one word.
  struct Key {
    fileprivate let word: UInt64

    /// - Parameters:
    ///   - storefront: At most four bytes.
    ///   - currency: At most four bytes; empty if the row has no currency.
    @inline(__always)
    init(_ storefront: UnsafeBufferPointer<UInt8>, _ currency: UnsafeBufferPointer<UInt8>) {
      var high: UInt64 = 0
      for byte in storefront { high = high << 8 | UInt64(byte) }
      var low: UInt64 = 0
      for byte in currency { low = low << 8 | UInt64(byte) }
      word = high << 32 | low
    }
  }

  /// A storefront and a custom currency with a code of 5 to 12 bytes.
  struct LongKey: Hashable {
    private let start: UInt64
    private let end: UInt64

    /// Returns `nil` if the storefront does not have 1 to 4 bytes, or the currency 5 to 12.
    init?(_ storefront: UnsafeBufferPointer<UInt8>, _ currency: UnsafeBufferPointer<UInt8>) {
      guard (1...4).contains(storefront.count), (5...12).contains(currency.count) else { return nil }
      let code = currency.prefix(4)
      start = Key(storefront, UnsafeBufferPointer(rebasing: code)).word
      var end: UInt64 = 0
      for byte in currency.dropFirst(4) { end = end << 8 | UInt64(byte) }
      self.end = end
    }
  }

  /// A power of two. At most half of the slots are used, so a search ends soon.
  private static let slotCount = 2048
  private let entries: UnsafeMutablePointer<Entry> = .allocate(capacity: slotCount)
  /// Whether the entry of a slot is initialized.
  private let isUsed: UnsafeMutablePointer<Bool> = .allocate(capacity: slotCount)
  /// The formatters of custom currencies with long codes.
  private var longEntries: [LongKey: CachedFormatter] = [:]
  /// Keeps the formatters of all entries alive.
  private var formatters: [CachedFormatter] = []

  /// The number of stored formatters.
  var count: Int { formatters.count + longEntries.count }

  init() { isUsed.initialize(repeating: false, count: Self.slotCount) }

  deinit {
    // Entries are trivial values: `formatters` releases the formatters.
    entries.deallocate()
    isUsed.deallocate()
  }

  /// Returns the entry of a storefront and a currency (empty for none), or `nil` if the table does not have it.
  @inline(__always)
  func entry(
    _ storefront: UnsafeBufferPointer<UInt8>,
    _ currency: UnsafeBufferPointer<UInt8>
  ) -> UnsafePointer<Entry>? {
    guard storefront.count <= 4, currency.count <= 4 else { return nil }
    let slot = slot(of: Key(storefront, currency))
    return isUsed[slot] ? UnsafePointer(entries + slot) : nil
  }

  /// Returns the formatter of a storefront and a custom currency with a long code, or `nil` if the table does not have it.
  @inline(never)
  func formatter(
    _ storefront: UnsafeBufferPointer<UInt8>,
    longCode currency: UnsafeBufferPointer<UInt8>
  ) -> CachedFormatter? {
    LongKey(storefront, currency).flatMap { longEntries[$0] }
  }

  /// Adds the formatter of a custom currency with a long code, under the same conditions as others.
  func insert(_ formatter: CachedFormatter, for key: LongKey) {
    guard longEntries.count < Self.slotCount / 2, Self.writesPlainText(formatter.formatter) else { return }
    longEntries[key] = formatter
  }

  /// Returns the formatter of a key, or `nil` if the table does not have it.
  @inline(__always)
  func formatter(for key: Key) -> CachedFormatter? {
    let slot = slot(of: key)
    return isUsed[slot] ? entries[slot].formatter.takeUnretainedValue() : nil
  }

  /// Adds the formatter of a key that the table does not have.
  ///
  /// A formatter is not added if the table is full, or if its prices need escapes in JSON.
  func insert(_ formatter: CachedFormatter, for key: Key) {
    guard formatters.count < Self.slotCount / 2, Self.writesPlainText(formatter.formatter) else { return }
    formatters.append(formatter)
    let slot = slot(of: key)
    (entries + slot).initialize(
      to: Entry(key: key.word, unownedWriter: formatter.unownedWriter, formatter: .passUnretained(formatter))
    )
    isUsed[slot] = true
  }

  /// Returns the slot that has a key, or the free slot for it.
  @inline(__always)
  private func slot(of key: Key) -> Int {
    var slot = Int(truncatingIfNeeded: (key.word &* 0x9E37_79B9_7F4A_7C15) >> 53)
    while isUsed[slot], entries[slot].key != key.word { slot = (slot + 1) & (Self.slotCount - 1) }
    return slot
  }

  /// Returns whether prices can be copied into JSON strings without escapes.
  ///
  /// A merchant may have put a quotation mark into a symbol. The four amounts have every piece of which prices consist:
  /// digits, separators, prefixes and suffixes.
  private static func writesPlainText(_ formatter: PriceFormatter) -> Bool {
    for coefficient in [1_234_567_890_000, -1_234_567_890_000, 1_234_567_890_001, -1_234_567_890_001] {
      let scale = min(formatter.display.digits, 3)
      guard let amount = try? Amount(minorUnits: Int64(coefficient), exponent: scale),
        let text = try? formatter.string(for: amount),
        !text.utf8.contains(where: isEscapedInJSON)
      else { return false }
    }
    return true
  }
}
