import PriceTag
import PriceTagBatch
import Synchronization

/// A pool of idle row formatters, which keep the price formatters that they have compiled.
///
/// Sendable notes: a lock protects the pool, and a formatter that was taken out belongs to a single request.
final class RowFormatterPool: Sendable {
  /// The options of a row formatter.
  struct Options: Hashable, Sendable {
    var style = PriceStyle()
    var fields: [BatchField] = []
    var minorUnits = "iso"
    var day = StoreDay.now
    var overwrites = false
    var usesDecimalComma = false
  }

  private struct Idle: @unchecked Sendable {
    let formatter: RowFormatter
    let byteCount: Int
  }

  private struct StoredFormatters {
    var idle: [Options: [Idle]] = [:]
    var byteCount = 0
  }

  private let stored = Mutex(StoredFormatters())
  private let source: CatalogSource
  private let maximumByteCount: Int

  /// Creates a pool.
  ///
  /// - Parameter maximumByteCount: About the maximum size of the idle formatters, of all options together.
  init(_ source: CatalogSource, maximumByteCount: Int = 32 << 20) {
    (self.source, self.maximumByteCount) = (source, maximumByteCount)
  }

  /// About the number of bytes of the idle formatters.
  var storedByteCount: Int { stored.withLock { $0.byteCount } }

  /// Calls `body` with a formatter of these options.
  ///
  /// - Throws: A problem with the options, or the error that `body` throws.
  func with<Value>(_ options: Options, _ body: (RowFormatter) throws(Problem) -> Value) throws(Problem)
    -> Value
  {
    // Formatters of a past day stay in the pool until it is full.
    let idle = stored.withLock { stored in
      let idle = stored.idle[options]?.popLast()
      stored.byteCount -= idle?.byteCount ?? 0
      return idle
    }
    let formatter: RowFormatter
    if let idle { formatter = idle.formatter } else { formatter = try make(options) }
    defer {
      let returned = Idle(formatter: formatter, byteCount: formatter.storedByteCount)
      // A full pool is emptied. Its formatters are freed outside the lock.
      let dropped = stored.withLock { stored in
        var dropped = StoredFormatters()
        guard returned.byteCount <= maximumByteCount else { return dropped }
        if stored.byteCount + returned.byteCount > maximumByteCount { swap(&stored, &dropped) }
        stored.idle[options, default: []].append(returned)
        stored.byteCount += returned.byteCount
        return dropped
      }
      _ = dropped
    }
    return try body(formatter)
  }

  private func make(_ options: Options) throws(Problem) -> RowFormatter {
    var batch = BatchOptions()
    (batch.style, batch.fields, batch.minorUnits) = (options.style, options.fields, options.minorUnits)
    (batch.day, batch.overwrites, batch.localeData) = (options.day, options.overwrites, source.localeData)
    batch.usesDecimalComma = options.usesDecimalComma
    do throws(BatchError) { return try RowFormatter(batch) } catch {
      if error.code == .outOfResources { throw Problem.internal }
      throw Problem(error, pointer: "/minorUnits")
    }
  }
}
