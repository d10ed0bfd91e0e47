import PriceTag
import PriceTagBatch
import Synchronization

/// Formatters of rows that nobody uses just now, with the formatters of prices that they have compiled.
///
/// Sendable notes: a formatter is taken out under a lock, and is one request's until it is put back.
final class RowFormatterPool: Sendable {
  /// What a request asks of a formatter.
  struct Kind: Hashable, Sendable {
    var style = PriceStyle()
    var fields: [BatchField] = []
    var minorUnits = "iso"
    /// `nil` for today.
    var date: CalendarDate?
    var overwrites = false
  }

  private struct Idle: @unchecked Sendable {
    let formatter: RowFormatter
  }

  private struct Kept {
    var idle: [Kind: [Idle]] = [:]
    var count = 0
  }

  /// So many are kept, whatever requests ask for: each holds some megabytes at most.
  private static let most = 64

  private let kept = Mutex(Kept())
  private let source: ShopSource

  init(_ source: ShopSource) {
    self.source = source
  }

  /// Lends a formatter.
  ///
  /// - Throws: A problem with what is asked; what the body throws.
  func with<Value>(_ kind: Kind, _ body: (RowFormatter) throws(Problem) -> Value) throws(Problem) -> Value {
    var kind = kind
    // Of today's some are left over tomorrow, and go when there is no room.
    if kind.date == nil { kind.date = source.today }
    let idle = kept.withLock { kept in
      let idle = kept.idle[kind]?.popLast()
      if idle != nil { kept.count -= 1 }
      return idle
    }
    let formatter: RowFormatter
    if let idle { formatter = idle.formatter } else { formatter = try make(kind) }
    defer {
      let lent = Idle(formatter: formatter)
      // What is dropped is freed outside the lock.
      let dropped = kept.withLock { kept -> Kept in
        let full = kept.count >= Self.most ? kept : Kept()
        if full.count > 0 { kept = Kept() }
        kept.idle[kind, default: []].append(lent)
        kept.count += 1
        return full
      }
      _ = dropped
    }
    return try body(formatter)
  }

  private func make(_ kind: Kind) throws(Problem) -> RowFormatter {
    var options = BatchOptions()
    (options.style, options.fields, options.minorUnits) = (kind.style, kind.fields, kind.minorUnits)
    (options.date, options.overwrites, options.localeData) = (kind.date, kind.overwrites, source.localeData)
    do throws(BatchError) { return try RowFormatter(options) } catch {
      if error.code == .outOfResources { throw Problem.internal }
      throw Problem(error, pointer: "/minorUnits")
    }
  }
}
