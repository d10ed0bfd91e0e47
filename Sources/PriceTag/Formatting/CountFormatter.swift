/// Formats the plain numbers, percentages and periods in UI strings, as a language writes them. It never formats a price.
///
/// Like a price formatter, it compiles a pattern from ICU's output once.
///
/// Sendable notes: all properties are immutable, and so is the memory of `bytes`, which the pattern owns.
package final class CountFormatter: @unchecked Sendable {
  /// The kind of number.
  package enum Kind: Hashable, Sendable {
    /// A plain number: 1,234. As in ICU's MessageFormat, every locale groups numbers of four digits and more.
    case number
    /// A percentage: 16 is 16%.
    case percent
    /// Days, weeks, months or years: 3 months.
    case period(SubscriptionPeriod.Unit)
  }

  /// The maximum number of bytes that `write(_:to:)` needs.
  package let maximumUTF8Count: Int

  /// The maximum length of a formatted number in bytes.
  private static let capacity = PatternBytes.maximumCapacity

  /// The pattern that writes the numbers; `nil` if ICU writes them.
  let pattern: CompiledPattern?
  /// The bytes of the pattern if they can write every number, that is, if the pattern has no plurals.
  private let bytes: PatternBytes?
  private let icu: ICUNumberFormatter
  /// ICU's text for 1 and 2 in languages that write them without digits, such as Arabic: يوم, يومان.
  private let words: [(number: Amount, utf8: [UInt8])]

  /// Creates a formatter; returns `nil` if ICU rejects the options.
  ///
  /// - Parameters:
  ///   - icuLocale: A locale in ICU's spelling.
  ///   - kind: The kind of number.
  ///   - fractionDigits: The number of digits after the decimal point.
  package init?(icuLocale: String, kind: Kind, fractionDigits: Int) {
    let unit: ICUNumberOptions.Unit =
      switch kind {
      case .number: .none
      case .percent: .percent
      case .period(let unit): .period(unit)
      }
    let options = ICUNumberOptions(locale: icuLocale, unit: unit, fractionDigits: fractionDigits)
    guard let icu = ICUNumberFormatter(options) else { return nil }
    self.icu = icu
    let pattern = PatternCompiler(icu: icu, options: options).compile()
    self.pattern = pattern
    bytes = pattern?.plurals == nil ? pattern?.bytes : nil
    maximumUTF8Count = bytes?.capacity ?? Self.capacity
    words = [1, 2].compactMap { (number: Amount) in
      guard options.takesPlural, let pattern, pattern.fields(of: number) == nil,
        let text = icu.format(number), text.utf8.count <= Self.capacity
      else { return nil }
      return (number, text.utf8)
    }
  }

  /// Writes a number that has no more digits than the formatter displays, and returns the number of bytes.
  ///
  /// - Parameters:
  ///   - amount: The number.
  ///   - output: A buffer of `maximumUTF8Count` bytes. Bytes after the number may be overwritten too.
  package func write(_ amount: Amount, to output: UnsafeMutablePointer<UInt8>) -> Int {
    if let bytes { return bytes.write(amount, to: output) }
    if let count = pattern?.write(amount, to: output) { return count }
    if let word = words.first(where: { $0.number == amount })?.utf8 {
      output.update(from: word, count: word.count)
      return word.count
    }
    // ICU's text fits ICU's buffer, which is as large as this one.
    guard let text = icu.format(amount), text.utf8.count <= Self.capacity else { return 0 }
    for (index, byte) in text.utf8.enumerated() { output[index] = byte }
    return text.utf8.count
  }
}
