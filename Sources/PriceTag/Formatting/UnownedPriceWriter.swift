/// Writes prices in loops over very many rows, without counting references.
///
/// It writes only prices that need no rounding and no ICU. It does not retain its formatter: the caller must keep the
/// formatter alive.
package struct UnownedPriceWriter {
  private let bytes: PatternBytes?
  /// The pattern if it has plurals, and `bytes` is `nil`.
  private let pluralBytes: PatternBytes?
  private let digits: Int
  /// The maximum number of bytes that are written.
  package let capacity: Int

  init(_ compiled: PriceFormatter.Compiled) {
    bytes = compiled.patternBytes
    pluralBytes = bytes == nil ? compiled.pattern?.bytes ?? compiled.pinned?.onlyPattern : nil
    digits = compiled.unroundedDigits
    capacity = compiled.capacity
  }

  /// Writes an amount into a buffer of `capacity` bytes, and returns the number of bytes; -1 if the formatter has to
  /// format it, also because of plurals.
  @inline(__always)
  package func write(_ amount: Amount, to output: UnsafeMutablePointer<UInt8>) -> Int {
    guard let bytes, amount.scale <= digits else { return -1 }
    return bytes.write(amount, to: output)
  }

  /// Writes an amount into a buffer of `capacity` bytes, also with plurals. Returns the number of bytes, or -1.
  package func writeWithPlurals(_ amount: Amount, to output: UnsafeMutablePointer<UInt8>) -> Int {
    guard let pluralBytes else { return write(amount, to: output) }
    guard amount.scale <= digits, let category = pluralBytes.exactCategory(of: amount) else { return -1 }
    return pluralBytes.write(amount, category: category, to: output)
  }

  /// Returns the direction of the text of an amount that `write(_:to:)` can write.
  package func direction(of amount: Amount) -> FormattedPrice.Direction {
    bytes?.direction(of: amount, category: 0) == .rightToLeft ? .rightToLeft : .leftToRight
  }

  /// Calls a function with the index in `partTypes` and the number of bytes of each part of the text of an amount that
  /// `write(_:to:)` can write.
  @inline(__always)
  package func forEachPart(of amount: Amount, _ body: (_ type: Int, _ count: Int) -> Void) {
    _ = bytes?.forEachPart(of: amount, category: 0) { body(Int($0.rawValue), $1) }
  }

  package static let partTypes = (0...UInt8(PatternPart.Kind.maximum)).map {
    FormattedPrice.PartType(PatternPart.Kind(rawValue: $0) ?? .literal)
  }
}
