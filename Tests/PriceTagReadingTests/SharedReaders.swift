import PriceTag
import PriceTagReading

/// Price readers of all tests, of displays that may name any current currency.
///
/// Readers of a locale share the tables of its currency symbols, which cost more than everything else that a reader does.
enum SharedReaders {
  private static let all = PriceReaders(LocaleData.embedded.currencies.filter { $0.lastDay == nil })

  static func reader(_ formatter: PriceFormatter) -> PriceReader { all.reader(formatter) }

  static func reader(_ storefront: String, style: PriceStyle = PriceStyle()) throws -> PriceReader {
    all.reader(try PriceFormatter(storefront: Storefront(storefront), style: style))
  }
}
