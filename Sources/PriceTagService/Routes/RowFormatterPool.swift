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
    /// `nil` for today.
    var date: CalendarDate?
    var overwrites = false
    var usesDecimalComma = false
  }

  private struct Idle: @unchecked Sendable {
    let formatter: RowFormatter
  }

  private struct StoredFormatters {
    var idle: [Options: [Idle]] = [:]
    var count = 0
  }

  /// The maximum number of idle formatters, of all options together. Each takes a few megabytes at most.
  private static let maximumCount = 64

  private let stored = Mutex(StoredFormatters())
  private let source: CatalogSource

  init(_ source: CatalogSource) {
    self.source = source
  }

  /// Calls `body` with a formatter of these options.
  ///
  /// - Throws: A problem with the options, or the error that `body` throws.
  func with<Value>(_ options: Options, _ body: (RowFormatter) throws(Problem) -> Value) throws(Problem)
    -> Value
  {
    var options = options
    // Formatters of a past date stay in the pool until it is full.
    if options.date == nil { options.date = source.today }
    let idle = stored.withLock { stored in
      let idle = stored.idle[options]?.popLast()
      if idle != nil { stored.count -= 1 }
      return idle
    }
    let formatter: RowFormatter
    if let idle { formatter = idle.formatter } else { formatter = try make(options) }
    defer {
      let returned = Idle(formatter: formatter)
      // A full pool is emptied. Its formatters are freed outside the lock.
      let dropped = stored.withLock { stored -> StoredFormatters in
        let full = stored.count >= Self.maximumCount ? stored : StoredFormatters()
        if full.count > 0 { stored = StoredFormatters() }
        stored.idle[options, default: []].append(returned)
        stored.count += 1
        return full
      }
      _ = dropped
    }
    return try body(formatter)
  }

  private func make(_ options: Options) throws(Problem) -> RowFormatter {
    var batch = BatchOptions()
    (batch.style, batch.fields, batch.minorUnits) = (options.style, options.fields, options.minorUnits)
    (batch.date, batch.overwrites, batch.localeData) = (options.date, options.overwrites, source.localeData)
    batch.usesDecimalComma = options.usesDecimalComma
    do throws(BatchError) { return try RowFormatter(batch) } catch {
      if error.code == .outOfResources { throw Problem.internal }
      throw Problem(error, pointer: "/minorUnits")
    }
  }
}
