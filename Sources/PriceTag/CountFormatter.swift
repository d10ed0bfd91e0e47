/// Writes plain numbers, percents and lengths of time as a locale does: what stands in the words around a price, and
/// never a price itself.
///
/// It is compiled as a price's pattern is: learned from ICU once, and proven.
///
/// Sendable notes: everything is immutable, also behind the pointer, which the stamp owns.
package final class CountFormatter: @unchecked Sendable {
  /// What is counted.
  package enum Kind: Hashable, Sendable {
    /// A plain number: 1,234. Grouped from four digits on in every locale, as ICU's MessageFormat groups.
    case number
    /// A number of hundredths: 16 is 16%.
    case percent
    /// Days, weeks, months or years: 3 months.
    case period(SubscriptionPeriod.Unit)
  }

  /// The most bytes that `write(_:to:)` needs room for.
  package let maximumUTF8Count: Int

  /// No count is longer.
  private static let capacity = StampImage.maximumCapacity

  private let stamp: PriceStamp?
  /// The stamp's image where one pattern writes every number: without plurals.
  private let image: UnsafePointer<StampImage>?
  private let icu: ICUNumberFormatter
  /// What ICU writes for 1 and 2 where that has no digits, as in Arabic: يوم, يومان.
  private let words: [(number: Amount, utf8: [UInt8])]

  /// A formatter for numbers of so many digits after the decimal point; `nil` where ICU refuses.
  ///
  /// - Parameter icuLocale: A locale in ICU's spelling.
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
    let stamp = StampCompiler(icu: icu, options: options).stamp()
    self.stamp = stamp
    image = stamp?.plurals == nil ? stamp?.image : nil
    maximumUTF8Count = image?.pointee.capacity ?? Self.capacity
    words = [1, 2].compactMap { (number: Amount) in
      guard options.takesPlural, let stamp, !stamp.hasAffixes(of: number), let text = icu.format(number),
        text.utf8.count <= Self.capacity
      else { return nil }
      return (number, text.utf8)
    }
  }

  /// Whether it writes without ICU.
  package var isCompiled: Bool { stamp != nil }

  /// Writes a number that has no more digits than were asked for, and answers how many bytes. `output` has room for
  /// `maximumUTF8Count` bytes, of which those behind the answer may be overwritten too.
  package func write(_ amount: Amount, to output: UnsafeMutablePointer<UInt8>) -> Int {
    if let image { return image.pointee.write(amount, to: output) }
    if let count = stamp?.write(amount, to: output), count >= 0 { return count }
    if let word = words.first(where: { $0.number == amount })?.utf8 {
      output.update(from: word, count: word.count)
      return word.count
    }
    // What ICU writes is no longer than its buffer, and that is as large as this one.
    guard let text = icu.format(amount), text.utf8.count <= Self.capacity else { return 0 }
    for (index, byte) in text.utf8.enumerated() { output[index] = byte }
    return text.utf8.count
  }
}
