/// Writes prices in loops over very many rows, without counting references.
///
/// It writes only prices that need no rounding, no plural and no ICU. It does not retain its formatter: the caller must
/// keep the formatter alive.
package struct UnownedPriceWriter {
  private let bytes: PatternBytes?
  private let digits: Int
  /// The maximum number of bytes that are written.
  package let capacity: Int

  init(_ compiled: PriceFormatter.Compiled) {
    bytes = compiled.patternBytes
    digits = compiled.unroundedDigits
    capacity = compiled.capacity
  }

  /// Writes an amount into a buffer of `capacity` bytes, and returns the number of bytes; -1 if the formatter has to
  /// format it.
  @inline(__always)
  package func write(_ amount: Amount, to output: UnsafeMutablePointer<UInt8>) -> Int {
    guard let bytes, amount.scale <= digits else { return -1 }
    return bytes.write(amount, to: output)
  }
}
